import type { Block, Message } from '@varve/messages';
import type { MessageLike } from './compact.ts';

/** Plain messages as those of a log, an id each; a message that is one already stays the same object. */
export function toMessages(history: readonly MessageLike[]): readonly Message[] {
  return history.map((message, index) =>
    isMessage(message) ? message : toMessage(message, index),
  );
}

function isMessage(message: MessageLike): message is Message {
  const { id, content } = message as Partial<Message>;
  return typeof id === 'string' && Array.isArray(content);
}

const known = new WeakMap<MessageLike, Message>();

// Memory of a pure function: what was sized once is found again. Dropping it changes nothing but time.
function toMessage(message: MessageLike, index: number): Message {
  const id = `message-${index}`;
  const found = known.get(message);
  if (found?.id === id) return found;
  const { role, content } = message;
  const blocks = typeof content === 'string' ? textBlocks(content) : (content as readonly Block[]);
  const made: Message = { id, role: role as Message['role'], content: blocks };
  known.set(message, made);
  return made;
}

const textBlocks = (text: string): readonly Block[] =>
  text === '' ? [] : [{ type: 'text', text }];
