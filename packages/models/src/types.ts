import type { Block, Request, StopReason, Usage } from '@varve/messages';
import type { CacheMiss } from './cache-miss.ts';
import type { RateLimit } from './rate-limits.ts';

/** Sends requests to one provider. Everything a provider says differently is normalised here, and its own words are kept. */
export interface ModelClient {
  /** `anthropic`, `openai-chat`, `openai-responses`, or a name of one's own. */
  readonly provider: string;
  /** Prepares a request; it is sent when the stream is first read. */
  stream(request: Request, options?: StreamOptions): ModelStream;
  /**
   * The provider's own count of a request's input, in tokens, after server-side edits.
   *
   * @throws ModelError
   * @throws the signal's reason, an `AbortError` unless one was given
   */
  countTokens?(request: Request, options?: CountTokensOptions): Promise<number>;
}

export interface CountTokensOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface StreamOptions {
  /** Ends the request, which rejects with the reason, an `AbortError` unless one was given; nothing is emitted after. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest wait in milliseconds, for an answer to begin (of each attempt, while the SDK retries) and then for each event:
   * `timeout` before the first, `stream-broken` after. @default the SDK's own for the beginning, none between events
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Asks for the provider's cache-miss diagnosis against an earlier response, by its id; `null` opts in on a first turn.
   * Ignored by `openai-chat`, which has none. @default not asked
   */
  readonly compareWith?: string | null | undefined;
}

/**
 * One answer as it arrives. Read it as events, or only wait for `response()`; both is fine, in any order. Leaving the
 * loop early ends the request.
 */
export interface ModelStream extends AsyncIterable<ModelEvent> {
  /**
   * The whole answer; reads what is left of the stream.
   *
   * @throws ModelError
   * @throws the signal's reason, an `AbortError` unless one was given
   */
  response(): Promise<ModelResponse>;
}

/** Blocks are numbered in the order in which they began; `block-end` carries the whole block. */
export type ModelEvent =
  | {
      readonly type: 'response-start';
      readonly id: string;
      readonly model: string;
      /** What is billed however the answer ends, where the provider says so before it: the prompt. */
      readonly usage?: Usage;
    }
  | {
      readonly type: 'block-start';
      readonly index: number;
      readonly blockType: string;
      /** Of a tool call. */
      readonly id?: string;
      readonly name?: string;
    }
  | { readonly type: 'text-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly index: number; readonly text: string }
  /** A piece of a call's input: JSON that is not whole before `block-end`. */
  | { readonly type: 'input-delta'; readonly index: number; readonly json: string }
  | { readonly type: 'block-end'; readonly index: number; readonly block: Block }
  | { readonly type: 'response-end'; readonly response: ModelResponse };

/** A whole answer. */
export interface ModelResponse {
  readonly id: string;
  readonly model: string;
  readonly content: readonly Block[];
  readonly stopReason: StopReason;
  /** The provider's own word for it. */
  readonly providerStopReason?: string;
  /** What the provider adds to it, of a refusal above all. */
  readonly stopDetails?: unknown;
  readonly usage: Usage;
  readonly requestId?: string;
  /** A tool call that the token limit cut: it is not in `content`, because its input is half JSON. */
  readonly cutCall?: CutCall;
  /** Server-side edits that were applied, as Anthropic's `context_management.applied_edits`. */
  readonly appliedEdits?: readonly unknown[];
  /** What the provider changed in the input before the model saw it, as Anthropic's `input_transformations`. */
  readonly inputTransformations?: readonly unknown[];
  /** Usage per sampling pass; with a server-side compaction the bill is their sum, not `usage`. */
  readonly iterations?: readonly unknown[];
  /** Why the cache missed, in the provider's words; only where `compareWith` asked. */
  readonly cacheMiss?: CacheMiss;
  readonly rateLimits?: readonly RateLimit[];
  /** Signs that the prompt was larger than the window although no error says so. */
  readonly overflow?: SilentOverflow;
}

export interface CutCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/**
 * `usage-above-window`: more prompt tokens were billed than the window holds. One report can be wrong; check it against
 * an estimate before acting. `no-room-for-output`: the answer ended at its first token with the window full.
 */
export interface SilentOverflow {
  readonly kind: 'usage-above-window' | 'no-room-for-output';
  readonly promptTokens: number;
  readonly windowTokens: number;
}
