// apply-layer.d.ts
import { type Plan, type PlanContext } from '@varve/messages';
import type { Keeper } from './keeper.ts';
import type { Layer } from './layer.ts';
/** What became of a layer that was run by hand. */
export type AppliedLayer = {
    readonly kind: 'edited';
    readonly reason: string;
} | {
    readonly kind: 'none';
    readonly reason: string;
};
export interface ApplyLayerOptions {
    readonly keeper: Keeper;
    readonly planContext: () => PlanContext;
    readonly at: () => string;
    readonly commit: (layer: string, plan: Plan) => Promise<boolean>;
    readonly signal: AbortSignal | undefined;
}
/** Shows a layer the whole log, has it do its work, and puts its plan in force. */
export declare function applyLayer({ name, planner }: Layer, { keeper, planContext, at, commit, signal }: ApplyLayerOptions): Promise<AppliedLayer>;

// cache-watch.d.ts
import { type Entry, type Head, type Message, type Request, type View } from '@varve/messages';
import { type BreakDetector, type CacheBreak } from '@varve/prompt-cache';
import { type SplitBill } from '@varve/prompt-cache/server';
import type { ModelInfo } from '@varve/tokens';
import type { Tell } from './event.ts';
import type { ModelFacts } from './model-facts.ts';
import type { ContextOptions } from './options.ts';
type BreakMeasures = ReturnType<BreakDetector['measures']>;
/** The last request that was answered, as it was sent, and the answer. */
export interface AnsweredRequest {
    readonly request: Request;
    readonly startedAtMs: number;
    readonly reply: Message;
}
/** Watches billed replies for cached tokens that were not read, and knows which of them were to be expected. */
export interface CacheWatch {
    /** Takes the next entry and the view after it, before any layer has seen it. */
    observe(entry: Entry, view: View): void;
    /** The request that the next entry answers, where it is at hand; else it is made again from the log. */
    answering(request: Request): void;
    /** Reads a request that was sent, so that the bill of its answer is looked at faster. */
    readSent(request: Request): void;
    answered(): AnsweredRequest | undefined;
    /** Lifetime of the markers before the end of the prompt in a request that starts now. */
    stableTtl(startedAtMs: number): MarkerTtl;
    /** The head with an id, as the log has it. */
    headOf(id: string): Head | undefined;
    measures(): BreakMeasures;
    /** What the bill of the last answer said was lost, by cause; empty where nothing was. */
    lastBreaks(): readonly CacheBreak[];
    /** What replies were billed, by what their prompts were made of. */
    bill(): SplitBill;
}
/** Of the markers before the end of the prompt, where they outlive it. */
export type MarkerTtl = ContextOptions['stableTtl'];
export interface CacheWatchOptions {
    readonly factsOf: (model: string) => ModelFacts;
    /** The request that a view of the log makes, with markers of this lifetime. */
    readonly requestOf: (view: View, facts: ModelFacts, stableTtl: MarkerTtl) => Request;
    /** What `stableTtl` gives once the session has paused for longer than the cache keeps anything. */
    readonly stableTtl: MarkerTtl;
    /** Entries of one's own; they win over the model table. */
    readonly models?: readonly ModelInfo[] | undefined;
    readonly tell: Tell;
    /** False while an earlier log is read: what it shows was told when it happened. */
    readonly isLive: () => boolean;
}
/**
 * Creates the watch of one conversation. A provider caches each model apart, so each has a detector; an edit is announced to
 * all of them, since all of them will find the other bytes.
 */
export declare function createCacheWatch({ factsOf, requestOf, stableTtl: ttlAfterPause, models, tell, isLive, }: CacheWatchOptions): CacheWatch;
export {};

// clean-up.d.ts
import type { cleanUpAfter } from '@varve/compact/pipeline';
import type { PipelineOptions } from './compaction/context-compaction.ts';
import type { Tell } from './event.ts';
type StartTimer = NonNullable<PipelineOptions['startTimer']>;
type CommittedCompaction = Parameters<typeof cleanUpAfter>[0];
/** What made a stretch of the conversation something else, and what stands there now. */
export interface CleanUpOccasion extends CommittedCompaction {
    /** `compact`, the name of a layer, or who called `edit`. */
    readonly by: string;
    /** Of the edit. */
    readonly reason: string;
}
/** Resets state of one's own that a compaction made wrong, such as what was read of files. */
export type CleanUp = (occasion: CleanUpOccasion) => unknown;
export interface CleanUpOptions {
    readonly cleanUp: readonly CleanUp[];
    readonly startTimer: StartTimer;
    readonly tell: Tell;
}
/** How long a conversation waits for its clean-up, in milliseconds. */
export declare const CLEAN_UP_MS = 5000;
/**
 * Runs every function of the list, all at once, and waits until they are done, for a few seconds at most. Neither one that
 * throws nor one that hangs keeps another from running, nor the conversation from going on.
 */
export declare function createCleanUp({ cleanUp, startTimer, tell }: CleanUpOptions): (occasion: CleanUpOccasion, signal?: AbortSignal) => Promise<void>;
export declare const startPlatformTimer: StartTimer;
export {};

// compact-or-clear.d.ts
import type { Entry, PlanContext, View } from '@varve/messages';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { Edited } from './layered-log.ts';
export interface CompactOrClearOptions {
    readonly keeper: Keeper;
    readonly tell: Tell;
    readonly now: () => number;
    /** What a layer is told of a view. */
    readonly planContext: (view: View) => PlanContext;
    /** Compacts if it is time, and says whether it did. */
    readonly compact?: ((signal: AbortSignal | undefined) => Promise<boolean>) | undefined;
    /** Runs after an edit that replaced a stretch of the conversation. */
    readonly cleanUp: (edit: EditMade, signal: AbortSignal | undefined) => Promise<void>;
}
type EditMade = Pick<Extract<Entry, {
    readonly type: 'edit';
}>, 'by' | 'reason'>;
/**
 * What makes a conversation smaller before a request. Layers with work come first: what they fold need not be compacted. A
 * compaction that is due comes next, and then no other layer clears: its edits would cost the summary's request the cached
 * prefix, of a conversation that the summary replaces anyway (docs/decisions/0005). Else the layers clear.
 */
export declare function createCompactOrClear(options: CompactOrClearOptions): {
    edited: ({ entries, events }: Edited, signal?: AbortSignal) => Promise<void>;
    compactOrClear(signal: AbortSignal | undefined): Promise<void>;
};
export {};

