import { compact, createLedger } from '@varve/compact';
import { isText, type Message } from '@varve/messages';
import type { Compactor } from '../compactor.ts';

/**
 * `compact` of `@varve/compact` with a model that never answers: the ledger alone writes the summary, in its share of the
 * budget; the newest rounds stay in what is left, if one fits.
 */
export const ledgerCompact: Compactor = {
  name: 'ledger-compact',
  create({ head, sizeOf }) {
    const sizeOfAll = (all: readonly Message[]): number =>
      all.reduce((sum, message) => sum + sizeOf(message), 0);
    const ledger = createLedger();
    let messages: readonly Message[] = [];
    const compacted = () => ({
      messages,
      synthesised: messages.filter(isSummary).flatMap(textsOf),
    });
    return {
      add(message) {
        ledger.add(message);
        messages = [...messages, message];
      },
      async compact(budgetTokens) {
        if (sizeOfAll(messages) <= budgetTokens) return compacted();
        const maxSummaryTokens = Math.max(1, Math.floor(budgetTokens * SUMMARY_SHARE));
        const keepTokens = Math.floor(budgetTokens * (1 - SUMMARY_SHARE));
        const options = { ...NO_MODEL, head, ledger, contextTokens: sizeOfAll(messages) };
        const beside = await compact(messages, { ...options, maxSummaryTokens, keepTokens });
        const fits = sizeOfAll(beside.messages) <= budgetTokens;
        const alone = { ...options, maxSummaryTokens: Math.max(1, Math.floor(budgetTokens)) };
        messages = (fits ? beside : await compact(messages, alone)).messages;
        return compacted();
      },
    };
  },
};

/** Half of it may be the words of the person: less would cut them where sessions are short. */
const SUMMARY_SHARE = 0.7;

const NO_MODEL = {
  summarize: () => Promise.reject(new Error('There is no model here.')),
  wait: () => Promise.resolve(),
};

const isSummary = ({ origin }: Message): boolean => origin?.kind === 'summary';

const textsOf = ({ content }: Message): readonly string[] =>
  content.flatMap((block) => (isText(block) ? [block.text] : []));
