import { expected, isRecord } from '@varve/guards';
import {
  type Block,
  blocksOf,
  type Message,
  type MessageLike,
  refuseForeign,
} from '@varve/messages';

/**
 * Plain messages as those of a log, an id each; a message that is one already stays the same object.
 *
 * @throws MessagesError `foreign-messages` for those of another library.
 * @throws TypeError for a message whose content is neither a text nor a list of blocks.
 */
export function toMessages(history: readonly MessageLike[]): readonly Message[] {
  if (!Array.isArray(history)) throw expected('history', { what: 'a list of messages' }, history);
  const odd = history.findIndex((message) => !isRecord(message));
  if (odd >= 0) throw expected(`history[${odd}]`, { what: 'a message' }, history[odd]);
  refuseForeign(history);
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
  checkContent(content, index);
  const blocks = blocksOf(message) as readonly Block[];
  // what else it has says where it came from, and how a reply ended
  const made: Message = { ...message, id, role: role as Message['role'], content: blocks };
  known.set(message, { content, message: made });
  return made;
}

function checkContent(content: unknown, index: number): void {
  if (typeof content === 'string' || (Array.isArray(content) && content.every(isBlock))) return;
  throw new TypeError(
    `Expected the \`content\` of message ${index} to be a text or a list of blocks.`,
  );
}

const isBlock = (block: unknown): boolean => typeof block === 'object' && block !== null;
