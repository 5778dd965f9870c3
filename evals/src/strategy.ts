import type { Head, Message, Request } from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';

/** What a strategy knows of the session it is about to manage. Everything in it is frozen. */
export interface StrategyContext {
  readonly head: Head;
  /** The model the session is priced as. */
  readonly model: ModelInfo;
  /** Context window in tokens. */
  readonly window: number;
  readonly policy: CachePolicy;
  /** Tokens of a message or of a head. */
  readonly sizeOf: (part: Message | Head) => number;
  /** When the request that is asked for is sent, in milliseconds since 1970. */
  readonly now: () => number;
}

/** One session under a strategy. */
export interface StrategyRun {
  /** Takes the next message of the past; it is frozen, and it comes once. */
  add(message: Message): void;
  /**
   * The request to send now. Where it has no markers, the replay places those that `placeMarkers` of
   * `@varve/prompt-cache` would.
   */
  request(): Request;
  /** Waited for before each `request()`: for what cannot be worked out at once, such as a library's promises. */
  prepare?(): Promise<void>;
  /** Asked after each `request()`: where it changes what the one before it sent; undefined where it only adds. */
  announced?(): Announcement | undefined;
  /**
   * Waited for after each reply was added: for work between two requests, such as notes. What comes next is not known yet,
   * and `now()` is still the time of the request that was answered.
   */
  replied?(): Promise<void>;
  /**
   * Asked after each reply and each `request()`: what was sent for the strategy itself since it was asked last, such as
   * requests for summaries and notes, in order. They are checked and priced, and read and fill the same cache; each was
   * sent when `now()` says.
   */
  calls?(): readonly OwnCall[];
  /** Waited for once nothing more is asked of the run: ends what goes on beside it. */
  close?(): Promise<void>;
}

/** A request that a strategy sends for itself. */
export interface OwnCall {
  readonly request: Request;
  /** Tokens of the reply. */
  readonly outputTokens: number;
  /** No model ever wrote this reply: something else stands for it. @default false */
  readonly isStandIn?: boolean | undefined;
}

/** A change of what was sent before, by intent. Breaks of the prefix that nobody announced are counted apart. */
export interface Announcement {
  /** Index of the first message that differs from the request before; -1: the tools or the system prompt. */
  readonly from: number;
  /** Kebab-case. */
  readonly reason: string;
  /** Whether a summary took the place of old conversation. @default false */
  readonly isCompaction?: boolean | undefined;
}

/** A way to manage context. A file holds one as its default export. */
export interface Strategy {
  /** Stands in tables: letters, digits, `-`, `+`, `_` and `.`. */
  readonly name: string;
  /** Called once per session; two runs share nothing. */
  create(context: StrategyContext): StrategyRun;
}
