import type { Ledger } from '../ledger/ledger.ts';
import type { Facts } from './situation.ts';

export interface FactsOfOptions {
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
  /** Texts that stand in every summary word for word. */
  readonly pins?: readonly string[] | undefined;
}

/** What a ledger knows, in the form a compaction asks for. */
export function factsOf(ledger: Ledger, { sizeOf }: FactsOfOptions): Facts {
  return {
    render({ budgetTokens }) {
      const lines: string[] = [];
      for (const { value } of ledger.facts()) {
        if (sizeOf([...lines, value].join('\n')) <= budgetTokens) lines.push(value);
      }
      return lines.join('\n');
    },
    check: (text) => ({ text, findings: [] }),
  };
}
