import { restore } from '@varve/compact';
import { createLedger, renderLedger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { randomFrom } from '../../random.ts';
import type { Compactor } from '../compactor.ts';
import { ledgerCompact } from './ledger-compact.ts';
import { createSessionFiles } from './session-files.ts';

/** The ledger, the newest rounds, and the newest files as the session left them, in a quarter of the budget. */
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
        const roomTokens = Math.floor(budgetTokens * FILES_SHARE);
        const left = await run.compact(budgetTokens - roomTokens);
        const { messages } = await restore(
          { reads: files.paths },
          {
            readFile: async (path) => files.textOf(path),
            kept: left.messages,
            messageId: 'restored',
            sizeOf: createEstimator().text,
            roomTokens,
          },
        );
        return { ...left, messages: [...left.messages, ...messages] };
      },
    };
  },
};

const FILES_SHARE = 0.25;

/** The ledger's text and nothing else; `change` makes another text of it. */
const ledgerText = (name: string, change: (text: string) => string): Compactor => ({
  name,
  create({ sizeOf }) {
    const ledger = createLedger();
    return {
      add: (message) => void ledger.add(message),
      compact(budgetTokens) {
        const { text: sizeOfText } = createEstimator();
        for (let budget = budgetTokens; ; budget = Math.floor(budget * 0.9)) {
          const text = change(
            renderLedger(ledger, { budgetTokens: budget, sizeOf: sizeOfText }).text,
          );
          const messages = [messageOf(text)];
          if (sizeOf(messages[0] as Message) <= budgetTokens || budget < 100)
            return { messages, synthesised: [text] };
        }
      },
    };
  },
});

const messageOf = (text: string): Message => ({
  id: 'ledger-text',
  role: 'user',
  origin: { kind: 'summary' },
  content: [{ type: 'text', text }],
});

export const ledgerAlone = ledgerText('ledger text', (text) => text);

/** Its lines in an order drawn by lot. */
export const ledgerShuffled = ledgerText('ledger text, shuffled', (text) => {
  const random = randomFrom(1);
  return text
    .split('\n')
    .map((line) => ({ line, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ line }) => line)
    .join('\n');
});