// compaction/collapse-layer.d.ts
import { createCollapse } from '@varve/compact';
import type { Request } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { LayerPlanner } from '../layer.ts';
import type { Enter } from '../redact-entry.ts';
import { type AddedUsage } from '../usage.ts';
import type { ContextCompaction } from './context-compaction.ts';
type CollapseOptions = Parameters<typeof createCollapse>[0];
/** Folding, as an option of a context: what `createCollapse` takes, but for what the context knows. */
export type ContextCollapse = Omit<CollapseOptions, 'summarize' | 'sizeOfText' | 'isMainThread' | 'mark' | 'models' | 'originals' | 'redact'> & {
    /** Writes the summaries of what is folded. @default that of the compaction, which must not be `'ledger'` then */
    readonly summarize?: CollapseOptions['summarize'] | undefined;
};
export interface CollapseLayerOptions {
    readonly compaction: ContextCompaction;
    readonly mark: (request: Request) => Request;
    /** Entries of one's own for the model table. */
    readonly models: readonly ModelInfo[] | undefined;
    /** Tokens of a text. */
    readonly textSize: (text: string) => number;
    readonly redact: boolean;
    readonly enter: Enter;
    /** Notes what a summary was billed, whether it is used or not. */
    readonly addBill: (bill: AddedUsage) => void;
}
/** A layer that folds old stretches of work before a compaction has to replace all of them. */
export interface CollapseLayer {
    readonly name: 'collapse';
    readonly planner: LayerPlanner;
    /** Commits what is staged, whatever the size. */
    readonly recover: ReturnType<typeof createCollapse>['recover'];
}
export declare function createCollapseLayer(options: CollapseLayerOptions): CollapseLayer | undefined;
export {};

