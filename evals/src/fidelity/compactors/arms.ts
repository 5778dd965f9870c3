import { isText } from '@varve/messages';
import type { Compactor } from '../compactor.ts';
import type { Arm } from '../questions/arm-names.ts';
import { summariesIn } from '../summaries-in.ts';
import { dropOldest, keepAll, randomMessages } from './keep-some.ts';
import { ledgerAlone, ledgerWithFiles } from './ledger-arms.ts';
import { shuffleStatements } from './shuffle.ts';

/** The summaries of a compactor with their statements mixed up, and nothing else. */
const shuffled = (compactor: Compactor): Compactor => ({
  name: 'shuffled',
  create(context) {
    const run = compactor.create(context);
    return {
      add: run.add,
      async compact(budgetTokens) {
        const left = await run.compact(budgetTokens);
        const summaries = left.messages.filter(({ origin }) => origin?.kind === 'summary');
        const messages = summaries.map((message) => ({
          ...message,
          content: message.content.map((block) =>
            isText(block) ? { ...block, text: shuffleStatements(block.text) } : block,
          ),
        }));
        return { messages, synthesised: summariesIn(messages) };
      },
    };
  },
});

/** The arms that can be made anywhere. */
export const COMPACTORS: Readonly<Record<Exclude<Arm, 'recorded'>, Compactor>> = {
  'keep-all': keepAll,
  'ledger+rounds': ledgerWithFiles,
  ledger: ledgerAlone,
  newest: dropOldest,
  random: randomMessages(1),
  shuffled: shuffled(ledgerAlone),
};
