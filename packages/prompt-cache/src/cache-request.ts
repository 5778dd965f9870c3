import type { Head, Marker, Message, Request, Role } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';

/** A message of anybody's loop: ids are not needed, and content may be a plain text. `Message` and `MessageParam` fit. */
export interface CacheMessage extends MessageLike {
  /** Narrower than that of any message: a request is made of it again. */
  readonly role: Role;
}

/** The least a request has to be for the functions of this package; `Request` fits. */
export interface CacheRequest {
  readonly head: Omit<Head, 'id'>;
  readonly messages: readonly CacheMessage[];
  readonly markers: readonly Marker[];
  readonly server?: Request['server'];
}

/** The same request with every text content as one block; the request itself where there is none. */
export const withBlocks = (request: CacheRequest): Request => createWithBlocks()(request, 0);

/** The same for the requests of a growing history; the first `shared` messages are those of the request before. */
export function createWithBlocks(): (request: CacheRequest, shared: number) => Request {
  let firstText = 0;
  return (request, shared) => {
    const { messages } = request;
    firstText = Math.min(firstText, shared);
    while (firstText < messages.length && !isText(messages[firstText] as CacheMessage)) firstText++;
    if (firstText === messages.length) return request as Request;
    return { ...(request as Request), messages: messages.map(messageWithBlocks) };
  };
}

/** The blocks of a message, a text content as one: the same object each time, because blocks are known by reference. */
export const blocksOf = (message: CacheMessage): Message['content'] =>
  messageWithBlocks(message).content;

const isText = ({ content }: CacheMessage): boolean => typeof content === 'string';

// Memory of a pure function: messages are known by reference, so the same one has to give the same one again.
const known = new WeakMap<CacheMessage, Message>();

function messageWithBlocks(message: CacheMessage): Message {
  if (!isText(message)) return message as Message;
  const found = known.get(message);
  if (found) return found;
  const text = { type: 'text', text: message.content as string };
  const made = { ...message, content: message.content === '' ? [] : [text] } as unknown as Message;
  known.set(message, made);
  return made;
}