// compaction/context-compaction.d.ts
import type { CompactionFailed, CompactionOptions, CompactionReceipt, Compactor, createProviderCompaction, restore } from '@varve/compact';
import type { cleanUpAfter, createCompactionPipeline } from '@varve/compact/pipeline';
import type { createNotesCompaction, SessionMemory } from '@varve/session-memory';
import type { ContextCollapse } from './collapse-layer.ts';
type NotesCompactionOptions = Parameters<typeof createNotesCompaction>[0];
export type CleanUpHandlers = Parameters<typeof cleanUpAfter>[1];
export type PipelineOptions = NonNullable<Parameters<typeof createCompactionPipeline>[0]>;
export type NowOptions = Parameters<Compactor['planNow']>[1];
/** How a conversation is kept within its window: what `createCompaction` of `@varve/compact` takes, and what goes around it. */
export interface ContextCompaction extends Omit<CompactionOptions, 'models' | 'redact'>, Pick<PipelineOptions, 'hooks' | 'hookTimeoutMs' | 'startTimer'> {
    /**
     * Notes that stand in for a summary where they can, so that nobody waits for one. Taking them costs a call every few thousand tokens:
     * in a replay of 36 recorded sessions from a third to two fifths more than the session without them. @default a summary each time
     */
    readonly notes?: ContextNotes | undefined;
    /**
     * Folds old stretches of work one by one, each into a summary that can be unfolded by `undo`; `{}` takes what `createCollapse` of
     * `@varve/compact` does by itself. Stretches are summarised in the background as the window fills, and put in force before a
     * compaction would be due. Its edits and notes stand in the log by `collapse`. @default nothing is folded
     */
    readonly collapse?: ContextCollapse | undefined;
    /**
     * Has the provider compact, as `createProviderCompaction` of `@varve/compact` does; where it fails, a summary is written. Not
     * with a `focus` or one side, and not after a request was refused as too long. @default a summary each time
     */
    readonly byProvider?: Parameters<typeof createProviderCompaction>[0] | undefined;
    /**
     * Brings back what work goes on with; called once a summary stands. `restore` of `@varve/compact` does it:
     * `(given) => restore({ reads }, { ...given, readFile })`. Where it throws, nothing is attached. @default nothing
     */
    readonly restore?: RestoreAfter | undefined;
    /**
     * Whether a request that was refused as too long or too large is made smaller and sent again. False: the error goes to whoever called
     * `send`, and `recover` answers false.
     * @default true
     */
    readonly reactive?: boolean | undefined;
    /** Resets state of one's own that a compaction made wrong. */
    readonly cleanUp?: CleanUpHandlers | undefined;
    /** Names the conversation to hooks and events. @default 'main' */
    readonly threadId?: string | undefined;
    /** Compact at this share of the window that a conversation can fill, above 0 and up to 100; never later than by default. */
    readonly percent?: number | undefined;
}
/** Whose notes, and what of them is put in. The context feeds them and tells them of each reply. */
export interface ContextNotes extends Omit<NotesCompactionOptions, 'memory' | 'attachments' | 'redact'> {
    readonly memory: Pick<SessionMemory, 'observe' | 'snapshot' | 'afterResponse'>;
}
/** Gives the messages to attach, and which files they show. */
export type RestoreAfter = (given: Omit<Parameters<typeof restore>[1], 'readFile' | 'limits'>) => Promise<Pick<Awaited<ReturnType<typeof restore>>, 'messages' | 'restored'>>;
export interface CompactNowOptions extends Pick<NowOptions, 'direction' | 'pivot'> {
    /** What the summary is to look at; with one, or with a side to compact, neither notes nor a provider stand in. */
    readonly focus?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
/** What came of a compaction. */
export type CompactionOutcome = {
    readonly kind: 'compacted';
    readonly summary: string;
    /** As it stands in the log. */
    readonly receipt: CompactionReceipt;
}
/**
 * The reason is why a compaction of `@varve/compact` failed, or `disabled`, by the switches; `outdated`, the conversation
 * changed meanwhile; `edit-refused`; `error`, something threw: see `cause`.
 */
 | CompactionFailed;
export {};

// create-context.d.ts
import type { Block, Edit, Entry, Head, Json, Message, PlanContext, Request, View } from '@varve/messages';
import type { TokenMeter } from '@varve/tokens';
import { type AppliedLayer } from './apply-layer.ts';
import type { CompactionOutcome, CompactNowOptions } from './compaction/context-compaction.ts';
import type { EditOptions, EditOutcome, UndoOptions } from './editing.ts';
import type { HeadChange } from './head.ts';
import type { Layer } from './layer.ts';
import type { CallOptions, ContextOptions, Reply, ToolOutput, UserOptions } from './options.ts';
import type { SentRequest } from './sending.ts';
import type { AddedUsage, ContextUsage } from './usage.ts';
/**
 * A conversation and the layers around it. Calls take effect in the order in which they are made, each wholly or not at
 * all. So what a call runs, be it `call`, a summary, a hook or a store, must not await another call of the same context,
 * which waits for it in turn (only a hook has a timeout); `note` it may, but for the log. With a log, every call but `size`,
 * `view` and `entries` throws `not-written` where the log refuses.
 */
export interface Context {
    /**
     * Adds what a person said, or with an `origin` what the agent puts in; a huge text is stored and shown by its preview,
     * where there is a storage. Throws `empty-message`, `malformed-message`, and `message-too-large` where no request could hold it.
     */
    user(content: string | readonly Block[], options?: UserOptions): Promise<Message>;
    /**
     * The next request: the conversation is compacted if it was time, or else the layers have run, and the edits are in the
     * log. One that is never answered leaves the messages as they were; the edits stay, since the provider may have cached them.
     * Throws `open-round`, `nothing-to-send`, and `message-too-large` for one that is larger than the window of its model whatever
     * was done: `recover` takes that error, too.
     */
    request(options?: CallOptions): Promise<Request>;
    /**
     * Adds the answer to the last request; calls whose ids or inputs could not be sent back are made good. Throws
     * `open-round`, `nothing-to-send` where nothing waits for an answer, `empty-reply`, `malformed-reply` and `stale-reply`.
     */
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
    /**
     * Goes on with another model, other tools, parameters or another system prompt; what is left out stays. Thinking that is
     * bound to the old head goes before the next request, and the cache break is announced. It outlives a restart with the
     * same options. Throws a `TypeError` for what no provider takes, such as two tools of one name.
     */
    setHead(change: HeadChange, options?: CallOptions): Promise<Head>;
    /**
     * Edits the log by hand: rewinds, snips, replaces. All edits or none: throws `edit-refused`, with the `MessagesError` as its
     * `cause`, for what may not stand in the log, or after which a provider of the model would refuse the conversation. It is
     * tried on a copy first, which reads the whole log.
     */
    edit(edits: readonly Edit[], options: EditOptions): Promise<EditOutcome>;
    /**
     * Runs a layer by hand, once, whether it is one of the options or not: it is shown the whole log, does its work, and its edits are in
     * force. What it throws is thrown, and the messages are as they were.
     */
    apply(layer: Layer, options?: CallOptions): Promise<AppliedLayer>;
    /** Takes an edit back, whoever made it, by the id of its entry. Throws `edit-refused`. */
    undo(entryId: string, options?: UndoOptions): Promise<EditOutcome>;
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
    /** Adds a bill that no reply brings, e.g. of a fork, to `usage`. It waits for no other call. */
    addUsage(bill: AddedUsage): Promise<void>;
    /**
     * Ends a session: memory looks through what is left of it, and what runs is waited for, as long as `extraction.timeoutMs` at most.
     * Where the signal is aborted, nobody waits: memory writes nothing of what is left, and comes to it another time. The conversation
     * stays as it is and can be gone on with.
     */
    close(options?: CallOptions): Promise<void>;
    /** Tries again to write what the log refused. */
    flush(): Promise<void>;
    /** Prompt tokens of the next request. */
    size(): ReturnType<TokenMeter['size']>;
    /** What a conversation can fill, and from where on it is compacted, in tokens, with the model of the next request. */
    limits(): PlanContext['limits'];
    view(): View;
    /**
     * The last request, as it was sent, and its reply: what a fork begins with. After a restart the last one that was answered;
     * undefined where there was none.
     */
    lastRequest(): SentRequest | undefined;
    /** What all calls were billed, by model and by caller, and how the cache did. */
    usage(): ContextUsage;
    /** Everything since the beginning, in order: `entries` of another context goes on from here, or another way. */
    entries(): readonly Entry[];
}
/**
 * Starts a conversation, or goes on with one. Throws a `MessagesError` for entries that are no log, and a `TypeError` or
 * `RangeError` for options that make no sense.
 */
export declare function createContext(options: ContextOptions): Context;

// default-layers.d.ts
import type { Block } from '@varve/messages';
import { type ModelInfo } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import type { Layer } from './layer.ts';
export interface DefaultLayersOptions {
    /** Names what is cleared, so that the model can read it back. @default what is cleared can only be had anew */
    readonly storage?: Pick<ToolStorage, 'handleOf'> | undefined;
    /** What says how likely a result is needed again: see `RentOptions.by` of `@varve/microcompact`. @default 'age' */
    readonly clearBy?: 'age' | 'need' | undefined;
}
/** The layers of a context that names none. */
export declare function defaultLayers({ tokenizer }: ModelInfo, options?: DefaultLayersOptions): readonly Layer[];
/** The same with sizes of one's own, in tokens of a block. */
export declare function clearingLayers(sizeOf: (block: Block) => number, { storage, clearBy: by }: DefaultLayersOptions): readonly Layer[];

// diagnosis.d.ts
import type { Entry, JsonObject } from '@varve/messages';
import type { CacheBreak } from '@varve/prompt-cache';
import type { CacheMiss } from './options.ts';
/** What a provider's own diagnosis said beside the causes that bills show. */
export interface Diagnosis {
    /** `agreed`, `differs`, `only-predicted` (the provider saw no miss), `only-diagnosed` (the bill shows none). */
    readonly kind: 'agreed' | 'differs' | 'only-predicted' | 'only-diagnosed';
    /** The provider's. */
    readonly word: string;
    readonly missedTokens?: number | undefined;
    /** Ours. */
    readonly predicted: readonly string[];
}
/** How often the provider's diagnoses and ours were what, and the newest that both did not agree on. */
export interface Diagnoses {
    readonly counts: Readonly<Partial<Record<Diagnosis['kind'], number>>>;
    readonly newest: readonly Diagnosis[];
}
/** Undefined where the provider said nothing, or neither side saw a miss. */
export declare function diagnosisOf(miss: CacheMiss | undefined, breaks: readonly CacheBreak[]): Diagnosis | undefined;
/** The note that keeps it in the log. */
export declare const diagnosisNote: (diagnosis: Diagnosis) => {
    by: string;
    data: JsonObject;
};
/** Counts the diagnoses of a log. */
export declare function createDiagnoses(): {
    observe(entry: Entry): void;
    get: () => Diagnoses;
};

// editing.d.ts
import { type Edit, type JsonObject } from '@varve/messages';
import type { CleanUpOccasion } from './clean-up.ts';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';
import type { CallOptions } from './options.ts';
export interface EditOptions extends CallOptions {
    /** Who edits: it stands in the log, in events and in the reason of the cache break. */
    readonly by: string;
    /** Kebab-case. */
    readonly reason: string;
    /** Stands in the log beside the edits: what was dropped, kept and freed. */
    readonly receipt?: JsonObject | undefined;
}
export interface UndoOptions extends CallOptions {
    /** @default 'context' */
    readonly by?: string | undefined;
    /** @default 'undo' */
    readonly reason?: string | undefined;
}
/** What an edit became. */
export interface EditOutcome {
    /** Ids of the entries, for `undo`. */
    readonly entryIds: readonly string[];
    /** Index of the first message of the view that changed. */
    readonly changedFrom: number;
}
export interface EditingOptions {
    readonly keeper: Keeper;
    readonly facts: () => ModelFacts;
    readonly at: () => string;
    readonly tell: Tell;
    /** Makes the edits without which the provider would refuse the next request. */
    readonly makeSendable: () => void;
    readonly cleanUp: (occasion: CleanUpOccasion, signal?: AbortSignal) => Promise<void>;
    readonly thread: () => 'main' | 'sub-agent';
}
/** Edits that a caller makes by hand: rewinding, snipping, undoing. */
export declare function createEditing(options: EditingOptions): {
    edit: (edits: readonly Edit[], given: EditOptions) => Promise<EditOutcome>;
    undo(entryId: string, given: UndoOptions): Promise<EditOutcome>;
};

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `open-round`: tool calls still wait for their results. `unknown-call`: a result for a call that nobody waits for.
 * `nothing-to-send`: the conversation does not end with something for the model to answer. `no-call`: `send` without the
 * option `call`. `empty-message`, `empty-reply`: there is nothing in it, and no provider takes that.
 * `message-too-large`: a message, or a request, does not fit the window of its model; the text says what takes how many tokens of
 * how many, and what to do.
 * `malformed-message`, `malformed-reply`, `malformed-result`: not of the shape that is asked for; in the log it would have
 * every later request refused. `not-written`: the log refused; what was added stays and is written by the next call.
 * `no-compaction`: `compact` without the option `compaction`. `stale-reply`: the conversation was compacted since the
 * request, and the reply's thinking is bound to what is gone. `edit-refused`: an edit or an undo that cannot stand in the log,
 * or after which a provider would refuse the conversation; `cause` is the `MessagesError`, where there is one.
 */
export type ContextErrorCode = 'edit-refused' | 'open-round' | 'unknown-call' | 'nothing-to-send' | 'no-call' | 'empty-message' | 'empty-reply' | 'malformed-message' | 'malformed-reply' | 'malformed-result' | 'message-too-large' | 'not-written' | 'no-compaction' | 'stale-reply';
/** What this package throws; but for `not-written` the conversation is then as it was. */
export declare class ContextError extends VarveError<ContextErrorCode> {
    get name(): 'ContextError';
    /** Recognises the error across duplicate copies of the package. */
    static is(value: unknown): value is ContextError;
}

// event.d.ts
import type { Producer } from '@varve/compact';
import type { CompactionEvent } from '@varve/compact/pipeline';
import type { ExtractionEvent } from '@varve/memdir/extract';
import type { CacheBreak } from '@varve/prompt-cache';
import type { TokenMeter } from '@varve/tokens';
import type { Diagnosis } from './diagnosis.ts';
import type { LayerEvent } from './layer.ts';
import type { UsageDoubt } from './read-bill.ts';
/** What the layers and the compaction did, or why they did nothing. */
export type ContextEvent = LayerEvent | CompactionNews | CacheNews | BillNews | RepairNews | MemoryNews;
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
/** What was found for a message of a person, and what became of the pass behind an answer. */
export type MemoryNews = {
    readonly layer: 'memory';
} & ({
    readonly kind: 'recall';
    readonly found: {
        readonly kind: 'recalled' | 'forget';
        readonly paths: readonly string[];
    } | {
        readonly kind: 'none';
        readonly reason: string;
    };
} | {
    readonly kind: 'extraction';
    readonly event: ExtractionEvent;
});
/** What the bills of replies say about the cache. An `edited` event announces a break, too. */
export type CacheNews = {
    readonly layer: 'prompt-cache';
} /** The next reply will read less, e.g. `tools-changed` or `model-switch`: another head was set. */ & ({
    readonly kind: 'break-announced';
    readonly reason: string;
}
/** Less was read, as announced or because the lifetime had passed (`ttl-expired`). */
 | ({
    readonly kind: 'expected-break';
    readonly reason: string;
} & BreakFigures)
/** Less was read than the request before had left in the cache, and nothing was announced. */
 | ({
    readonly kind: 'unexpected-break';
} & BreakFigures)
/** The provider's own diagnosis of a miss, and whether the bill shows the same. */
 | {
    readonly kind: 'diagnosed';
    readonly diagnosis: Diagnosis;
});
export interface BreakFigures {
    readonly model: string;
    readonly readTokens: number;
    /** What the request before had left in the cache, as it was billed. */
    readonly expectedReadTokens: number;
    readonly breaks: readonly CacheBreak[];
}
/**
 * A bill that is far from what was expected, or counts no prompt: the size of the conversation is not based on it. One whose
 * output is more than the reply can be (`implausible-output`: the tokens are those of the reply, which is estimated). Or one
 * that is none, e.g. null (`no-usage`: what the reply cost is not known), is of another API (`other-usage`), or has counts
 * that are none, e.g. NaN (`invalid-count`: they are left out).
 */
export interface BillNews {
    readonly layer: 'tokens';
    readonly kind: 'bill-doubted';
    readonly reason: Exclude<Extract<ReturnType<TokenMeter['anchor']>, {
        kind: 'ignored';
    }>['reason'], 'synthetic-reply'> | 'implausible-output' | UsageDoubt;
    readonly billedTokens: number;
    readonly expectedTokens: number;
}
/** What a provider would refuse later was made good; `count` is how many blocks were. */
export interface RepairNews {
    readonly layer: 'context';
    readonly kind: 'repaired';
    /**
     * `blocks`: blocks of a reply were none, or calls without a name, and were left out. `call-ids`: calls of a reply had no id, or one that another call had. `call-inputs`: the input of a call was no object
     * and stands in one now. `half-thoughts`: thinking without a signature, or with half a surrogate pair, went. Of a request, once
     * for each message: `call-ids`, `failed-results` and `media`, where ids or names of calls, results of failed tools that say nothing,
     * or images and documents go out otherwise than they stand in the log, because this provider refuses them.
     */
    readonly reason: 'blocks' | 'call-ids' | 'call-inputs' | 'failed-results' | 'half-thoughts' | 'media';
    readonly count: number;
}
export type Tell = (event: ContextEvent) => void;

// head.d.ts
import { type Head, type JsonObject, type TextBlock, type Tool } from '@varve/messages';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';
import type { ContextOptions } from './options.ts';
import type { Enter } from './redact-entry.ts';
/** What `setHead` changes; what is left out stays as it is. */
export interface HeadChange {
    readonly model?: string | undefined;
    readonly system?: string | readonly TextBlock[] | undefined;
    /** The whole list. The read tool of a storage is added again. */
    readonly tools?: readonly Tool[] | undefined;
    /** Whole: thinking, betas, effort and whatever else the cached prefix depends on. */
    readonly params?: JsonObject | undefined;
}
type HeadOptions = Required<Pick<ContextOptions, 'model'>> & Pick<ContextOptions, 'system' | 'tools' | 'params' | 'storage'>;
/** The parts of a head, in the order in which a provider reads them. */
export declare const HEAD_PARTS: readonly ['model', 'tools', 'system', 'params'];
export type HeadPart = (typeof HEAD_PARTS)[number];
/** Which parts of two heads differ, in the order in which a provider reads them. */
export declare function changedParts(before: Head, after: Head): readonly HeadPart[];
export interface HeadsOptions {
    readonly keeper: Keeper;
    readonly options: HeadOptions;
    readonly factsOf: (model: string) => ModelFacts;
    readonly at: () => string;
    /** What is done to a head before it is compared and appended. */
    readonly enter: Enter;
}
/**
 * The heads of a conversation. What `setHead` changed outlives a restart with the same options: a note beside such a head
 * says what the options were, and only a part in which they differ from then on takes its place.
 */
export declare function createHeads({ keeper, options, factsOf, at, enter }: HeadsOptions): {
    /** Appends the head that the options describe, unless the log has it already: then its bytes stay as they are. */
    bring(): void;
    /** Appends a head in which some parts are others. @throws TypeError, RangeError for parts that make no sense */
    set(change: HeadChange): Head;
};
export {};

// index.d.ts
export type { ContextCompaction } from './compaction/context-compaction.ts';
export { type Context, createContext } from './create-context.ts';
export { defaultLayers } from './default-layers.ts';
export { ContextError } from './error.ts';
export type { ContextEvent } from './event.ts';
export type { Layer } from './layer.ts';
export type { CallModel, ContextOptions } from './options.ts';

// keeper.d.ts
import { type Entry, type EntryBody, type Message, type View } from '@varve/messages';
import { type Estimator, type TokenMeter } from '@varve/tokens';
import type { Tell } from './event.ts';
import type { Layer } from './layer.ts';
import { type LayeredLog } from './layered-log.ts';
import type { NewMessage } from './messages-of.ts';
import type { ContextOptions } from './options.ts';
import type { Doors } from './redact-entry.ts';
/** The log of a context in memory and on its way to where it is written. */
export interface Keeper {
    readonly layered: LayeredLog;
    readonly meter: TokenMeter;
    readonly entries: readonly Entry[];
    /** Takes entries of an earlier run; they count as written. */
    replay(entry: Entry): void;
    /** False while an entry of an earlier run is taken: what it shows was told when it happened. */
    isLive(): boolean;
    /** Appends in memory; throws a `MessagesError` for what may not come next, and nothing has changed then. */
    append(body: EntryBody, at: string): View;
    /**
     * Appends messages in memory, all or none of them, and returns them as they stand in the log. What may not stand there is
     * refused with the code of the call, and the `MessagesError` is its cause.
     */
    add(messages: readonly NewMessage[], options: AddOptions): readonly Message[];
    /** Takes what was appended elsewhere. Throws `not-written`; it is then tried again with the next call. */
    write(): Promise<void>;
    /** How many messages of the view stand where the last answered request had them, as far as spans were replaced. */
    cachedMessages(): number;
}
export interface AddOptions {
    readonly at: string;
    /** Stands before the messages. */
    readonly note?: EntryBody | undefined;
    readonly code: 'malformed-message' | 'malformed-reply' | 'malformed-result';
}
/** Watches the log as it grows; it must not throw. */
export type Observe = (entry: Entry, view: View) => void;
export interface KeeperOptions extends Pick<ContextOptions, 'log' | 'storage' | 'models'> {
    readonly model: string;
    /** Of that model. @default one of the meter's own */
    readonly estimator?: Estimator | undefined;
    readonly layers: readonly Layer[];
    readonly observe?: Observe | undefined;
    readonly tell: Tell;
    /** What is done to what is appended. */
    readonly doors: Doors;
}
/** A keeper of an empty log. */
export declare function createKeeper(options: KeeperOptions): Keeper;

// layer.d.ts
import type { JsonObject, Planner } from '@varve/messages';
/** A planner and the name that its edits and notes carry in the log (`by`). */
export interface Layer {
    readonly name: string;
    readonly planner: LayerPlanner;
}
/** A planner; one that needs a model or a store has its plans of `work` done by `run`. */
export interface LayerPlanner extends Planner<unknown> {
    /**
     * Does the work of a plan and changes nothing; it is then asked for a plan again, which may be an edit. The request waits
     * for it, unless the work says `blocking: false`. Where it throws, or its signal is aborted, nothing is appended.
     */
    run?(work: never, options: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<{
        /** Appended by the name of the layer: `observe` sees them, and a restarted process does. */
        readonly notes: readonly JsonObject[];
    }>;
}
/**
 * What a layer did, or why it did nothing. Reasons are kebab-case. The context itself edits as `context`: thinking goes that
 * is bound to another model, system prompt or tools (`other-head`) or to other messages (`stale-thinking`), and what the
 * provider of another model would refuse is made good (`other-provider`).
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
     * `plan-threw`, `run-threw`, `edit-refused`: asked again before the next request. `observe-threw`, `frontier-threw`: it does not
     * know the log any more and is not asked again. From `tool-storage`: why a result could not be stored, e.g. `disk-full`.
     */
    readonly reason: string;
    readonly cause?: unknown;
});

