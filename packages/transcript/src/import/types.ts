import type { Entry, MessageResponse } from '@varve/messages';

/** The formats that {@link importSession} reads. `varve` is the log of this project. */
export type SessionFormat =
  | 'claude-code'
  | 'codex'
  | 'copilot-cli'
  | 'opencode'
  | 'pi'
  | 'gemini-cli'
  | 'qwen-code'
  | 'goose'
  | 'atif'
  | 'swe-agent'
  | 'openhands-output'
  | 'varve'
  | 'anthropic-messages'
  | 'openai-chat'
  | 'openai-responses';

/** Something in the file that was not read as it stands; the rest of the file was. */
export interface ImportProblem {
  /** 1-based; for a file that is one JSON value, the line the value starts on. */
  readonly line: number;
  readonly kind: ProblemKind;
  /** What happened and what was done about it, without content of the file. */
  readonly text: string;
  /** Where the session is spread over several files: the one the line is of, if not the session's own. */
  readonly file?: string;
}

/**
 * `torn-record`: cut off, dropped. `bad-json`: not JSON, dropped. `not-a-record`: JSON, but no object. `line-too-long`:
 * above the limit, dropped. `nul-padding`, `byte-order-mark`, `glued-records`, `raw-newline`, `bad-utf8`, `lone-surrogate`,
 * `too-deep`: read after a repair. `duplicate-record`: the same record again, dropped. `reused-id`: kept under another id.
 * `broken-link`: names a record that is not in the file; file order was used. `orphan-result`: a result without its call,
 * kept as text. `late-result`: a result moved up to its call's round. `missing-result`: a call closed with a synthetic
 * result. `missing-start`: a thread, or what a compaction left of it, begins with a reply; a synthetic message stands before it.
 * `bad-record`: a known kind of record that lacks what it needs, dropped. `bad-bill`:
 * a bill that is no object, or in which a count is missing or is none, left out. `unreadable-file`: another file of the session, left out.
 */
export type ProblemKind =
  | 'torn-record'
  | 'bad-json'
  | 'not-a-record'
  | 'line-too-long'
  | 'nul-padding'
  | 'byte-order-mark'
  | 'glued-records'
  | 'raw-newline'
  | 'bad-utf8'
  | 'lone-surrogate'
  | 'too-deep'
  | 'duplicate-record'
  | 'reused-id'
  | 'broken-link'
  | 'orphan-result'
  | 'late-result'
  | 'missing-result'
  | 'missing-start'
  | 'bad-record'
  | 'bad-bill'
  | 'unreadable-file';

/** One conversation of a session, as a log that projects. */
export interface ImportedThread {
  readonly id: string;
  readonly kind: 'main' | 'sub-agent';
  /** The call of another thread that started this one, where the file tells. */
  readonly parentCallId?: string;
  /** The file begins in the middle: what the model saw before is elsewhere. */
  readonly startsMidSession: boolean;
  readonly entries: readonly Entry[];
}

/** Where a session came from: a `fork` begins with a copy of its parent's conversation, a `sub-agent` was started by it. */
export interface SessionParent {
  /** As the parent's own file calls it. */
  readonly id: string;
  readonly kind: 'fork' | 'sub-agent';
}

/** What {@link importSession} makes of a file. */
export interface ImportedSession {
  readonly format: SessionFormat;
  readonly name: string;
  /** What the agent calls the session, where the file tells. */
  readonly id?: string;
  /** The session this one came from, where the file tells. */
  readonly parent?: SessionParent;
  /** At least one; the first is the main thread. A file that holds several tasks has a main thread for each. */
  readonly threads: readonly ImportedThread[];
  /** How often each kind of record, field or block was left unused, by kind (`progress/hook_progress`, `user.cwd`). */
  readonly unused: Readonly<Record<string, number>>;
  readonly problems: readonly ImportProblem[];
}

/**
 * A fact of the recorded session that matters to its cost and is not a message. It is the `data` of a note entry whose
 * `by` is `import`.
 */
export type ImportSignal =
  /** A user turn begins, as the agent itself marks it. */
  | { readonly kind: 'turn-start'; readonly model?: string; readonly effort?: string }
  | { readonly kind: 'turn-aborted' }
  /** The agent's process was started again on this session. */
  | { readonly kind: 'resume'; readonly via: 'hook' | 'synthetic-reply' | 'session-id' | 'record' }
  /** A request failed. `retryAt` is ISO 8601 and says when it was sent again. */
  | {
      readonly kind: 'api-error';
      readonly status?: number;
      readonly attempt?: number;
      readonly retryAt?: string;
    }
  | {
      readonly kind: 'thinking-config';
      readonly level?: string;
      readonly disabled?: boolean;
      readonly maxThinkingTokens?: number;
      readonly effort?: string;
    }
  /** A request on the side re-read the prefix. */
  | { readonly kind: 'away-summary' }
  | { readonly kind: 'agent-change'; readonly agent: string }
  | { readonly kind: 'model-change'; readonly model: string }
  /** Tools or instructions of an MCP server came or went: the head changed. */
  | {
      readonly kind: 'mcp-change';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly readded: readonly string[];
    }
  /** The request of the next assistant message went out at `at` (ISO 8601), not at the time of the last input. */
  | { readonly kind: 'request-start'; readonly at: string }
  | { readonly kind: 'starts-mid-session' }
  /** What the provider said of the next reply: why less of its prompt was read from the cache than of the one before (`system_changed`). */
  | { readonly kind: 'cache-miss'; readonly reason: string; readonly missedTokens?: number }
  /** A billed reply without any content. */
  | { readonly kind: 'empty-reply'; readonly response: ReplyFacts }
  /** The request that wrote a summary, where the agent bills it as a message. */
  | { readonly kind: 'compaction-request'; readonly response: ReplyFacts }
  /** Output of a reply in tokens, in a format that does not bill the prompt. */
  | { readonly kind: 'output-tokens'; readonly messageId: string; readonly outputTokens: number }
  /**
   * What the agent says that all requests to a model came to since its process began; several add up. As it counts: whether `inputTokens` has those
   * read from the cache among them is the agent's own way.
   */
  | {
      readonly kind: 'usage-total';
      readonly model: string;
      readonly requests?: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cacheReadTokens: number;
      readonly cacheWriteTokens: number;
    }
  /** A compaction that the agent recorded as failed. */
  | { readonly kind: 'compaction-failed' };

/** {@link MessageResponse} in the form a note can hold. */
export type ReplyFacts = {
  readonly id: string;
  readonly model: string;
  readonly stopReason: MessageResponse['stopReason'];
  readonly usage?: { readonly [field: string]: number };
};

/** Options of {@link importSession}. */
export interface ImportOptions {
  /** How the session is called in the result and in errors, for example its path. */
  readonly name: string;
  /** Read as this format instead of asking the content. @default told from the content */
  readonly format?: SessionFormat | undefined;
  /** A longer line is dropped and reported. At most 536870888, the longest string. @default 268435456 (256 MiB) */
  readonly maxLineBytes?: number | undefined;
  /** Ends the reading with its reason, an `AbortError` unless one was given. @default none */
  readonly signal?: AbortSignal | undefined;
}
