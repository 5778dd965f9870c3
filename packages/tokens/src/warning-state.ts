import type { ContextLimits } from './thresholds.ts';

/**
 * What to tell a user: `free` below half of the window, `watch` from 50 %, `compact-now` from 70 %, and above 90 %
 * `clear-or-compact` at once.
 */
export type AdviceBand = 'free' | 'watch' | 'compact-now' | 'clear-or-compact';

export interface WarningState {
  /** What is left until the base, in whole percent of it; never below 0. */
  readonly percentLeft: number;
  /** What is used of the window, in percent; above 100 where the conversation no longer fits. */
  readonly percentUsed: number;
  readonly aboveWarning: boolean;
  readonly aboveError: boolean;
  readonly aboveAutocompact: boolean;
  /** Nothing may be sent any more: compact or clear first. */
  readonly atBlockingLimit: boolean;
  /** More is used than the window of this model holds. */
  readonly overflow: boolean;
  readonly advice: AdviceBand;
}

/** How full a conversation is, for a user interface. `usedTokens` is the whole size: plain, read and written alike. */
export function warningState(usedTokens: number, limits: ContextLimits): WarningState {
  const { windowTokens, baseTokens, autocompactTokens } = limits;
  const left = baseTokens > 0 ? Math.round(((baseTokens - usedTokens) / baseTokens) * 100) : 0;
  return {
    percentLeft: Math.max(0, left),
    percentUsed: (usedTokens / windowTokens) * 100,
    aboveWarning: usedTokens >= limits.warningTokens,
    aboveError: usedTokens >= limits.errorTokens,
    aboveAutocompact: autocompactTokens !== undefined && usedTokens >= autocompactTokens,
    atBlockingLimit: usedTokens >= limits.blockingTokens,
    overflow: usedTokens > windowTokens,
    advice: adviceBand(usedTokens, windowTokens),
  };
}

/** The advice for a size, by the share of the window it fills. */
export function adviceBand(usedTokens: number, windowTokens: number): AdviceBand {
  const percent = (usedTokens * 100) / windowTokens;
  if (percent < 50) return 'free';
  if (percent < 70) return 'watch';
  return percent <= 90 ? 'compact-now' : 'clear-or-compact';
}