// layered-log.d.ts
import { type Entry, type Plan, type PlanContext, type View } from '@varve/messages';
import type { Layer, LayerEvent, LayerPlanner } from './layer.ts';
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
    /** Lets each layer without work look at the view the ones before it left, and appends their edits. A layer that throws gives way. */
    edit(context: EditContext): Edited;
    /** Appends the edits of a plan that was made elsewhere, in the name of a layer. */
    commit(plan: Plan, context: {
        readonly layer: string;
        readonly at: string;
    }): Edited;
    /** Layers with work, in order. */
    readonly workers: readonly LayerWithWork[];
    /**
     * Message indices at which markers are worth parking, the most important first: where the newest edit began, where the
     * next one can begin, and where the one before the newest began.
     */
    parkedAt(): readonly number[];
}
/** A layer some of whose plans are work. */
export interface LayerWithWork {
    readonly name: string;
    /** The same as `edit` of the log for this layer; `work` is what has to be run before it can edit. */
    edit(context: EditContext): Edited & {
        readonly work?: PlannedWork;
    };
    run(work: PlannedWork, options: {
        readonly signal?: AbortSignal | undefined;
    }): LayerRun;
}
type LayerRun = ReturnType<NonNullable<LayerPlanner['run']>>;
export interface PlannedWork {
    readonly work: unknown;
    readonly reason: string;
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
    /**
     * What becomes of an edit of a layer before it is appended. What it throws refuses the edit.
     * @default its written form: later changes to the layer's objects do not reach the log
     */
    readonly enter?: (<E extends Entry>(entry: E) => E) | undefined;
}
/** Creates an empty log with layers on it. */
export declare function createLayeredLog({ layers, onEntry, enter, }: LayeredLogOptions): LayeredLog;
export {};

