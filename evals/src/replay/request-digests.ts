import {
  type Block,
  fingerprint,
  type Head,
  isText,
  isToolResult,
  type Message,
  type Request,
  stableStringify,
} from '@varve/messages';
import { createSharedStart } from '@varve/messages/stamps';

/** Tells equal requests from different ones by their bytes, in the cost of what is new. */
export interface RequestDigests {
  /** Reads a part of a request ahead. Throws a `MessagesError` for what is no JSON. */
  read(part: Head | Message): void;
  /** Equal for two requests when head, messages and markers are, byte for byte, and else by a chance of 1 in 2^64. */
  digest(request: Request): string;
  /** Running hashes after each message, the head's first. They hold until the next request is looked at. */
  running(request: Request): readonly number[];
}

/** Creates an empty memory; messages and heads are taken to be immutable. */
export function createRequestDigests(): RequestDigests {
  const numberOf = createNumbers();
  const sharedWithLast = createSharedStart<Message>();
  const hashes: number[] = [];
  const others: number[] = [];
  const advance = ({ head, messages }: Request): void => {
    const first = numberOf(head);
    const known = Math.min(sharedWithLast(messages) + 1, hashes.length);
    const kept = hashes[0] === first ? known : 0;
    hashes.length = kept;
    others.length = kept;
    if (kept === 0) {
      hashes.push(first);
      others.push(first);
    }
    for (let at = hashes.length - 1; at < messages.length; at++) {
      const number = numberOf(messages[at] as Message);
      hashes.push(mix(hashes[at] as number, number, 0x9e3779b1));
      others.push(mix(others[at] as number, number, 0x85ebca6b));
    }
  };
  return {
    read: (part) => void numberOf(part),
    running(request) {
      advance(request);
      return hashes;
    },
    digest(request) {
      advance(request);
      const rest = stableStringify([request.markers, request.server, request.maxOutputTokens]);
      return fingerprint(`${hashes.length} ${hashes.at(-1)} ${others.at(-1)} ${rest}`);
    },
  };
}

/**
 * Numbers heads and messages: two have the same number exactly when their bytes are equal. The one long string that most blocks
 * consist of is looked up as it is, without writing it as JSON.
 */
function createNumbers(): (part: Head | Message) => number {
  const numberOfText = counting();
  const numberOfBlock = remembering((block: Block) => {
    const long = longString(block);
    if (long === undefined) return numberOfText(fingerprint(stableStringify(block)));
    return numberOfText(`${numberOfText(long.text)} ${long.rest}`);
  });
  return remembering((part: Head | Message) => {
    if (!('role' in part)) return numberOfText(fingerprint(stableStringify(part)));
    return numberOfText(`${part.role} ${part.content.map(numberOfBlock).join()}`);
  });
}

/** Only of blocks without any further field: everything else is written out. */
function longString(block: Block): { readonly text: string; readonly rest: string } | undefined {
  const fields = Object.keys(block).length;
  if (isText(block) && fields === 2) return { text: block.text, rest: 'text' };
  if (!isToolResult(block) || fields !== 3 || typeof block.content !== 'string') return undefined;
  return { text: block.content, rest: `result ${block.tool_use_id}` };
}

function counting(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

function remembering<Key extends object>(compute: (key: Key) => number): (key: Key) => number {
  const known = new WeakMap<Key, number>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const number = compute(key);
    known.set(key, number);
    return number;
  };
}

const mix = (hash: number, number: number, factor: number): number =>
  Math.imul(hash ^ number, factor) ^ ((hash >>> 13) + number);
