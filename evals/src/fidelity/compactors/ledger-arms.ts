import { restore } from '@varve/compact';
import { createLedger, renderLedger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import type { Compactor } from '../compactor.ts';
import { ledgerCompact } from './ledger-compact.ts';
import { createSessionFiles } from './session-files.ts';

/** The ledger, the newest rounds, and the newest files as the session left them: a quarter of the budget, and what the rounds leave. */
export const ledgerWithFiles: Compactor = {
  name: 'ledger+rounds+files',
  create(context) {
    const run = ledgerCompact.create(context);
    const files = createSessionFiles();
    return {
      add(message) {
        files.add(message);
        run.add(message);
      },
      async compact(budgetTokens) {
        const left = await run.compact(Math.floor(budgetTokens * (1 - FILES_SHARE)));
        const taken = left.messages.reduce((sum, each) => sum + context.sizeOf(each), 0);
        const { messages } = await restore(
          { reads: files.paths },
          {
            readFile: async (path) => files.textOf(path),
            kept: left.messages,
            messageId: 'restored',
            sizeOf: (text) => context.sizeOf(messageOf(text)),
            roomTokens: Math.max(0, budgetTokens - taken),
          },
        );
        return { ...left, messages: [...left.messages, ...messages] };
      },
    };
  },
};

const FILES_SHARE = 0.25;

/** The ledger's text and nothing else. */
export const ledgerAlone: Compactor = {
  name: 'ledger text',
  create({ sizeOf }) {
    const ledger = createLedger();
    return {
      add: (message) => void ledger.add(message),
      compact(budgetTokens) {
        const { text: sizeOfText } = createEstimator();
        for (let budget = budgetTokens; ; budget = Math.floor(budget * 0.9)) {
          const { text } = renderLedger(ledger, { budgetTokens: budget, sizeOf: sizeOfText });
          const message = messageOf(text);
          if (sizeOf(message) <= budgetTokens || budget < 100)
            return { messages: [message], synthesised: [text] };
        }
      },
    };
  },
};

const messageOf = (text: string): Message => ({
  id: 'ledger-text',
  role: 'user',
  origin: { kind: 'summary' },
  content: [{ type: 'text', text }],
});
