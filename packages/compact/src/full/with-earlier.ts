import type { Message } from '@varve/messages';
import { isSummary, withoutStoppedSection } from '@varve/messages/persons';
import { cutMiddle } from '@varve/messages/text';
import type { Facts } from './situation.ts';
import { summaryBody } from './summary-text.ts';

/**
 * Facts of a history that begins with an earlier summary of a model's: without a model that summary goes in as it is, repaired
 * like a new one, because it holds what no ledger does. It is cut only where that may be, because the window is full. One
 * that the ledger wrote is written anew.
 */
export function withEarlier(
  facts: Facts,
  first: Message | undefined,
  sizeOf: (text: string) => number,
): Facts {
  if (first === undefined || !isSummary(first) || first.origin?.engine === 'ledger') return facts;
  const earlier = withoutStoppedSection(summaryBody(first)).trimEnd();
  return {
    redact: facts.redact,
    check: facts.check,
    render(options) {
      const tokens = sizeOf(earlier);
      const most = options.budgetTokens * EARLIER_SHARE;
      if (options.mayCut === false && tokens > options.budgetTokens) return '';
      const share = options.mayCut === false ? 1 : Math.min(1, most / Math.max(1, tokens));
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

/** The share of the budget that an earlier summary may take in a full window. */
const EARLIER_SHARE = 0.6;

const LEFT_OUT = '\n[left out here]\n';
