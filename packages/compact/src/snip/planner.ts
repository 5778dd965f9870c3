import { checkOptions, integer, number } from '@varve/guards';
import type { JsonObject, Plan, PlanContext, Planner } from '@varve/messages';
import { editReceipt } from '@varve/messages/log';
import { acceptSize } from '@varve/tokens/limits';
import { createLogFold } from '../plan/log-fold.ts';
import { planSnip, type SnipPlan, snipEdit } from './snip.ts';

export interface SnipPlannerOptions {
  /** What the next request should have at most, in tokens. @default 20,000 below the size at which it would be compacted */
  readonly budgetTokens?: number | undefined;
  /** The share of the request that has to be saved at least, from 0 to 1. @default 0.1 */
  readonly minSavings?: number | undefined;
  /** Where the originals are, in the caller's words; for the receipts. */
  readonly originals?: string | undefined;
}

/** Tokens below the threshold of compaction: dropped rounds should last for a while. */
const BELOW_THRESHOLD_TOKENS = 20_000;

/**
 * Creates a planner that drops oldest rounds before a request. Its receipt says what went and what is left.
 *
 * @throws RangeError for a budget that is no number of tokens.
 */
export function createSnip(options: SnipPlannerOptions = {}): Planner {
  checkOptions(options, { budgetTokens: integer(1), minSavings: number({ min: 0, below: 1 }) });
  const { originals, minSavings = 0.1 } = options;
  const fold = createLogFold();
  return {
    observe: fold.observe,
    plan(context: PlanContext): Plan {
      const { contextTokens, limits, sizeOf, thinking } = context;
      const least = Math.max(1, limits.autocompactTokens - BELOW_THRESHOLD_TOKENS);
      const { budgetTokens = least } = options;
      if (contextTokens <= budgetTokens) return { kind: 'none', reason: 'below-budget' };
      const view = fold.view();
      const { messages, open } = view;
      if (open) return { kind: 'none', reason: 'round-open' };
      const sized = fold.tokens(sizeOf);
      const overTokens = contextTokens - budgetTokens;
      const planned = planSnip(messages, {
        ...{ sizeOf, thinking, cuts: fold.cuts(view) },
        budgetTokens: Math.max(0, sized - overTokens),
        leastFreedTokens: -acceptSize(contextTokens, { ofTokens: contextTokens, minSavings })
          .roomTokens,
        markerId: `${fold.idPrefix()}-snip`,
      });
      if (planned.kind === 'none') return planned;
      const receipt = receiptOf(planned, messages.length, { contextTokens, originals });
      const edits = [snipEdit(planned, messages)];
      return { kind: 'edit', edits, reason: REASON, receipt };
    },
  };
}

const REASON = 'over-budget';

function receiptOf(
  { start, end, removedIds, freedTokens }: Extract<SnipPlan, { readonly kind: 'snip' }>,
  messages: number,
  { contextTokens, originals }: Pick<PlanContext, 'contextTokens'> & SnipPlannerOptions,
): JsonObject {
  const dropped = end - start;
  const sizes = { tokensBefore: contextTokens, tokensAfter: contextTokens - freedTokens };
  const facts = { reason: REASON, ...sizes, dropped, kept: messages - dropped, originals };
  return { ...editReceipt(facts), removedIds, freedTokens };
}
