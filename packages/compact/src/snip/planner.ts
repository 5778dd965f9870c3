import type { Plan, PlanContext, Planner } from '@varve/messages';
import { checkInteger } from '../full/settings.ts';
import { createLogFold } from '../plan/log-fold.ts';
import { planSnip, snipEdit } from './snip.ts';

export interface SnipPlannerOptions {
  /** What the next request should have at most, in tokens. @default 20,000 below the size at which it would be compacted */
  readonly budgetTokens?: number | undefined;
}

/** Tokens below the threshold of compaction: dropped rounds should last for a while. */
const BELOW_THRESHOLD_TOKENS = 20_000;

/**
 * Creates a planner that drops oldest rounds before a request. Its receipt says what went and how many tokens that freed.
 *
 * @throws RangeError for a budget that is no number of tokens.
 */
export function createSnip(options: SnipPlannerOptions = {}): Planner {
  if (options.budgetTokens !== undefined) checkInteger('budgetTokens', options.budgetTokens, 1);
  const fold = createLogFold();
  return {
    observe: fold.observe,
    plan(context: PlanContext): Plan {
      const { contextTokens, limits, sizeOf, thinking } = context;
      const least = Math.max(1, limits.autocompactTokens - BELOW_THRESHOLD_TOKENS);
      const { budgetTokens = least } = options;
      if (contextTokens <= budgetTokens) return { kind: 'none', reason: 'below-budget' };
      const { messages, open } = fold.view();
      if (open) return { kind: 'none', reason: 'round-open' };
      const sized = fold.tokens(sizeOf);
      const overTokens = contextTokens - budgetTokens;
      const planned = planSnip(messages, {
        ...{ sizeOf, thinking, cuts: fold.cuts(messages) },
        budgetTokens: Math.max(0, sized - overTokens),
        markerId: `${fold.idPrefix()}-snip`,
      });
      if (planned.kind === 'none') return planned;
      const { removedIds, freedTokens } = planned;
      const receipt = { removedIds, freedTokens, tokensBefore: contextTokens };
      const edits = [snipEdit(planned, messages)];
      return { kind: 'edit', edits, reason: 'over-budget', receipt };
    },
  };
}
