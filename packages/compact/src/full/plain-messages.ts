import type { Block, Message } from '@varve/messages';
import { blocksOf, type MessageLike } from '@varve/messages/blocks';
import { checkMessages } from '@varve/messages/foreign';

/**
 * Plain messages as those of a log, an id each; a message that is one already stays the same object.
 *
 * @throws MessagesError `foreign-messages` for those of another library.
 * @throws TypeError for what is no message, or no block of one, with its place.
 */
export function toMessages(history: readonly MessageLike[]): readonly Message[] {
  checkMessages(history);
  return history.map((message, index) =>
    isMessage(message) ? message : toMessage(message, index),
  );
}

function isMessage(message: MessageLike): message is Message {
  const { id, content } = message as Partial<Message>;
  return typeof id === 'string' && Array.isArray(content) && content.every(isBlock);
}

interface Known {
  /** A message can be given other content in place. */
  readonly content: MessageLike['content'];
  readonly message: Message;
}

const known = new WeakMap<MessageLike, Known>();

// Memory of a pure function: what was sized once is found again. Dropping it changes nothing but time.
function toMessage(message: MessageLike, index: number): Message {
  const id = `message-${index}`;
  const { role, content } = message;
  const found = known.get(message);
  if (found?.message.id === id && found.content === content) return found.message;
  const blocks = blocksOf(message) as readonly Block[];
  // what else it has says where it came from, and how a reply ended
  const made: Message = { ...message, id, role: role as Message['role'], content: blocks };
  known.set(message, { content, message: made });
  return made;
}

const isBlock = (block: unknown): boolean => typeof block === 'object' && block !== null;
