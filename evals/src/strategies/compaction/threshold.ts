import type { PlanContext } from '@varve/messages';

/** The same with a threshold of `atTokens` for compaction, where that is lower than the window's. */
export function withThreshold(context: PlanContext, atTokens: number | undefined): PlanContext {
  const { limits } = context;
  if (atTokens === undefined || atTokens >= limits.autocompactTokens) return context;
  return { ...context, limits: { ...limits, autocompactTokens: atTokens } };
}
