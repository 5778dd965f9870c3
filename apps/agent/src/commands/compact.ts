import { tokens } from '../ui/describe.ts';
import type { Command } from './command.ts';

export const compactCommand: Command = {
  name: 'compact',
  hint: '[focus]',
  about: 'summarise the conversation now, with a look at what you name',
  asksModel: true,
  async run({ words, session, face, signal }) {
    const { context } = session.agent;
    face.working('compacting');
    const outcome = await context.compact({ focus: words === '' ? undefined : words, signal });
    if (outcome.kind !== 'compacted') return; // an event has said why
    const { tokensBefore, tokensAfter, droppedMessages } = outcome.receipt;
    face.show(
      `Compacted: ${tokens(tokensBefore)} tokens are ${tokens(tokensAfter)} now; ${droppedMessages} messages stand in the summary. /undo brings them back.`,
      'note',
    );
  },
};
