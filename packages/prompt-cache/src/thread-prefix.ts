import type { Head, Message, Request } from '@varve/messages';
import { createSharedStart } from '@varve/messages/stamps';
import type { HeadParts } from './head-parts.ts';
import type { CachePolicy, Section } from './policy.ts';
import { copyColumns, createColumns, type PrefixColumns, push, restart } from './prefix-columns.ts';
import type { PartIndex } from './prefix-parts.ts';

/** The prefix of a thread's latest request, kept from one request to the next so that only what is new is hashed. */
export interface ThreadPrefix {
  columns: PrefixColumns;
  head: Head | undefined;
  headParts: HeadParts | undefined;
  boundaries: Readonly<Record<Section, string>>;
  messages: Message[];
  sharedWithLast: (messages: readonly Message[]) => number;
  /** Positions up to the end of each message. */
  ends: number[];
  /** How many of the first messages carry an image, and how many citations. */
  images: number[];
  citations: number[];
  /** Positions of tools, and of tools and system prompt, boundaries included. */
  toolsEnd: number;
  headEnd: number;
}

export function createThreadPrefix(): ThreadPrefix {
  return {
    columns: createColumns(),
    head: undefined,
    headParts: undefined,
    boundaries: { tools: '', system: '', messages: '' },
    messages: [],
    sharedWithLast: createSharedStart<Message>(),
    ends: [],
    images: [],
    citations: [],
    toolsEnd: 0,
    headEnd: 0,
  };
}

/** A thread that starts where another one stands. */
export function copyThreadPrefix(thread: ThreadPrefix): ThreadPrefix {
  return {
    ...thread,
    columns: copyColumns(thread.columns),
    messages: [...thread.messages],
    sharedWithLast: createSharedStart(thread.messages),
    ends: [...thread.ends],
    images: [...thread.images],
    citations: [...thread.citations],
  };
}

/**
 * Moves a thread on to its next request. Knows messages by reference and hashes only from the first that differs;
 * afterwards `columns.shared` tells how many positions the two requests have in common.
 */
export function advance(
  thread: ThreadPrefix,
  request: Request,
  { parts, policy }: { readonly parts: PartIndex; readonly policy: CachePolicy },
): void {
  const kept = Math.min(thread.messages.length, thread.sharedWithLast(request.messages));
  truncate(thread, kept);
  for (let index = kept; index < request.messages.length; index++) {
    const { hasImage, hasCitations } = parts.message(request.messages[index] as Message);
    thread.messages.push(request.messages[index] as Message);
    thread.images.push((thread.images[index - 1] ?? 0) + (hasImage ? 1 : 0));
    thread.citations.push((thread.citations[index - 1] ?? 0) + (hasCitations ? 1 : 0));
  }
  const headParts = parts.head(request.head);
  const boundaries = boundariesOf(thread, headParts, policy);
  const sameHead =
    request.head === thread.head &&
    SECTIONS.every((key) => boundaries[key] === thread.boundaries[key]);
  thread.head = request.head;
  thread.headParts = headParts;
  thread.boundaries = boundaries;
  if (sameHead) restart(thread.columns, thread.ends[kept - 1] ?? thread.headEnd);
  else pushHead(thread, parts);
  pushMessages(thread, sameHead ? kept : 0, parts);
}

const SECTIONS: readonly Section[] = ['tools', 'system', 'messages'];

function truncate(thread: ThreadPrefix, length: number): void {
  thread.messages.length = length;
  thread.images.length = length;
  thread.citations.length = length;
}

function boundariesOf(
  thread: ThreadPrefix,
  head: HeadParts,
  { invalidators }: CachePolicy,
): Record<Section, string> {
  const boundaries = { ...head.boundaries };
  if (invalidators.images !== 'none' && (thread.images.at(-1) ?? 0) > 0) {
    boundaries[invalidators.images] += ' images';
  }
  if (invalidators.citations !== 'none' && (thread.citations.at(-1) ?? 0) > 0) {
    boundaries[invalidators.citations] += ' citations';
  }
  return boundaries;
}

function pushHead(thread: ThreadPrefix, parts: PartIndex): void {
  const { columns, boundaries } = thread;
  const { tools, system, looseTokens } = thread.headParts as HeadParts;
  restart(columns, 0);
  push(columns, parts.boundary('tools', boundaries.tools, 0));
  for (const part of tools) push(columns, part);
  thread.toolsEnd = columns.length;
  push(columns, parts.boundary('system', boundaries.system, looseTokens.tools));
  for (const part of system) push(columns, part);
  push(columns, parts.boundary('messages', boundaries.messages, looseTokens.system));
  thread.headEnd = columns.length;
}

function pushMessages(thread: ThreadPrefix, from: number, parts: PartIndex): void {
  const { columns, ends, messages } = thread;
  ends.length = from;
  for (let index = from; index < messages.length; index++) {
    for (const part of parts.message(messages[index] as Message).parts) push(columns, part);
    ends.push(columns.length);
  }
}
