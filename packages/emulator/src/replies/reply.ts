import type { Block, JsonObject, Request, StopReason } from '@varve/messages';

/** Whose wire format a request speaks. */
export type ProviderName = 'anthropic' | 'openai-chat' | 'openai-responses';

/** One call for words: the request as every package here knows it, and as it came. */
export interface ReplyCall {
  readonly provider: ProviderName;
  /** `compaction`: a summary of the messages is asked for, not the next one. */
  readonly purpose: 'message' | 'compaction';
  readonly request: Request;
  /** The parsed body. */
  readonly body: JsonObject;
  /** Counts replies of this emulator from 0; compactions are counted apart. */
  readonly index: number;
}

export interface ReplyMessage {
  /** Blocks of the Messages API; `id` of a call and `signature` of thinking may be left out. */
  readonly content: readonly Block[];
  /** @default `tool_use` where a call is among the blocks, else `end_turn` */
  readonly stopReason?: StopReason | undefined;
  /** Tokens. @default an estimate */
  readonly outputTokens?: number | undefined;
}

/** A text, or blocks. */
export type ReplyLike = string | ReplyMessage;

/** Who writes the replies. */
export type Replies = (call: ReplyCall) => ReplyLike | Promise<ReplyLike>;

export function toReplyMessage(reply: ReplyLike): ReplyMessage {
  if (typeof reply !== 'string') return reply;
  return { content: reply === '' ? [] : [{ type: 'text', text: reply }] };
}
