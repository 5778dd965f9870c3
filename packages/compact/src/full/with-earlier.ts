import { cutMiddle } from '@varve/messages';
import type { Facts } from './situation.ts';

/**
 * Facts of a history whose beginning is known from an earlier summary only: without a model that summary goes in as it is,
 * cut to half of the budget, and repaired like a new one.
 */
export function withEarlier(facts: Facts, earlier: string): Facts {
  return {
    check: facts.check,
    render(options) {
      const units = Math.floor((options.budgetTokens / 2) * UNITS_PER_TOKEN);
      const half = Math.floor(units / 2);
      const kept = cutMiddle(earlier, { headUnits: half, tailUnits: half, marker: LEFT_OUT });
      return facts.check(kept, options).text;
    },
  };
}

/** UTF-16 units that are rarely more than a token. */
const UNITS_PER_TOKEN = 2;

const LEFT_OUT = '\n[left out here]\n';