// memory.d.ts
import type { Memdir } from '@varve/memdir';
import type { createExtraction } from '@varve/memdir/extract';
import { memoryRules } from '@varve/memdir/rules';
import { type Block, type Entry, type Message } from '@varve/messages';
import type { Tell } from './event.ts';
import type { HeadChange } from './head.ts';
import type { Keeper } from './keeper.ts';
import type { CallOptions, ContextOptions, UserOptions } from './options.ts';
import type { AddedUsage } from './usage.ts';
type ExtractionOptions = Parameters<typeof createExtraction>[0];
type RecallOptions = NonNullable<Parameters<Memdir['startRecall']>[0]>;
type RulesOptions = Parameters<typeof memoryRules>[0];
/** Long-term memory around a conversation. */
export interface ContextMemory {
    /** The folder: that of the project, or of an agent in place of it. */
    readonly memory: Memdir;
    /** False: the system prompt says in a line that nothing can be kept, and nothing else happens. @default true */
    readonly isOn?: boolean | undefined;
    /** False where the files have no index: none is shown, and saving is one step. @default true */
    readonly hasIndex?: boolean | undefined;
    /** Of an agent with memory of its own: its scope and its index, which stands in the system prompt then. */
    readonly agent?: RulesOptions['agent'];
    /** How memories are found for what a person says; false: they are not. @default by words */
    readonly recall?: RecallOptions | false | undefined;
    /**
     * What looks through the conversation behind each answer, and how: `client` and `model`, or `runFork`; `timeoutMs` ends a model that
     * hangs.
     * @default nothing does
     */
    readonly extraction?: Omit<ExtractionOptions, 'memory' | 'models' | 'cursor' | 'onEvent' | 'now'> | undefined;
}
/** The rules for the system prompt, as a block of their own behind it. */
export declare function withRules<Given extends Pick<HeadChange, 'system'>>(given: Given, option: ContextMemory | undefined): Given;
/** Another system prompt has the rules behind it as well. */
export declare const changeWithRules: (change: HeadChange, option: ContextMemory | undefined) => HeadChange;
/** What of a log memory needs: what was said, and where it had come to. */
export declare function createMemoryFold(): {
    messages: Message[];
    /** The last message noted for a purpose. */
    noted: (purpose: Purpose) => string | undefined;
    observe(entry: Entry): void;
};
/** `start`: the message that the index stands in; `cursor`: the last one that was looked through. */
type Purpose = 'start' | 'cursor';
export interface MemoryLayerOptions {
    readonly option: ContextMemory;
    readonly fold: ReturnType<typeof createMemoryFold>;
    readonly keeper: Keeper;
    /** Entries of one's own for the model table. */
    readonly models: ContextOptions['models'];
    readonly thread: () => 'main' | 'sub-agent';
    readonly now: () => number;
    readonly at: () => string;
    readonly tell: Tell;
    readonly addBill: (bill: AddedUsage) => void;
}
/** Adds what a message of the agent needs. */
type AddUser = (content: string | readonly Block[], given: UserOptions) => Promise<Message>;
/** Puts memory before the model, and takes new memory out of the conversation. None of it fails a call. */
export declare function createMemoryLayer(options: MemoryLayerOptions): {
    /** Adds what a person said, with the index in front of the first message and what was recalled behind it. */
    user(content: string | readonly Block[], given: UserOptions, add: AddUser): Promise<Message>;
    /** Looks through the conversation once a turn has ended. */
    afterReply({ content, response }: Message): void;
    cleanUp: () => void | undefined;
    close: ({ signal }: CallOptions) => Promise<void>;
};
export {};

