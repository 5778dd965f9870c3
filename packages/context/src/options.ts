import type { createSnip } from '@varve/compact';
import type { createFold } from '@varve/compact/fold';
import type {
  Block,
  Entry,
  JsonObject,
  Origin,
  Request,
  StopReason,
  TextBlock,
  Tool,
  Usage,
} from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import type { CleanUp } from './clean-up.ts';
import type { ContextCompaction } from './compaction/context-compaction.ts';
import type { ContextEvent } from './event.ts';
import type { Layer } from './layer.ts';
import type { ContextMemory } from './memory.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface UserOptions extends CallOptions {
  /**
   * Where it came from, if no person said it: `reminder` for what the agent or a hook puts in, `command` for a command that
   * a person gave. Whoever summarises the conversation sees that no person said it. @default a person
   */
  readonly origin?: Origin | undefined;
}

/** What a model answered. Blank text, and thinking that nothing follows, are left out: no provider takes them back. */
export interface Reply {
  readonly content: readonly Block[];
  /** The provider's id of the response. @default one made of its place in the log */
  readonly id?: string | undefined;
  /** @default the context's model */
  readonly model?: string | undefined;
  readonly stopReason?: StopReason | undefined;
  /** What it was billed; null, or what holds no counts of our shape, is unknown. */
  readonly usage?: Usage | undefined;
  /** The provider's own word on what of the prompt was not in its cache, as a `ModelResponse` of `@varve/models` has it, where it was asked. */
  readonly cacheMiss?: CacheMiss | undefined;
}

/** A cache-miss diagnosis in the provider's words. */
export interface CacheMiss {
  /** E.g. `tools_changed`. */
  readonly word: string;
  readonly missedTokens?: number | undefined;
}

/** What a tool gave: text, blocks, or the bytes of a process or a file. */
export interface ToolOutput {
  readonly toolUseId: string;
  readonly content: string | readonly Block[] | Uint8Array;
  readonly isError?: boolean | undefined;
}

/** A tool's output as it stands in the log. */
export interface ShownOutput extends ToolOutput {
  readonly content: string | readonly Block[];
}

/** Calls the model with a request; rejects with whatever went wrong. Where the signal is aborted, nobody waits for it. */
export type CallModel = (request: Request, options: CallOptions) => Promise<Reply>;

/** Where entries are written. A log of `@varve/transcript/node` fits. */
export interface EntryLog {
  /** Takes all of the entries, or rejects and has taken none: then they come again with the next call. */
  append(...entries: readonly Entry[]): Promise<unknown>;
}

export interface ContextOptions {
  /** Id of the model. One that is not in the table counts as one of 200,000 tokens without prices, unless `models` has its entry. */
  readonly model: string;
  readonly system?: string | readonly TextBlock[] | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** Thinking, betas, effort and whatever else the cached prefix depends on. */
  readonly params?: JsonObject | undefined;
  /**
   * Keeps large results out of the context; its read tool is added to the tools. One storage serves one conversation.
   * @default results go in as they are
   */
  readonly storage?: ToolStorage | undefined;
  /**
   * What edits the log before a request, in order; not where the request comes after a compaction.
   * @default `microcompact` of `@varve/microcompact` as it comes
   */
  readonly layers?: readonly Layer[] | undefined;
  /**
   * What says how likely an old result is needed again, where no `layers` are given: its age and the kind of its tool, or what came
   * later as well (`need`), by weights fitted on recorded sessions. @default 'age'
   */
  readonly clearBy?: 'age' | 'need' | undefined;
  /**
   * Drops whole oldest rounds before a request, without a model; it comes in front of `layers`. `{}` drops what is over 20,000 tokens
   * below the threshold of compaction. @default nothing is dropped
   */
  readonly snip?: Parameters<typeof createSnip>[0];
  /**
   * Turns old small calls into one line each, behind `layers`: what they leave of old rounds is folded where that saves enough. It needs
   * no model; what a person said and what the model found stay word for word. `{}` folds what is twelve requests old.
   * @default nothing is folded
   */
  readonly fold?: Parameters<typeof createFold>[0];
  /** Used by `send`. */
  readonly call?: CallModel | undefined;
  /** @default entries are kept in memory only */
  readonly log?: EntryLog | undefined;
  /** The entries of a log to go on with; they are not written again, and kept as the objects they are. */
  readonly entries?: Iterable<Entry> | undefined;
  /** Entries of one's own; they win over the model table. */
  readonly models?: readonly ModelInfo[] | undefined;
  /** @default the policy of the model; where none is known, that of a provider that caches by itself, without markers */
  readonly policy?: CachePolicy | undefined;
  /**
   * Has the cache keep what stands before the newest edits, and the head, for an hour: these tokens are written once, at a higher price,
   * and outlive pauses. It begins with the request behind the first pause that the policy's own lifetime did not outlive, since
   * that one writes everything again; a session without such a pause pays nothing for it. The end of the prompt is kept as the
   * policy says. Nothing where the policy has no longer lifetime.
   * @default the lifetime of the policy
   */
  readonly stableTtl?: '1h' | undefined;
  /**
   * Largest reply to ask for, thinking included, in tokens; less where the window has no room for it.
   * @default 20,000 beside a thinking budget, never more than the model can reply: an SDK sends that with and without
   * streaming. Longer replies have to be asked for, and streamed
   */
  readonly maxOutputTokens?: number | undefined;
  /**
   * Prompts of so many tokens are not sent: `message-too-large` is thrown, unless a compaction makes the request smaller. It leaves the
   * room that a compaction by hand needs, or ends a conversation early. @default the window of the model alone
   */
  readonly blockingLimitTokens?: number | undefined;
  /**
   * Keeps the conversation within the window of its model, and makes a request that was refused as too long smaller.
   * @default one that outgrows its window is refused by the provider
   */
  readonly compaction?: ContextCompaction | undefined;
  /**
   * Long-term memory: its rules behind the system prompt, its index before the first message, what fits a message as a reminder
   * behind it, and a pass over the conversation behind each answer. Nothing that is cached changes for it, and none of it fails a
   * call. A run that ends should `close`.
   * @default none
   */
  readonly memory?: ContextMemory | undefined;
  /**
   * Run after every kind of compaction, and after every edit that replaces a stretch of the conversation: each resets state
   * of its own, such as what was read of files. They are waited for, five seconds at most; one that throws or hangs is an
   * event. @default none
   */
  readonly cleanUp?: readonly CleanUp[] | undefined;
  /**
   * What is done about secrets such as keys and passwords. `derived`: they are taken out of all that is made of the
   * conversation, of summaries, facts, notes, receipts and events; the messages of the log and what stays in the conversation
   * hold what was said, byte for byte. `on-entry`: they are replaced before anything is stored or appended, so that nothing holds them, the model
   * included. `false`: nothing is done. A `SessionMemory` and a recording client have a switch of their own.
   * @default 'derived'
   */
  readonly redact?: 'derived' | 'on-entry' | false | undefined;
  /** Told what the layers and the compaction did or why they did nothing, and of results that could not be stored. What it throws is ignored. */
  readonly onEvent?: ((event: ContextEvent) => void) | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}
