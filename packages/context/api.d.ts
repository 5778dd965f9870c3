// compaction/context-compaction.d.ts
import type { CleanUpHandlers, CompactionOptions, CompactionReceipt, PipelineOptions, Restoration, RestoreOptions } from '@varve/compact';
import type { Usage } from '@varve/messages';
import type { NotesCompactionOptions, SessionMemory } from '@varve/session-memory';
/** How a conversation is kept within its window: what `createCompaction` of `@varve/compact` takes, and what goes around it. */
export interface ContextCompaction extends Omit<CompactionOptions, 'models'>, Pick<PipelineOptions, 'hooks' | 'hookTimeoutMs' | 'startTimer'> {
    /** Notes that stand in for a summary where they can, so that no model is called. @default a summary each time */
    readonly notes?: ContextNotes | undefined;
    /**
     * Brings back what work goes on with; called once a summary stands. `restore` of `@varve/compact` does it:
     * `(given) => restore({ reads }, { ...given, readFile })`. Where it throws, nothing is attached. @default nothing
     */
    readonly restore?: RestoreAfter | undefined;
    /** Resets state of one's own that a compaction made wrong. */
    readonly cleanUp?: CleanUpHandlers | undefined;
    /** Names the conversation to hooks and events. @default 'main' */
    readonly threadId?: string | undefined;
    /** Compact at this share of the window that a conversation can fill, above 0 and up to 100; never later than by default. */
    readonly percent?: number | undefined;
}
/** Whose notes, and what of them is put in. The context feeds them and tells them of each reply. */
export interface ContextNotes extends Omit<NotesCompactionOptions, 'memory' | 'attachments'> {
    readonly memory: Pick<SessionMemory, 'observe' | 'snapshot' | 'afterResponse'>;
}
/** Gives the messages to attach, and which files they show. */
export type RestoreAfter = (given: Omit<RestoreOptions, 'readFile' | 'limits'>) => Promise<Pick<Restoration, 'messages' | 'restored'>>;
export interface CompactNowOptions {
    /** What the summary is to look at; with one, notes do not stand in. */
    readonly focus?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
/** What came of a compaction. */
export type CompactionOutcome = {
    readonly kind: 'compacted';
    readonly summary: string;
    /** As it stands in the log. */
    readonly receipt: CompactionReceipt;
} | {
    readonly kind: 'failed';
    /**
     * Kebab-case: why a compaction of `@varve/compact` failed, or `disabled`, by the switches; `outdated`, the conversation
     * changed meanwhile; `edit-refused`; `error`, something threw: see `cause`.
     */
    readonly reason: string;
    readonly cause?: unknown;
    /** Calls of the model that were made all the same, and their bill. */
    readonly calls?: number | undefined;
    readonly usage?: Usage | undefined;
};

// create-context.d.ts
import type { Block, Entry, Json, Message, Request, View } from '@varve/messages';
import type { ContextSize } from '@varve/tokens';
import type { CompactionOutcome, CompactNowOptions } from './compaction/context-compaction.ts';
import type { CallOptions, ContextOptions, Reply, ToolOutput } from './options.ts';
/**
 * A conversation and the layers around it. Calls take effect in the order in which they are made, each wholly or not at
 * all. So what a call runs, be it `call`, a summary, a hook or a store, must not await another call of the same context,
 * which waits for it in turn (only a hook has a timeout); `note` it may, but for the log. With a log, every call but `size`,
 * `view` and `entries` throws `not-written` where the log refuses.
 */
export interface Context {
    /**
     * Adds what a person said; a huge text is stored and shown by its preview, where there is a storage. Throws
     * `empty-message` and `malformed-message`.
     */
    user(content: string | readonly Block[], options?: CallOptions): Promise<Message>;
    /**
     * The next request: the conversation is compacted if it was time, or else the layers have run, and the edits are in the
     * log. One that is never answered leaves the messages as they were; the edits stay, since the provider may have cached them.
     * Throws `open-round` and `nothing-to-send`.
     */
    request(options?: CallOptions): Promise<Request>;
    /** Adds the answer to the last request. Throws `empty-reply`, `malformed-reply` and `stale-reply`. */
    reply(reply: Reply): Promise<Message>;
    /** Adds what tools gave, of one round or of a part of it; large outputs are stored. Throws `unknown-call` and `malformed-result`. */
    results(outputs: readonly ToolOutput[], options?: CallOptions): Promise<readonly Message[]>;
    /**
     * `request`, the option `call`, and `reply`. A request that is refused as too long is made smaller and sent again, with the
     * option `compaction`. Rejects as `call` does, or at once where the signal is aborted; the messages are then as they
     * were, or compacted.
     */
    send(options?: CallOptions): Promise<Message>;
    /**
     * Compacts now, whatever the size. A failure is an outcome, and the conversation is then as it was. Throws
     * `no-compaction`.
     */
    compact(options?: CompactNowOptions): Promise<CompactionOutcome>;
    /**
     * Makes the next request smaller after one was refused with this error; true where it is worth sending. For a model call
     * of one's own: `send` does it by itself. False without the option `compaction`.
     */
    recover(error: unknown, options?: CallOptions): Promise<boolean>;
    /** Closes calls that will get no result with one that says why, e.g. `aborted`. Throws a `TypeError` for a blank reason. */
    closeRound(reason: string): Promise<readonly Message[]>;
    /**
     * Adds a note, which no model sees: the checkpoints of session notes, or what a fold of one's own needs. It waits for no
     * other call.
     */
    note(note: {
        readonly by: string;
        readonly data: Json;
    }): Promise<void>;
    /** Tries again to write what the log refused. */
    flush(): Promise<void>;
    /** Prompt tokens of the next request. */
    size(): ContextSize;
    view(): View;
    /** Everything since the beginning, in order: `entries` of another context goes on from here, or another way. */
    entries(): readonly Entry[];
}
/**
 * Starts a conversation, or goes on with one. Throws a `MessagesError` for entries that are no log, and a `TypeError` or
 * `RangeError` for options that make no sense.
 */
export declare function createContext(options: ContextOptions): Context;

// default-layers.d.ts
import { type ModelInfo } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import type { Layer } from './layer.ts';
export interface DefaultLayersOptions {
    /** Names what is cleared, so that the model can read it back. @default what is cleared can only be had anew */
    readonly storage?: Pick<ToolStorage, 'handleOf'> | undefined;
}
/** The layers of a context that names none. */
export declare function defaultLayers({ tokenizer }: ModelInfo, { storage }?: DefaultLayersOptions): readonly Layer[];

// error.d.ts
/**
 * `open-round`: tool calls still wait for their results. `unknown-call`: a result for a call that nobody waits for.
 * `nothing-to-send`: the conversation does not end with something for the model to answer. `no-call`: `send` without the
 * option `call`. `empty-message`, `empty-reply`: there is nothing in it, and no provider takes that.
 * `malformed-message`, `malformed-reply`, `malformed-result`: not of the shape that is asked for; in the log it would have
 * every later request refused. `not-written`: the log refused; what was added stays and is written by the next call.
 * `no-compaction`: `compact` without the option `compaction`. `stale-reply`: the conversation was compacted since the
 * request, and the reply's thinking is bound to what is gone.
 */
export type ContextErrorCode = 'open-round' | 'unknown-call' | 'nothing-to-send' | 'no-call' | 'empty-message' | 'empty-reply' | 'malformed-message' | 'malformed-reply' | 'malformed-result' | 'not-written' | 'no-compaction' | 'stale-reply';
declare const MARK: unique symbol;
/** What this package throws; but for `not-written` the conversation is then as it was. */
export declare class ContextError extends Error {
    readonly code: ContextErrorCode;
    readonly [MARK] = true;
    constructor(code: ContextErrorCode, message: string, options?: ErrorOptions);
    /** Recognises the error across duplicate copies of the package. */
    static is(value: unknown): value is ContextError;
}
export {};

// event.d.ts
import type { CompactionEvent, Producer } from '@varve/compact';
import type { LayerEvent } from './layer.ts';
/** What the layers and the compaction did, or why they did nothing. */
export type ContextEvent = LayerEvent | CompactionNews;
/** What only a compaction has to say; what it edited, why it did not, and what failed are events of a layer, too. */
export type CompactionNews = {
    readonly layer: 'compact';
} & ({
    readonly kind: 'progress';
    readonly event: CompactionEvent;
}
/**
 * Automatic compaction stops until the person speaks: each one was full again at once. The tools that fill the
 * conversation, the largest first.
 */
 | {
    readonly kind: 'paused';
    readonly reason: 'no-headroom';
    readonly producers: readonly Producer[];
}
/** A request was refused as too long; the next one is smaller, and nobody else was shown the error. */
 | {
    readonly kind: 'recovered';
    readonly step: 'committed' | 'stripped' | 'compacted';
    readonly cause: unknown;
});
export type Tell = (event: ContextEvent) => void;

// index.d.ts
export type { CompactionOutcome, CompactNowOptions, ContextCompaction, ContextNotes, RestoreAfter, } from './compaction/context-compaction.ts';
export { type Context, createContext } from './create-context.ts';
export { type DefaultLayersOptions, defaultLayers } from './default-layers.ts';
export { ContextError, type ContextErrorCode } from './error.ts';
export type { CompactionNews, ContextEvent } from './event.ts';
export type { Layer, LayerEvent } from './layer.ts';
export { createLayeredLog, type EditContext, type Edited, type LayeredLog, type LayeredLogOptions, } from './layered-log.ts';
export type { CallModel, CallOptions, ContextOptions, EntryLog, Reply, ToolOutput, } from './options.ts';

// layer.d.ts
import type { Planner } from '@varve/messages';
/** A planner and the name that its edits carry in the log (`by`). */
export interface Layer {
    readonly name: string;
    readonly planner: Planner;
}
/**
 * What a layer did, or why it did nothing. Reasons are kebab-case. The context itself edits as `context`, for `other-head`:
 * thinking that is bound to another model, system prompt or tools goes.
 */
export type LayerEvent = {
    readonly layer: string;
} & ({
    readonly kind: 'idle';
    readonly reason: string;
} | {
    readonly kind: 'edited';
    readonly reason: string;
    readonly entryIds: readonly string[];
    /** Index of the first message of the view that the edits changed: the cached prefix ends before it. */
    readonly changedFrom: number;
}
/** The layer gave way; the conversation goes on without what it would have done. */
 | {
    readonly kind: 'failed';
    /**
     * `plan-threw`, `edit-refused`: asked again before the next request. `observe-threw`, `frontier-threw`: it does not
     * know the log any more and is not asked again. From `tool-storage`: why a result could not be stored, e.g. `disk-full`.
     */
    readonly reason: string;
    readonly cause?: unknown;
});

// layered-log.d.ts
import { type Entry, type PlanContext, type View } from '@varve/messages';
import type { Layer, LayerEvent } from './layer.ts';
/** A log and the layers that edit it. Nothing here is asynchronous, and the caller keeps the entries. */
export interface LayeredLog {
    /**
     * Takes the next entry, shows it to every layer and returns the view after it. Throws a `MessagesError` for an entry
     * that may not come next; nothing has changed then. A layer that throws is left out from then on.
     */
    append(entry: Entry): View;
    view(): View;
    /** An id that neither an entry nor a message has yet; the same log gives the same one. */
    nextId(kind: string): string;
    /** Lets each layer look at the view the ones before it left, and appends their edits. A layer that throws gives way. */
    edit(context: EditContext): Edited;
    /**
     * Message indices at which markers are worth parking, the most important first: where the newest edit began, where the
     * next one can begin, and where the one before the newest began.
     */
    parkedAt(): readonly number[];
}
export interface EditContext {
    /** What a layer is told; asked once for each layer, with the view it finds. */
    readonly plan: (view: View) => PlanContext;
    /** ISO 8601, UTC: when the edits are made. */
    readonly at: string;
}
export interface Edited {
    /** The edits that were appended, in order. */
    readonly entries: readonly Entry[];
    readonly events: readonly LayerEvent[];
}
export interface LayeredLogOptions {
    /** In the order in which they run. */
    readonly layers: readonly Layer[];
    /** Called with each entry that was appended and the view after it, before any layer sees it. It must not throw. */
    readonly onEntry?: ((entry: Entry, view: View) => void) | undefined;
}
/** Creates an empty log with layers on it. */
export declare function createLayeredLog({ layers, onEntry }: LayeredLogOptions): LayeredLog;

// options.d.ts
import type { Block, Entry, JsonObject, Request, StopReason, TextBlock, Tool, Usage } from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import type { ContextCompaction } from './compaction/context-compaction.ts';
import type { ContextEvent } from './event.ts';
import type { Layer } from './layer.ts';
export interface CallOptions {
    readonly signal?: AbortSignal | undefined;
}
/** What a model answered. Blank text, and thinking that nothing follows, are left out: no provider takes them back. */
export interface Reply {
    readonly content: readonly Block[];
    /** The provider's id of the response. @default one made of its place in the log */
    readonly id?: string | undefined;
    /** @default the context's model */
    readonly model?: string | undefined;
    readonly stopReason?: StopReason | undefined;
    readonly usage?: Usage | undefined;
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
    /** Id of the model. One that is not in the table needs its entry in `models`, or counts as unknown. */
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
    /** Used by `send`. */
    readonly call?: CallModel | undefined;
    /** @default entries are kept in memory only */
    readonly log?: EntryLog | undefined;
    /** The entries of a log to go on with; they are not written again. */
    readonly entries?: Iterable<Entry> | undefined;
    /** Entries of one's own; they win over the model table. */
    readonly models?: readonly ModelInfo[] | undefined;
    /** @default the policy of the model; where none is known, that of a provider that caches by itself, without markers */
    readonly policy?: CachePolicy | undefined;
    /** Largest reply to ask for, in tokens; less where the window has no room for it. @default the model's maximum, or 32,000 */
    readonly maxOutputTokens?: number | undefined;
    /**
     * Keeps the conversation within the window of its model, and makes a request that was refused as too long smaller.
     * @default one that outgrows its window is refused by the provider
     */
    readonly compaction?: ContextCompaction | undefined;
    /** Told what the layers and the compaction did or why they did nothing, and of results that could not be stored. What it throws is ignored. */
    readonly onEvent?: ((event: ContextEvent) => void) | undefined;
    /** Milliseconds since 1970. @default Date.now */
    readonly now?: (() => number) | undefined;
}
