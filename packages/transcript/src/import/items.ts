import type { Block, Head, JsonObject, Message, ToolResultBlock } from '@varve/messages';
import type { ImportSignal } from './types.ts';

/** Something that happened in a thread, in file order. `at` is the record's time where it has one. */
export type ThreadItem =
  | HeadItem
  | AssistantItem
  | UserItem
  | ResultItem
  | NoteItem
  | SpanItem
  | ContentItem;

interface HeadItem {
  readonly kind: 'head';
  readonly head: Head;
  readonly at?: string | undefined;
}

export interface AssistantItem {
  readonly kind: 'assistant';
  /** Replaced when further lines of the same response arrive. */
  message: Message;
  readonly line: number;
}

interface UserItem {
  readonly kind: 'user';
  readonly message: Message;
}

export interface ResultItem {
  readonly kind: 'result';
  readonly message: Message;
  readonly block: ToolResultBlock;
  readonly line: number;
}

interface NoteItem {
  readonly kind: 'note';
  readonly signal: ImportSignal;
  readonly at?: string | undefined;
}

/**
 * A recorded change of what the model sees of the messages so far: `with` stands for them, apart from a kept run. What it
 * was is in `reason`: a compaction, a cleared context, or a conversation taken back to an earlier point.
 */
export interface SpanItem {
  readonly kind: 'span';
  readonly reason: 'recorded-compaction' | 'recorded-clear' | 'recorded-rewind';
  readonly with: readonly Message[];
  /** First and last message of the run that stays; no last one: all up to here. */
  readonly keep?: { readonly fromId: string; readonly toId?: string | undefined } | undefined;
  /** Only this message and what follows it go, apart from what is kept. */
  readonly dropFromId?: string | undefined;
  readonly receipt: JsonObject;
  readonly at?: string | undefined;
}

/** A recorded replacement of the contents of tool results: pruning. */
export interface ContentItem {
  readonly kind: 'content';
  readonly replacements: readonly { readonly messageId: string; readonly block: Block }[];
  readonly receipt: JsonObject;
  readonly at?: string | undefined;
}