// messages-of.d.ts
import { type Block, type Message, type OpenRound, type Origin, type ProviderProfile, type RequestStamp } from '@varve/messages';
import { soundReply } from '@varve/messages/fit';
import type { Reply, ShownOutput, ToolOutput } from './options.ts';
import { type UsageDoubt } from './read-bill.ts';
/** A message before it has its place in the log. */
export type NewMessage = Omit<Message, 'id'> & {
    readonly id?: string;
};
/** What a person said; blank text is left out, because providers refuse it. Throws `empty-message`, `malformed-message`. */
export declare function userContent(content: string | readonly Block[], profiles: readonly ProviderProfile[]): readonly Block[];
/** Throws `malformed-message` for an origin that no reader of the log knows, and for those that only the context gives. */
export declare function checkOrigin(origin: Origin | undefined): void;
/** What a reply that `checkReply` let pass becomes in the log. Throws `empty-reply` and `malformed-reply`. */
export declare function replyMessage(reply: Reply, sent: {
    readonly id: string;
    readonly model: string;
    /** Of whom the reply is sent back to. */
    readonly profiles: readonly ProviderProfile[];
    readonly stamp?: RequestStamp | undefined;
}): {
    readonly message: NewMessage;
    readonly repairs: readonly ReturnType<typeof soundReply>['repairs'][number][];
    readonly doubt?: UsageDoubt;
};
/** Throws `malformed-reply` for what is no reply, and for one of another library, which its caller can convert. */
export declare function checkReply(reply: Reply): void;
/** A tool's output as a message of its own. Media of a failed tool follow its result, which may hold text only, and some. */
export declare function resultMessage({ toolUseId, content, isError }: ShownOutput): NewMessage;
/** The names of the tools whose results are waited for, by call. Throws `unknown-call` for any other, and for one that comes twice. */
export declare function waitingTools(open: OpenRound | undefined, outputs: readonly ToolOutput[]): ReadonlyMap<string, string>;

