import { textOf } from '@varve/guards';
import type { Message } from '@varve/messages';
import { personBlocks, splitInjected } from '@varve/messages/persons';

/** What a person said in a message, without what the agent put in; of a command what they typed. */
export const saidIn = (message: Message): string =>
  textOf(message.origin?.typed) ||
  personBlocks(message)
    .map((block) => splitInjected('text' in block ? textOf(block.text) : '').own)
    .join('\n\n')
    .trim();
