import { cutMiddle } from '@varve/messages';
import type { Facts } from './situation.ts';

/**
 * Facts of a history whose beginning is known from an earlier summary only: without a model that summary goes in as it is,
 * cut where it is most of the budget, and repaired like a new one.
 */
export function withEarlier(
  facts: Facts,
  earlier: string,
  sizeOf: (text: string) => number,
): Facts {
  return {
    check: facts.check,
    render(options) {
      const most = options.budgetTokens * EARLIER_SHARE;
      const share = Math.min(1, most / Math.max(1, sizeOf(earlier)));
      const half = Math.floor((earlier.length * share) / 2);
      const kept =
        share < 1
          ? cutMiddle(earlier, { headUnits: half, tailUnits: half, marker: LEFT_OUT })
          : earlier;
      const budgetTokens = Math.max(0, Math.floor(options.budgetTokens - sizeOf(kept)));
      return facts.check(kept, { ...options, budgetTokens }).text;
    },
  };
}

/** The share of the budget that an earlier summary may take. */
const EARLIER_SHARE = 0.6;

const LEFT_OUT = '\n[left out here]\n';
