import { checkSummary, type Ledger, renderLedger } from '@varve/ledger';
import type { Facts, FactsOptions } from './situation.ts';

export interface FactsOfOptions {
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
  /** Texts that stand in every summary word for word. */
  readonly pins?: readonly string[] | undefined;
}

/** What a ledger knows, in the form a compaction asks for. */
export function factsOf(ledger: Ledger, { sizeOf, pins = [] }: FactsOfOptions): Facts {
  const rendering = ({ budgetTokens, originals, shown = [] }: FactsOptions) => ({
    ...{ budgetTokens, pins, shown, sizeOf },
    ...(originals !== undefined && { originals }),
  });
  return {
    redact: ledger.redact,
    render: (options) =>
      renderLedger(ledger, { ...rendering(options), have: options.have ?? '' }).text,
    check: (summary, options) => {
      const { have: visible = '' } = options;
      return checkSummary(summary, { ledger, visible, ...rendering(options) });
    },
  };
}