// model-facts.d.ts
import type { Block, Head, Message, ProviderProfile } from '@varve/messages';
import { type CachePolicy } from '@varve/prompt-cache';
import { type Estimator, type ModelInfo } from '@varve/tokens';
import type { ContextOptions } from './options.ts';
/** What is known of one model, with the options of the context applied. */
export interface ModelFacts {
    /** As the caller named it. */
    readonly id: string;
    readonly model: ModelInfo;
    readonly windowTokens: number;
    /** Prompt and reply have to fit it together, in tokens; Infinity where the window is a guess. */
    readonly knownWindowTokens: number;
    /** Prompts of so many tokens are not sent; Infinity where the caller sets no limit. */
    readonly blockingTokens: number;
    /** The most the model can reply, in tokens; undefined where nobody knows it. */
    readonly maxOutputTokens: number | undefined;
    /** Largest reply that the caller asks for, in tokens; undefined where he leaves it open. */
    readonly askedOutputTokens: number | undefined;
    readonly policy: CachePolicy;
    /** What the providers of this model accept. */
    readonly profiles: readonly ProviderProfile[];
    /** Knows what follows, and shares it with whoever counts by the same tokenizer. */
    readonly estimator: Estimator;
    /** Tokens of a text, a block and a message. */
    readonly textSize: (text: string) => number;
    readonly blockSize: (block: Block) => number;
    readonly sizeOf: (message: Message) => number;
    /** Tokens of system prompt and tools. */
    readonly headSize: (head: Head) => number;
}
type FactOptions = Pick<ContextOptions, 'model' | 'models' | 'policy' | 'maxOutputTokens' | 'blockingLimitTokens'>;
/** The facts of models by id; each model is looked up once. */
export declare function createModelFacts(options: FactOptions): (id: string) => ModelFacts;
export {};

// options.d.ts
import type { createSnip } from '@varve/compact';
import type { createFold } from '@varve/compact/fold';
import type { Block, Entry, JsonObject, Origin, Request, StopReason, TextBlock, Tool, Usage } from '@varve/messages';
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

// plan-context.d.ts
import type { PlanContext, Request, View } from '@varve/messages';
import type { ModelFacts } from './model-facts.ts';
/** The last request that was answered: what can still be cached. */
export interface Answered {
    readonly startedAtMs: number;
    readonly markers: Request['markers'];
}
export interface Moment {
    readonly nowMs: number;
    /** Prompt tokens of the next request. */
    readonly contextTokens: number;
    readonly answered: Answered | undefined;
    /** How many messages of that request still stand where they stood. */
    readonly cachedMessages: number;
}
export interface LimitOptions {
    /** Share of the window that a conversation can fill at which it is compacted; never later than by default. */
    readonly percent?: number | undefined;
}
export type LimitsOf = (facts: ModelFacts) => PlanContext['limits'];
/** What a conversation can fill, by the model that the next request goes to. */
export declare function createLimits({ percent }: LimitOptions): LimitsOf;
/** Tells planners what is known at a moment, of the model that the next request goes to. */
export declare const createPlanContext: (limitsOf: LimitsOf) => (view: View, moment: Moment, facts: ModelFacts) => PlanContext;

// read-bill.d.ts
import type { Usage } from '@varve/messages';
/**
 * `no-usage`: what came as a bill is none, e.g. null. `other-usage`: it is of another API, and was read as well as it goes.
 * `invalid-count`: some of its counts are none, e.g. NaN or below 0, and are left out.
 */
export type UsageDoubt = 'no-usage' | 'other-usage' | 'invalid-count';
/** A bill as the log can hold it, and what of it is doubtful: a reply is good without it. */
export interface ReadBill {
    readonly usage?: Usage;
    readonly doubt?: UsageDoubt;
}
/** Reads what came as a bill; never throws. One of another API is read by its own names. */
export declare function readBill(given: unknown): ReadBill;

// redact-entry.d.ts
import type { Entry } from '@varve/messages';
/** Takes secrets out of what comes into a conversation; the same reference where there are none. */
export type Enter = <Value>(value: Value) => Value;
/** What is done about secrets at each door of a conversation. */
export interface Doors {
    /** To content: of persons, tools and models, heads, and what a model is asked for a summary. */
    readonly enter: Enter;
    /** To an entry that is no message of theirs, as it will be written: a note, an edit. */
    readonly log: <E extends Entry>(entry: E) => E;
}
export declare function doorsOf(redact?: 'derived' | 'on-entry' | false): Doors;

// room-for.d.ts
import { type Block, type View } from '@varve/messages';
import type { ModelFacts } from './model-facts.ts';
export interface RoomOptions {
    readonly facts: () => ModelFacts;
    readonly view: () => View;
    /** What a conversation can fill, in tokens. */
    readonly effectiveTokens: () => number;
    /** Prompt tokens of the next request. */
    readonly promptTokens: () => number;
}
/** Sizes what is about to enter the conversation, in tokens, against what it can fill. */
export interface Room {
    /** Tokens of blocks, or of a text. */
    sizeOf(content: string | readonly Block[]): number;
    /** True where results are so small that they have room whatever else is there, without measuring them. */
    isSmall(units: number): boolean;
    /** True where a message is so small that it and all that is there have room, without measuring it. */
    hasRoom(units: number): boolean;
    /** What a message of a person may have: requests that are not answered stay word for word, so that they share half of the room. */
    forPerson(): number;
    /** What the results of one round may have together. */
    forRound(): number;
    /** What the results of one round have at most, if there was nothing but the head and the requests that are not answered; Infinity where the window is a guess. */
    atMost(): number;
    /** What the window holds, and what of it nothing can make smaller. */
    window(): WindowUse;
}
/** Sizes in tokens. */
export interface WindowUse {
    readonly model: string;
    /** What a prompt may have at most; Infinity where the window is a guess. */
    readonly mostTokens: number;
    readonly systemTokens: number;
    readonly toolsTokens: number;
    /** Requests that are not answered. */
    readonly openTokens: number;
}
export declare function createRoom(options: RoomOptions): Room;
/** The largest prompt that can be answered: a first token of the reply has to fit behind it. Infinity where the window is a guess. */
export declare const mostPromptTokens: ({ knownWindowTokens, blockingTokens, }: Pick<ModelFacts, 'knownWindowTokens' | 'blockingTokens'>) => number;
/** UTF-16 units of blocks that are all text; Infinity where something else has to be measured. */
export declare const unitsOf: (blocks: readonly Block[]) => number;
/**
 * Which of several parts have to go so that the rest has room: the largest first, and none that is no larger than what would
 * stand in its place.
 */
