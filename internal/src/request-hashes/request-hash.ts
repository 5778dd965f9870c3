import { createHash } from 'node:crypto';
import type { Head, Message, Request } from '@varve/messages';

/** Folds the bytes of requests, in the order in which they are sent, into one short digest. */
export interface RequestHash {
  /** Takes a request, or a part of one, as it goes to a provider. */
  request(request: Request): void;
  /** Takes messages of a view. */
  messages(messages: readonly Message[]): void;
  /** Takes any text that a model reads. */
  text(text: string): void;
  /** How many requests were taken. */
  requests(): number;
  /** Of everything that was taken, in 12 hexadecimal digits. */
  digest(): string;
}

/** Starts with nothing taken. */
export function createRequestHash(): RequestHash {
  const hash = createHash('sha256');
  let count = 0;
  const takeMessages = (messages: readonly Message[]): void => {
    for (const message of messages) hash.update(partHash(message));
  };
  return {
    request({ head, messages, markers, maxOutputTokens, server }) {
      count += 1;
      hash.update(partHash(head));
      takeMessages(messages);
      hash.update(JSON.stringify([markers, maxOutputTokens, server ?? null]));
    },
    messages: takeMessages,
    text: (text) => void hash.update(JSON.stringify(text)),
    requests: () => count,
    digest: () => hash.copy().digest('hex').slice(0, 12),
  };
}

// a part that did not change is the same object in the next request
const known = new WeakMap<Head | Message, Buffer>();

/** Of what a provider reads: ids, stamps and sources stay out. */
function partHash(part: Head | Message): Buffer {
  const found = known.get(part);
  if (found !== undefined) return found;
  const bytes = 'role' in part ? [part.role, part.content] : headParts(part);
  const made = createHash('sha256').update(JSON.stringify(bytes)).digest();
  known.set(part, made);
  return made;
}

const headParts = ({ model, system, tools, params }: Head) => [model, system, tools, params];
