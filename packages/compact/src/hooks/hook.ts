import type { Trigger } from '../types.ts';

/** What is about to be compacted, and why. Plain data. */
export interface CompactionStart {
  readonly trigger: Trigger;
  /** The way it is done: `full`, `session-memory`, `partial`, `reactive`, `collapse`, `provider`, or a name of one's own. */
  readonly path: string;
  /** Kebab-case. */
  readonly reason: string;
  /** Thread that is compacted; of a sub-agent its own. */
  readonly threadId: string;
  /** Size of the conversation in tokens. */
  readonly tokensBefore: number;
  /** What the person asked the summary to look at. */
  readonly instructions?: string | undefined;
}

/** How it ended: what after-hooks are told. */
export interface CompactionEnd extends CompactionStart {
  readonly outcome: 'compacted' | 'failed';
  /** Tokens; only of a compaction that was committed. */
  readonly tokensAfter?: number;
  /** Kebab-case; only of one that failed. */
  readonly failure?: string;
}

/** What a hook may say before a compaction. */
export interface BeforeAnswer {
  /** Added behind the person's instructions. */
  readonly instructions?: string;
  /** A line for the person; it never reaches the model. */
  readonly notice?: string;
}

/** What a session-start hook wants the model to know. */
export interface SessionStartAnswer {
  readonly context?: string;
  readonly notice?: string;
}

/** Somebody else's code around a compaction: it may be slow, throw, or answer with garbage, and the compaction goes on. */
export interface Hook<Input, Answer> {
  /** Names the hook in events and warnings. */
  readonly name: string;
  readonly run: (
    input: Input,
    options: { readonly signal: AbortSignal },
  ) => Promise<Answer | undefined> | Answer | undefined;
}

/** Hooks run one after the other, in this order. */
export interface CompactionHooks {
  readonly before?: readonly Hook<CompactionStart, BeforeAnswer>[] | undefined;
  /** Run again because what they said at the start is gone; `source` is always `compact`. */
  readonly sessionStart?:
    | readonly Hook<CompactionStart & { readonly source: 'compact' }, SessionStartAnswer>[]
    | undefined;
  readonly after?: readonly Hook<CompactionEnd, { readonly notice?: string }>[] | undefined;
}

export type HookPhase = 'before' | 'session-start' | 'after';

/** A hook that did not do what hooks do. One for each run of a hook. */
export interface HookWarning {
  readonly phase: HookPhase;
  readonly hook: string;
  /** `too-long`: the head of what it said is used, with a notice. */
  readonly reason: 'timed-out' | 'threw' | 'bad-answer' | 'too-long';
  readonly cause?: unknown;
}