export declare function tooLarge(sizes: readonly number[], { room, placeholder }: {
    readonly room: number;
    readonly placeholder: number;
}): ReadonlySet<number>;
export declare const sumOf: (sizes: readonly number[]) => number;

// sending.d.ts
import type { Message, Plan, PlanContext, Request, View } from '@varve/messages';
import { type createHistoryFit } from '@varve/messages/fit';
import type { CacheWatch, MarkerTtl } from './cache-watch.ts';
import { type CompactOrClearOptions } from './compact-or-clear.ts';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';
import type { CallOptions, Reply } from './options.ts';
import type { createPlanContext } from './plan-context.ts';
import { type WindowUse } from './room-for.ts';
export interface SendingOptions extends Pick<CompactOrClearOptions, 'compact' | 'cleanUp'> {
    readonly keeper: Keeper;
    readonly situation: ReturnType<typeof createPlanContext>;
    /** Of the model that the next request goes to. */
    readonly facts: () => ModelFacts;
    readonly now: () => number;
    readonly tell: Tell;
    readonly factsOf: (model: string) => ModelFacts;
    /** Knows what was answered, and what of it is cached. */
    readonly cache: CacheWatch;
    /** Makes the edits without which the provider would refuse the next request. */
    readonly makeSendable: () => void;
    /** What of the window nothing can make smaller. */
    readonly windowUse: () => WindowUse;
    /** Whether the conversation can be compacted. */
    readonly canCompact: boolean;
    readonly fitHistory: FitHistory;
}
/** A request that was made, and the answer to it. */
export interface SentRequest {
    /** As it was sent: messages and head are passed on by reference, so that what extends it begins with the same bytes. */
    readonly request: Request;
    /** As it stands in the log; left out while there is none. */
    readonly reply?: Message;
}
/** Requests and the replies to them. */
export declare function createSending(options: SendingOptions): {
    planContext: () => PlanContext;
    request({ signal }: CallOptions): Promise<Request>;
    /** Reads what the answer will need of the request: for the time in which the model has it. */
    readSent(): void;
    reply(given: Reply): Promise<Message>;
    /** Puts a plan in force in the name of a layer, and says whether it edited. */
    commit(layer: string, plan: Plan): Promise<boolean>;
    /** The call of the last request failed: nothing answers it. */
    failed(): void;
    lastRequest(): SentRequest | undefined;
};
interface RequestFacts extends Pick<ModelFacts, 'policy' | 'profiles'> {
    readonly maxOutputTokens: number;
    readonly fitHistory: FitHistory;
    readonly stableTtl: MarkerTtl;
}
/** Writes messages of the log as a provider takes them. */
export type FitHistory = ReturnType<typeof createHistoryFit>;
export declare function requestOf(view: View, parkedAt: readonly number[], { maxOutputTokens, policy, profiles, fitHistory, stableTtl }: RequestFacts): Request;
/**
 * Older models refuse a prompt and a reply that do not fit the window together. Where a prompt leaves no room for thinking
 * and reply, the provider refuses the request, and that is recovered from.
 */
export declare function outputTokens({ head }: View, promptTokens: number, facts: OutputBounds): number;
type OutputBounds = Pick<ModelFacts, 'maxOutputTokens' | 'askedOutputTokens' | 'knownWindowTokens'>;
export {};

// usage.d.ts
import type { Summarize } from '@varve/compact';
import type { Entry, JsonObject, Usage } from '@varve/messages';
import type { BreakDetector } from '@varve/prompt-cache';
import type { SplitBill } from '@varve/prompt-cache/server';
import { type ModelInfo } from '@varve/tokens';
import type { Diagnoses } from './diagnosis.ts';
type BreakMeasures = ReturnType<BreakDetector['measures']>;
/** What model calls were billed. */
export interface Bill {
    readonly calls: number;
    readonly usage: SummedUsage;
    /** Dollars of every part whose rate is known. */
    readonly dollars: number;
    /** Tokens without a known rate: they are not in `dollars`. */
    readonly unpricedTokens: number;
}
/** Tokens in the shape of a provider's usage. */
export interface SummedUsage {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly cache_creation_input_tokens: number;
}
/** All that a conversation was billed so far. A call that came without a usage is in none of the sums, `calls` included. */
export interface ContextUsage extends Bill {
    /** The model that cost most first. */
    readonly models: readonly (Bill & {
        readonly model: string;
    })[];
    /** Who called: `reply`, `compact`, and each `by` of a bill that was brought by `addUsage`; the dearest first. */
    readonly callers: readonly (Bill & {
        readonly by: string;
    })[];
    /** How much was read from the cache, and which breaks there were, expected or not. Replies only. */
    readonly cache: BreakMeasures;
    /** Where the money of replies went: parts of the prompts, read, paid again or new, and breaks by cause. */
    readonly split: SplitBill;
    /** The provider's own diagnoses of the cache beside ours, where a `reply` brought any. */
    readonly diagnoses: Diagnoses;
}
/** A bill that no reply of the conversation brought: of a fork, of notes, of anything its owner pays for. */
export interface AddedUsage {
    /** Who called, e.g. `fork-agent`. */
    readonly by: string;
    readonly model: string;
    readonly usage: Usage;
    /** How many calls the usage is the sum of. @default 1 */
    readonly calls?: number | undefined;
}
/** The note of such a bill. */
export declare const usageNote: ({ model, usage, calls }: AddedUsage) => JsonObject;
/**
 * Sums the bills of a log: of replies, of summaries whether they were used or not, and of notes. An edit takes none of them
 * back.
 */
export declare function createUsageSum({ models }: {
    readonly models?: readonly ModelInfo[] | undefined;
}): {
    observe(entry: Entry): void;
    total(given: Pick<ContextUsage, 'cache' | 'split' | 'diagnoses'>): ContextUsage;
};
/** Keeps the bills of an attempt to compact, which are lost with the attempt where it is aborted. */
export declare function createSummaryBill(): {
    begin(): void;
    of: (summarize: Summarize) => Summarize;
    /** As a note holds it; empty where nothing was billed. */
    get: () => JsonObject;
};
export type SummaryBill = ReturnType<typeof createSummaryBill>;
export declare const isUsage: (value: unknown) => value is Usage;
export {};
