import {
  fingerprint,
  type Head,
  type Message,
  type Request,
  stableStringify,
} from '@varve/messages';

/** Tells equal requests from different ones by their bytes, in the cost of what is new. */
export interface RequestDigests {
  /** Reads a part of a request ahead. Throws a `MessagesError` for what is no JSON. */
  read(part: Head | Message): void;
  /** Equal for two requests exactly when head, messages and markers are, byte for byte. */
  digest(request: Request): string;
  /** Running hashes after each message, the head's first. */
  running(request: Request): readonly number[];
}

/** Creates an empty memory; messages and heads are taken to be immutable. */
export function createRequestDigests(): RequestDigests {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Head | Message, number>();
  const numberOf = (part: Head | Message): number => {
    const found = known.get(part);
    if (found !== undefined) return found;
    const print = fingerprint(stableStringify('role' in part ? [part.role, part.content] : part));
    const number = numbers.get(print) ?? numbers.size;
    numbers.set(print, number);
    known.set(part, number);
    return number;
  };
  const running = ({ head, messages }: Request): readonly number[] => {
    const hashes = [numberOf(head)];
    for (const [at, message] of messages.entries()) {
      hashes.push(mix(hashes[at] as number, numberOf(message)));
    }
    return hashes;
  };
  return {
    read: (part) => void numberOf(part),
    running,
    digest(request) {
      const numbers = [numberOf(request.head), ...request.messages.map(numberOf)];
      const rest = stableStringify([request.markers, request.server, request.maxOutputTokens]);
      return fingerprint(`${numbers.join()} ${rest}`);
    },
  };
}

const mix = (hash: number, number: number): number =>
  Math.imul(hash ^ number, 0x9e3779b1) ^ ((hash >>> 13) + number);
