import { compact } from '@varve/compact';
import { createLedger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import type { Compactor } from '../compactor.ts';
import { summariesIn } from '../summaries-in.ts';

/**
 * `compact` of `@varve/compact` with a model that never answers: the ledger alone writes the summary, in its share of the
 * budget; the newest rounds that fit stay in what it leaves.
 */
export const ledgerCompact: Compactor = {
  name: 'ledger-compact',
  create({ head, sizeOf, ledger: shared }) {
    const sizeOfAll = (all: readonly Message[]): number =>
      all.reduce((sum, message) => sum + sizeOf(message), 0);
    const ledger = shared?.() ?? createLedger();
    let messages: readonly Message[] = [];
    const compacted = () => ({
      messages,
      synthesised: summariesIn(messages),
    });
    return {
      add(message) {
        if (shared === undefined) ledger.add(message);
        messages = [...messages, message];
      },
      async compact(budgetTokens) {
        if (sizeOfAll(messages) <= budgetTokens) return compacted();
        const maxSummaryTokens = Math.max(1, Math.floor(budgetTokens * SUMMARY_SHARE));
        const contextTokens = sizeOfAll(messages);
        const sizes = { contextTokens, maxSummaryTokens, keepTokens: 0 };
        const options = { summarize: 'ledger', head, ledger, ...sizes } as const;
        const alone = await compact(messages, options);
        const keepTokens = Math.floor((budgetTokens - sizeOfAll(alone.messages)) / MOST_OVER);
        if (keepTokens < SMALL_ROUND_TOKENS) {
          messages = alone.messages;
          return compacted();
        }
        const beside = await compact(messages, { ...options, keepTokens });
        messages = (sizeOfAll(beside.messages) <= budgetTokens ? beside : alone).messages;
        return compacted();
      },
    };
  },
};

/** A newest round may stay whole that has so much more than `keepTokens`, or so many tokens; a budget allows neither. */
const MOST_OVER = 1.25;
const SMALL_ROUND_TOKENS = 1_000;

/** Two thirds for what was said and done, the rest for the newest rounds as they are: the next calls need both. */
const SUMMARY_SHARE = 0.65;
