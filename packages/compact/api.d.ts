// after/assignment.d.ts
import { type Entry } from '@varve/messages';
/**
 * What a thread was started for: the text of its first user message, whatever was compacted since. A sub-agent's
 * compactions pin it, so that its task and the form of its answer stand in every summary word for word.
 */
export declare function assignmentOf(entries: Iterable<Entry>): string | undefined;

// after/clean-up.d.ts
/** State beside the log that a compaction makes wrong. Plain data: `CLEAN_UP` says what it is and why it goes. */
export type CleanUpName = 'cached-clearing' | 'collapse-queue' | 'expected-cache-miss' | 'file-reads' | 'first-request' | 'instruction-files' | 'note-baseline' | 'note-cursor' | 'prompt-sections' | 'recall';
export interface CleanUpItem {
    readonly name: CleanUpName;
    /** `thread`: each thread has its own. `session`: shared by all threads, so a sub-agent's compaction leaves it alone. */
    readonly scope: 'thread' | 'session';
    readonly why: string;
}
/**
 * What a successful compaction resets, in this order, whichever way it was made. Not what used skills say, because a later
 * compaction restores them; nor which skills were announced: to announce all of them again costs about 4,000 tokens of
 * cache writes.
 */
export declare const CLEAN_UP: readonly CleanUpItem[];
/** The compaction that has just been committed. */
export interface CommittedCompaction {
    readonly thread: 'main' | 'sub-agent';
    /** Paths of files that were restored whole: an edit of one needs no fresh read. */
    readonly restoredFiles: readonly string[];
    /** Size of the conversation now, in tokens. */
    readonly tokensAfter: number;
}
/** What resets each piece of state, of the thread that was compacted; a piece that nobody keeps has none. */
export type CleanUpHandlers = {
    readonly [name in CleanUpName]?: ((compaction: CommittedCompaction) => void) | undefined;
};
export interface CleanUpResult {
    readonly done: readonly CleanUpName[];
    /** A handler that throws keeps no other from running. */
    readonly failed: readonly {
        readonly name: CleanUpName;
        readonly cause: unknown;
    }[];
}
/** Runs the clean-up of a committed compaction. Each way of compacting calls it, or none does: there is only one. */
export declare function cleanUpAfter(compaction: CommittedCompaction, handlers: CleanUpHandlers): CleanUpResult;

// auto/breaker.d.ts
import type { Trigger } from '../types.ts';
/** What decides whether automatic compaction may try again; plain data that a loop keeps, or a planner folds from its log. */
export interface BreakerState {
    /** Automatic attempts that failed in a row. */
    readonly failures: number;
    /** Automatic compactions in a row that each came within a few requests of the one before, in one turn of the user. */
    readonly rapid: number;
    /** Requests since the newest compaction; undefined before the first. */
    readonly requestsSince: number | undefined;
    /** Stopped because compactions gained nothing, and said so, until a person speaks or compacts. */
    readonly paused: boolean;
}
export declare const NEW_BREAKER: BreakerState;
export type BreakerEvent = {
    readonly kind: 'compacted' | 'failed' | 'aborted';
    readonly trigger: Trigger;
}
/** The model replied. */
 | {
    readonly kind: 'request';
}
/** A decision said `no-headroom` for the first time, and the person was told. */
 | {
    readonly kind: 'paused';
}
/** A person spoke. */
 | {
    readonly kind: 'user-turn';
};
/** Attempts that fail in a row stop automatic compaction for the rest of the session, until one by hand succeeds. */
export declare const MOST_FAILURES = 3;
/** The state after something happened. An abort changes nothing; whatever succeeds ends a run of failures. */
export declare function nextBreaker(state: BreakerState, event: BreakerEvent): BreakerState;
/** Whether the next automatic compaction would come right after the last one, which gained too little for it to help. */
export declare const isThrashing: (state: BreakerState) => boolean;

// auto/decide-compaction.d.ts
import { type BreakerState } from './breaker.ts';
/** Why nothing is compacted now. */
export type NoCompaction = 'own-fork' | 'disabled' | 'auto-disabled' | 'reactive-only' | 'collapse-on' | 'below-threshold' | 'breaker-open' | 'irreducible-overhead' | 'no-headroom';
export type CompactionDecision = {
    readonly kind: 'compact';
    readonly reason: 'over-threshold';
    readonly tokens: number;
} | {
    readonly kind: 'none';
    readonly reason: NoCompaction;
    /** Size of the next request less what a snip freed. */
    readonly tokens: number;
    readonly thresholdTokens: number;
    readonly overheadTokens: number;
    readonly windowTokens: number;
};
export interface DecisionInput {
    /** Size of the next request, in tokens. */
    readonly contextTokens: number;
    /** Tokens that a snip freed and `contextTokens` still counts. @default 0 */
    readonly snipFreedTokens?: number | undefined;
    /** From here on a conversation is compacted, in tokens. */
    readonly thresholdTokens: number;
    /** A larger request leaves no room for its reply, in tokens. @default `windowTokens` */
    readonly effectiveTokens?: number | undefined;
    readonly windowTokens: number;
    /** What no compaction can take away, in tokens: system prompt, tools, a request that is not done. Asked at the threshold only. */
    readonly overheadTokens?: (() => number) | undefined;
    readonly breaker: BreakerState;
    readonly switches?: AutoSwitches | undefined;
}
/** What turns automatic compaction off. */
export interface AutoSwitches {
    /** Who sends the request. Summaries, notes and the agent of collapse would wait for themselves. @default 'main' */
    readonly source?: 'main' | 'sub-agent' | 'compact' | 'session-memory' | 'collapse' | undefined;
    /** False turns compaction off, by hand as well. @default true */
    readonly enabled?: boolean | undefined;
    /** False turns off the automatic one only; a person's own setting goes in here too. @default true */
    readonly auto?: boolean | undefined;
    /** Only a refused request leads to a compaction. @default false */
    readonly reactiveOnly?: boolean | undefined;
    /** Collapse is on and would be overtaken. @default false */
    readonly collapse?: boolean | undefined;
}
/**
 * Whether to compact before the next request, and why not. Pure; costs nothing below the threshold. A compaction that gains
 * little waits until the next request would not fit.
 *
 * @throws RangeError for sizes that are no numbers.
 */
export declare function decideCompaction(input: DecisionInput): CompactionDecision;

// auto/producers.d.ts
import { type Message } from '@varve/messages';
/** A tool and how much of the conversation its results are. */
export interface Producer {
    readonly toolName: string;
    readonly results: number;
    readonly tokens: number;
    /** Tokens of its largest message of results. */
    readonly largestTokens: number;
}
/** Which tools fill a conversation, the largest first: what to say when compaction stops because it does not help. */
export declare function largestProducers(messages: readonly Message[], sizeOf: (message: Message) => number): readonly Producer[];

// collapse/collapse.d.ts
import type { Edit, Entry, Head, JsonObject, Plan, PlanContext, Planner, ThinkingRule, Usage, View } from '@varve/messages';
import { type CollapseOptions } from './settings.ts';
import { type SpanSizes } from './span-sizes.ts';
import { type CollapseSpan } from './spans.ts';
type CommitContext = Pick<PlanContext, 'atUserTurn' | 'thinking' | 'contextTokens'>;
/** Spans that need a summary; without spans there is only something to wait for. */
export interface CollapseWork {
    readonly spans: readonly CollapseSpan[];
    readonly head: Head;
    readonly thinking: ThinkingRule;
    readonly sizes: SpanSizes;
    /** Whether the next request has to wait until it is done. */
    readonly blocking: boolean;
}
export interface CollapseResult {
    /** To be appended as notes by `collapse`, in order. */
    readonly notes: readonly JsonObject[];
    readonly calls: number;
    readonly usage?: Usage;
}
/** Folds old stretches of work, one by one, so that they can be unfolded again. */
export interface Collapse extends Planner<CollapseWork> {
    observe(entry: Entry, view: View): void;
    plan(context: PlanContext): Plan<CollapseWork>;
    /** Position of the first message that the next commit changes; undefined where nothing is staged. */
    frontier(): number | undefined;
    /**
     * Has summaries written and changes nothing. What is being written is not asked for again meanwhile.
     *
     * @throws the signal's reason, an `AbortError` unless one was given: as if it had not been called.
     */
    run(work: CollapseWork, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<CollapseResult>;
    /** After an overflow: commits whatever is staged, whatever the size. */
    recover(context: CommitContext): Plan;
    /** The edit that unfolds a collapse; undefined where the entry is none in force. It is not folded again. */
    expand(entryId: string): Extract<Edit, {
        kind: 'undo';
    }> | undefined;
}
/**
 * Creates a planner for one thread. All it knows is in the log: staged summaries as notes, commits as edits, both by
 * `collapse`. A compaction that hides a staged span makes it void.
 *
 * @throws RangeError for shares that are not in order.
 */
export declare function createCollapse(options: CollapseOptions): Collapse;
export {};

// collapse/settings.d.ts
import type { Head, PlanContext, Request } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { Summarize } from '../types.ts';
export interface CollapseOptions {
    readonly summarize: Summarize;
    /** Tokens of a text. */
    readonly sizeOfText: (text: string) => number;
    /** Share of the effective window from which spans are summarised in the background. @default 0.9 */
    readonly stageAt?: number | undefined;
    /**
     * Share of the effective window from which the next request waits for them. Where that is more than the autocompact
     * threshold it is the threshold, and the other two shares come down as far. @default 0.95
     */
    readonly commitAt?: number | undefined;
    /**
     * Share of the effective window that folding is meant to come down to. Each commit rewrites the cache behind it, so little
     * at a time costs more. @default 0.35
     */
    readonly targetAt?: number | undefined;
    /** The newest tokens, which are never folded. @default 40_000, a quarter of the effective window at most */
    readonly keepTokens?: number | undefined;
    /** Work is folded in spans of about so many tokens. @default 20_000 */
    readonly spanTokens?: number | undefined;
    /** Smaller stretches are left alone. @default 2_000 */
    readonly minSpanTokens?: number | undefined;
    /** @default 4_000 */
    readonly maxSummaryTokens?: number | undefined;
    /** The share of the request that a commit has to save at least, from 0 to 1: each one rewrites the cache. @default 0.1 */
    readonly minSavings?: number | undefined;
    /** A sub-agent's thread, or that of the summariser, is never collapsed. @default true */
    readonly isMainThread?: boolean | undefined;
    /** Places the cache markers of the requests; those in messages are left out, because nobody reads a span twice. */
    readonly mark?: ((request: Request) => Request) | undefined;
    /** The head of the requests, made from the conversation's; its tools have to stay. @default the conversation's */
    readonly headFor?: ((head: Head) => Head) | undefined;
    /** Entries of one's own; they win over the model table, which says how much a model can reply, and what the window of `headFor` is. */
    readonly models?: readonly ModelInfo[] | undefined;
    /** Where the originals are, in the caller's words; for the receipts. */
    readonly originals?: string | undefined;
    /** Takes secrets out of the summaries. @default true */
    readonly redact?: boolean | undefined;
}
/** Options with nothing left open but what may be left out. */
export type Settings = ReturnType<typeof settingsOf>;
/**
 * Complete and checked settings.
 *
 * @throws RangeError for shares that are not in order.
 */
export declare function settingsOf(options: CollapseOptions): {
    summarize: Summarize;
    sizeOfText: (text: string) => number;
    mark: ((request: Request) => Request) | undefined;
    stageAt: number;
    commitAt: number;
    targetAt: number;
    keepTokens: number;
    spanTokens: number;
    minSpanTokens: number;
    minSavings: number;
    maxSummaryTokens: number;
    isMainThread: boolean;
    headFor: (head: Head) => Head;
    models: readonly ModelInfo[] | undefined;
    originals: string | undefined;
    redact: boolean | undefined;
};
/** Sizes of the context, in tokens. */
export interface CollapseMarks {
    readonly stageTokens: number;
    readonly commitTokens: number;
    readonly targetTokens: number;
}
/** The shares in a window: a compaction must not come before the commit, so all of them come down to its threshold. */
export declare function marksOf({ stageAt, commitAt, targetAt }: Settings, { effectiveTokens, autocompactTokens }: PlanContext['limits']): CollapseMarks;

// collapse/span-sizes.d.ts
import type { Head, Message, PlanContext, View } from '@varve/messages';
import { type ModelInfo } from '@varve/tokens';
/** What the request for the summary of a span has to fit, in tokens, by the model that it goes to. */
export interface SpanSizes {
    readonly windowTokens: number;
    /** The most the model can reply; undefined where it is not known. */
    readonly maxOutputTokens: number | undefined;
    readonly tokenizer: ModelInfo['tokenizer'];
    /** System prompt, tools and whatever else stands beside the messages. */
    readonly overheadTokens: number;
    readonly sizeOf: (message: Message) => number;
}
/** By what is known of the conversation where its model is asked, else by the model table and an estimate. */
export declare function spanSizes(head: Head, { head: conversation, messages }: View, { limits, contextTokens, sizeOf }: PlanContext, models: readonly ModelInfo[] | undefined): SpanSizes;

// collapse/spans.d.ts
import { type Message, type ViewMessage } from '@varve/messages';
/** A stretch of the view, named by the logged messages at its ends. */
export interface CollapseSpan {
    readonly fromId: string;
    readonly toId: string;
    readonly messages: readonly ViewMessage[];
    readonly tokens: number;
}
/** Names what a stretch holds: an undo inside of it can bring back words that its summary does not know. */
export declare const holdsOf: (messages: readonly ViewMessage[]) => string;
export interface SpanOptions {
    /** Tokens of a message. */
    readonly sizeOf: (message: Message) => number;
    /** The newest tokens, which no span holds. */
    readonly keepTokens: number;
    readonly spanTokens: number;
    readonly minSpanTokens: number;
    /** Spans are found until they hold so many tokens together. */
    readonly wantedTokens: number;
    /** Whether a message must stay, whatever it is. */
    readonly isHeld: (message: ViewMessage) => boolean;
}
/**
 * Old stretches of work that can be folded, the oldest first: whole rounds between messages of the user. What the user, a
 * system prompt, a reminder or a compaction said stands between spans and is in none, so nothing of it is lost. Summaries
 * of earlier spans are folded again with what follows them. The round behind a system message stays: no provider takes a
 * user message there.
 */
export declare function findSpans(messages: readonly ViewMessage[], options: SpanOptions): CollapseSpan[];

// error.d.ts
import { VarveError } from '@varve/guards';
/** `attach-threw`: the function that brings back messages after a compaction threw; its error is the `cause`. */
export type CompactErrorCode = 'attach-threw';
/** Thrown where a function that was given fails. Nothing has changed then. */
export declare class CompactError extends VarveError<CompactErrorCode> {
    get name(): 'CompactError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is CompactError;
}

// fold.d.ts
export { createFold } from './fold/planner.ts';

// fold/planner.d.ts
import type { Planner, ToolResultBlock } from '@varve/messages';
export interface FoldOptions {
    /** How many requests old a call is before it is folded. @default 12 */
    readonly afterRequests?: number | undefined;
    /** What all stretches together have to save before the cached prefix is changed for it, in tokens. @default 6,000 */
    readonly minSavingsTokens?: number | undefined;
    /**
     * The same where the prefix is lost anyway: the cache is cold, or another layer has just edited. @default a quarter of
     * `minSavingsTokens`
     */
    readonly minColdSavingsTokens?: number | undefined;
    /** Where a result is stored whole: the line of its call names it. @default what a stored result's text says */
    readonly handleOf?: ((block: ToolResultBlock) => string | undefined) | undefined;
}
/**
 * Creates a planner that turns old small calls into one line each. It takes rounds in which nothing large is left to clear:
 * what the model said between its calls stays where it says something, and nothing that a person said is touched. It needs no
 * model. All it knows is in the log; `observe` and `plan` cost what is new, and after an edit one look at each message of the
 * view.
 *
 * @throws RangeError for a number that makes no sense.
 */
export declare function createFold(options?: FoldOptions): Planner;

// full/accept-summary.d.ts
import type { SummaryReply } from '../types.ts';
/** Why an answer is no summary. */
export type SummaryRefusal = 'tool-call' | 'refused' | 'cut-summary' | 'empty-summary' | 'error-reply' | 'no-structure' | 'lost-earlier' | 'prompt-too-long' | 'not-smaller' | 'over-bound';
export type AcceptResult = {
    readonly kind: 'accepted';
    readonly text: string;
    readonly tokens: number;
} | {
    readonly kind: 'refused';
    readonly reason: SummaryRefusal;
};
export interface AcceptOptions {
    /** What the summary would stand for, in tokens. */
    readonly replacedTokens: number;
    /** The most a summary may have, in tokens. */
    readonly maxTokens: number;
    /** The share of what is replaced that has to be saved at least, from 0 to 1. */
    readonly minSavings: number;
    /** Tokens of a text. */
    readonly sizeOf: (text: string) => number;
    /** The earlier summary that the new one takes over. @default none */
    readonly earlier?: string | undefined;
    /**
     * Gives the texts of what the summary would stand for, by which answers about something else are told. Without it an answer
     * without headings is judged by how failures and refusals begin.
     */
    readonly replaced?: (() => Iterable<string>) | undefined;
    /** The instruction that was sent: lines of it that are repeated say nothing. @default that of `summaryInstruction` */
    readonly asked?: string | undefined;
}
/**
 * Takes an answer for a summary only if it ended normally, calls no tool, has the form that was asked for, says something
 * under its headings or speaks of what it replaces, takes over an earlier summary, and is smaller than what it replaces and
 * than the bound.
 *
 * @throws RangeError for sizes that are no numbers; TypeError for functions that are none.
 */
export declare function acceptSummary(reply: SummaryReply, options: AcceptOptions): AcceptResult;

// full/attachments.d.ts
import type { MessageLike } from '@varve/messages/blocks';
import { type Situation } from './situation.ts';
/** Asks a caller what follows what is kept. */
export type Attach<A> = (kept: readonly A[], room: AttachRoom) => Promise<readonly A[]> | readonly A[];
export interface AttachRoom {
    /** Tokens that attachments may have together, so that the compaction still saves enough. What is over is cut or left out. */
    readonly roomTokens: number;
}
/** What was attached, and what was not. Sizes in tokens. */
export interface Attached<A> {
    readonly attached: readonly A[];
    readonly attachedTokens: number;
    readonly leftOutTokens: number;
}
export interface AttachOptions<A> {
    readonly situation: Pick<Situation, 'head' | 'tokensBefore' | 'effectiveTokens'>;
    readonly minSavings: number;
    /** Size of the next request without attachments, in tokens. */
    readonly tokensAfter: number;
    /** Tokens of an attachment. */
    readonly sizeOf: (attachment: A) => number;
    readonly signal: AbortSignal | undefined;
}
/**
 * Asks for attachments and takes as many whole rounds, from the first on, as leave the compaction smaller by enough; of a
 * message of texts that is too large the head, with a notice. What a provider would refuse behind what is kept is left out.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; CompactError `attach-threw`; TypeError for an answer that is no
 * list of messages
 */
export declare function askAttachments<A extends MessageLike>(attach: Attach<A> | undefined, kept: readonly A[], { situation, minSavings, tokensAfter, sizeOf, signal }: AttachOptions<A>): Promise<Attached<A>>;

// full/call.d.ts
import type { Request, Usage } from '@varve/messages';
import { ModelError } from '@varve/models';
import type { Summarize, SummaryReply } from '../types.ts';
/** Waits so many milliseconds; rejects when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;
export type CallOutcome = {
    readonly kind: 'reply';
    readonly reply: SummaryReply;
} | {
    readonly kind: 'error';
    readonly error: ModelError;
};
/** One call of the model. Whatever it throws is an outcome; only an abort of the signal is thrown. */
export declare function callModel(summarize: Summarize, request: Request, signal: AbortSignal | undefined): Promise<CallOutcome>;
/** Waits by the platform's timer. */
export declare const waitByTimer: Wait;
/** Usages added up, field by field; bills of several calls are one. */
export declare function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined;

// full/compact.d.ts
import type { MessageLike } from '@varve/messages/blocks';
import { type PartialDirection } from '../partial/split.ts';
import type { CompactionFailed, CompactionReceipt, Trigger } from '../types.ts';
import type { Attach } from './attachments.ts';
import type { CompactFailure } from './failure.ts';
import { type SituationOptions } from './plain-situation.ts';
import { type FullOptions } from './settings.ts';
export interface CompactOptions<M extends MessageLike> extends FullOptions, SituationOptions {
    /** Who asked: after an automatic compaction the model is told to go on by itself. @default 'manual' */
    readonly trigger?: Trigger | undefined;
    /** What the summary should pay attention to, in a person's words. */
    readonly focus?: string | undefined;
    /** Messages that follow what is kept: files, plans, announcements. Asked for once a summary stands. */
    readonly attach?: Attach<M> | undefined;
    readonly signal?: AbortSignal | undefined;
    /**
     * Compacts one side of the history only. `from`: the message at `pivot` and what follows is summarised, and what comes before
     * keeps its bytes and its cache; `up-to`: what comes before it is summarised, and the rest stays (the cached prefix is lost).
     * @default all of it but `keepTokens`
     */
    readonly direction?: PartialDirection | undefined;
    /** Position of a message, for `direction`; the nearest legal cut before it is taken. */
    readonly pivot?: number | undefined;
}
export type CompactResult<M extends MessageLike> = {
    readonly kind: 'compacted';
    /** The summary, what is kept (the same objects), and what was attached. */
    readonly messages: readonly M[];
    readonly summary: string;
    readonly receipt: CompactionReceipt;
    /** The error because of which no model wrote it; `receipt.failure` names it. */
    readonly cause?: unknown;
} | (CompactionFailed<CompactFailure> & {
    /** The array that was given. */
    readonly messages: readonly M[];
});
/**
 * Replaces old messages by a summary that is checked against them. The newest request that is not done stays as it is, and
 * about `keepTokens` of the newest rounds. Never mutates; what fails leaves everything as it was and says why.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; nothing has changed then.
 * @throws CompactError `attach-threw`; RangeError and TypeError for options that make no sense.
 */
export declare function compact<M extends MessageLike>(history: readonly M[], options: CompactOptions<M>): Promise<CompactResult<M>>;

// full/draft.d.ts
import { type Head, type Message, type ThinkingRule } from '@varve/messages';
/** What a model is shown to summarise: a start of the conversation, and what had to be left out of it. */
export interface Draft {
    /** How many messages of the conversation the summary stands for. */
    readonly end: number;
    /** What is shown of them. */
    readonly messages: readonly Message[];
    readonly tokens: number;
    /** What all of them have as they were sent, media aside. */
    readonly wholeTokens: number;
    /** Oldest messages that are not shown. */
    readonly omitted: number;
}
export interface DraftSource {
    /** Of the request: thinking that another one is behind does not go into it. */
    readonly head: Head;
    readonly messages: readonly Message[];
    /** Positions up to which a summary may reach, ascending. */
    readonly cuts: readonly number[];
    readonly rule: ThinkingRule;
    /** Tokens of a message. */
    readonly sizeOf: (message: Message) => number;
    /**
     * What gives way when nothing else helps: the newest rounds, which then stay in view (`peel`, down to `leastEnd`), or the
     * oldest, which the summary does not see.
     */
    readonly tooLong: 'peel' | 'drop-oldest';
    readonly leastEnd: number;
}
/** The first `end` messages as they were sent, but for media. */
export declare function createDraft(source: DraftSource, end: number): Draft;
/**
 * A draft that is smaller by so many tokens, or by a fifth of its rounds where nobody knows how many; undefined where a
 * single round is left. Lists that are announced again go first: before that, the cached prefix is worth more than they
 * cost. Large results lose their middle before whole rounds are left out.
 */
export declare function shortenDraft(draft: Draft, source: DraftSource, gapTokens: number | undefined): Draft | undefined;
/** Tokens of messages together. */
export declare const sumOf: (messages: readonly Message[], sizeOf: (message: Message) => number) => number;

// full/failure.d.ts
import type { SummaryRefusal } from './accept-summary.ts';
/**
 * Why a conversation stays as it is. `nothing-to-compact`: no message could be replaced; `round-open`: calls wait for
 * results; `model-failed`: the call failed, its error is the cause; `thinking-bound`: what has to stay holds thinking that is
 * bound to what would go; `still-too-large`: system prompt, tools and what has to stay leave no room for any summary.
 * The others say what was wrong with the model's answer.
 */
export type CompactFailure = SummaryRefusal | 'model-failed' | 'nothing-to-compact' | 'round-open' | 'still-too-large' | 'thinking-bound';
/** What a failed call is called, by the code of its error. */
export declare function failureOfCode(code: string | undefined): CompactFailure;

// full/next-try.d.ts
import type { Usage } from '@varve/messages';
import type { ModelError } from '@varve/models';
import { type Draft, type DraftSource } from './draft.ts';
import type { CompactFailure } from './failure.ts';
import { type RequestSource } from './summary-request.ts';
/** A call that did not give a summary, and what is tried next. */
export interface SummaryAttempt {
    /** Counted from 1. */
    readonly attempt: number;
    readonly reason: CompactFailure;
    /** `parts`: from here on the history is summarised in parts, each with the summary of those before it. */
    readonly next: 'retry' | 'larger-budget' | 'shorter' | 'parts' | 'none';
    /** Oldest messages that the next call does not show. */
    readonly omitted: number;
    /** Messages that the next call shows. */
    readonly remaining: number;
}
/** More calls than this are never made for one summary; above 7 only where the history had to be shown in parts. */
export declare const MOST_CALLS: number;
/** How far the work on one summary is. */
export interface Progress {
    readonly calls: number;
    readonly broken: number;
    readonly unusable: number;
    readonly shorter: number;
    readonly outputTokens: number;
    readonly draft: Draft;
    readonly usage: Usage | undefined;
}
/** Why a call gave no summary. */
export interface Trouble {
    readonly reason: CompactFailure;
    readonly error?: ModelError;
}
type TryTask = DraftSource & Pick<RequestSource, 'head' | 'tokenizer' | 'maxOutputTokens' | 'maxSummaryTokens'>;
export interface NextTry {
    readonly kind: Exclude<SummaryAttempt['next'], 'none' | 'parts'>;
    readonly progress: Progress;
    readonly pauseMs: number;
}
/** What is tried after a call that gave no summary; undefined where nothing is left. */
export declare function nextTry(progress: Progress, trouble: Trouble, task: TryTask): NextTry | undefined;
export {};

// full/plain-situation.d.ts
import type { Ledger } from '@varve/ledger';
import { type Head, type Message, type ThinkingRule } from '@varve/messages';
import type { Situation } from './situation.ts';
/** What a plain history does not say by itself. */
export interface SituationOptions {
    /**
     * Model, system prompt, tools and parameters of the conversation's requests; the summary's request has the same. There is
     * no default for the model.
     */
    readonly head: Partial<Head> & Pick<Head, 'model'>;
    /** Tokens. @default that of the model, or 200,000 */
    readonly windowTokens?: number | undefined;
    /** The most the model can reply, in tokens. @default what is known of the model */
    readonly maxOutputTokens?: number | undefined;
    /** @default that of the model; of an unknown one the strictest, `prefix-bound` */
    readonly thinking?: ThinkingRule | undefined;
    /** Size of the next request as it was measured, in tokens. @default an estimate */
    readonly contextTokens?: number | undefined;
    /** Facts of the conversation from its beginning. @default what is in `messages` */
    readonly ledger?: Ledger | undefined;
    /** Texts that stand in the summary word for word. */
    readonly pins?: readonly string[] | undefined;
    /** Takes secrets out of the summary; what is kept stays as it is. A `ledger` that is given decides for itself. @default true */
    readonly redact?: boolean | undefined;
}
/**
 * A plain history and what is known of its model. Looks at every message.
 *
 * @throws RangeError for sizes that are none; TypeError for a head without a model, or with tools that no provider takes.
 */
export declare function plainSituation(messages: readonly Message[], options: SituationOptions): Situation;
/** @throws TypeError for a head without a model, or with tools that no provider takes: the summary's request could go nowhere. */
export declare function checkModel(head: Partial<Head> | undefined): void;
export declare function headOf(head?: Partial<Head>): Head;
/** The summary that messages begin with. */
export declare function earlierOf([first]: readonly Message[]): string | undefined;

// full/prompt.d.ts
export interface SummaryInstructionOptions {
    /** What the summary should pay attention to, in a person's words. */
    readonly focus?: string | undefined;
    /** The conversation starts with an earlier summary, which has to be merged. @default false */
    readonly earlier?: boolean | undefined;
    /** Heads of texts of the user role that no person wrote, the newest last. @default none */
    readonly machineTexts?: readonly string[] | undefined;
}
/**
 * The instruction that asks a model to summarise the conversation before it. The same options give the same bytes: nothing
 * in it depends on time, paths or ids.
 */
export declare function summaryInstruction(options?: SummaryInstructionOptions): string;
/**
 * Changes whenever a word of the instruction does: a recorded summary belongs to the version it was written for. What is said
 * of texts of machines belongs to the conversation and is not counted.
 */
export declare const SUMMARY_PROMPT_VERSION: string;

// full/settings.d.ts
import { type Expectation } from '@varve/guards';
import type { Request } from '@varve/messages';
import type { Summarize } from '../types.ts';
import { type Wait } from './call.ts';
import type { SummaryAttempt } from './next-try.ts';
/** How a conversation is compacted; what a log and a plain history have in common. */
export interface FullOptions {
    /**
     * Sends the request for the summary, e.g. `(request, options) => send(client, request, options)`. `'ledger'` asks no model:
     * the facts of the ledger are the summary each time.
     */
    readonly summarize: Summarize | 'ledger';
    /**
     * About so many tokens of the newest rounds stay beside the summary.
     * @default 0; by the `'ledger'` a fifth of the conversation and at most 20_000: no model reads what goes, and the newest
     * results may be ones that none has seen yet
     */
    readonly keepTokens?: number | undefined;
    /**
     * What happens when the model gives no summary: the facts of the ledger take its place (`ledger`), they do so only where
     * the conversation would not fit any more (`when-full`), or everything stays as it was (`none`).
     * @default 'ledger'
     */
    readonly fallback?: 'ledger' | 'when-full' | 'none' | undefined;
    /**
     * Whether a model's summary is held against the record of the session: what is missing is appended, what nobody said is marked or goes.
     * False: it goes in as it was written, but for secrets; its structure and its bounds are looked at either way. @default true
     */
    readonly verify?: boolean | undefined;
    /** The most tokens of a summary, and of output that the first call asks for. @default 20_000 */
    readonly maxSummaryTokens?: number | undefined;
    /** The share of what is replaced that a summary has to save at least, from 0 to 1. @default 0.1 */
    readonly minSavings?: number | undefined;
    /**
     * Places the cache markers of the request for the summary. Its last message is the instruction: one more marker in front of
     * that reads what earlier requests wrote, where rounds are kept as well.
     */
    readonly mark?: ((request: Request) => Request) | undefined;
    /**
     * What gives way when the request for the summary is too long: the oldest rounds, which the summary then does not see, or
     * the newest, which stay in the conversation (and the cached prefix with them). @default 'drop-oldest'
     */
    readonly tooLong?: 'drop-oldest' | 'peel' | undefined;
    /** Where the originals are, in words that the model can act on: a path, a tool to read them with. */
    readonly originals?: string | undefined;
    /** Pauses between calls. @default the platform's timer */
    readonly wait?: Wait | undefined;
    /** Told of every call that gave no summary. It must not throw. */
    readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
}
/** What `summarize` has to be. */
export declare const SUMMARIZE: Expectation;
type LeftOpen = 'keepTokens' | 'mark' | 'originals' | 'onAttempt';
type Chosen = Omit<FullOptions, LeftOpen>;
/** Options with nothing left open but what may be left out. */
export type Settings = {
    readonly [Name in keyof Chosen]-?: NonNullable<Chosen[Name]>;
} & Pick<FullOptions, LeftOpen>;
/**
 * Complete and checked settings.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export declare function settingsOf(options: FullOptions): Settings;
export {};

// full/situation.d.ts
import type { Head, Message, ThinkingRule } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { acceptSize } from '@varve/tokens/limits';
/** A conversation that is to be compacted, and what is known of it. Sizes in tokens. */
export interface Situation {
    readonly head: Head;
    /** What the next request carries. */
    readonly messages: readonly Message[];
    /** Positions in `messages` up to which a summary may stand for them, ascending. */
    readonly cuts: readonly number[];
    readonly windowTokens: number;
    /** The window less room for the reply: what a conversation has to stay under. */
    readonly effectiveTokens: number;
    /** From here on it would be compacted again at once. */
    readonly autocompactTokens: number;
    readonly maxOutputTokens?: number | undefined;
    readonly tokenizer: ModelInfo['tokenizer'];
    readonly tokensBefore: number;
    /** System prompt, tools and whatever else stands beside the messages. */
    readonly overheadTokens: number;
    /** Messages that stay beside these and are not among them: the other side of a partial compaction. */
    readonly restTokens: number;
    readonly sizeOf: (message: Message) => number;
    readonly sizeOfText: (text: string) => number;
    /** Tokens of system prompt and tools, by estimate. */
    readonly sizeOfHead: (head: Pick<Head, 'system' | 'tools'>) => number;
    readonly thinking: ThinkingRule;
    readonly facts: Facts;
    /** The earlier summary that the messages begin with. */
    readonly earlier: string | undefined;
    /** Deferred tools that were found so far, by name, each once. */
    readonly discovered: readonly string[];
}
/** What a compaction may leave of the next request. */
export declare const wholeBounds: ({ tokensBefore, effectiveTokens }: Pick<Situation, 'tokensBefore' | 'effectiveTokens'>, minSavings: number) => Parameters<typeof acceptSize>[1];
/** What is known of the conversation without a model, as the ledger has it. */
export interface Facts {
    /** A text without its secrets, where they are to be taken out. */
    redact(text: string): string;
    /** The facts alone, as the body of a summary. */
    render(options: FactsOptions): string;
    /** A summary, repaired: what is missing appended, what nobody said marked or gone; and what was found, by kind. */
    check(summary: string, options: FactsOptions): {
        readonly text: string;
        readonly findings: readonly {
            readonly kind: string;
        }[];
    };
}
export interface FactsOptions {
    /** Of the facts alone, or of what is appended to a summary. */
    readonly budgetTokens: number;
    /** Where the originals are, in the caller's words. */
    readonly originals?: string | undefined;
    /** Whether an earlier summary may be cut to make room. Where it may not and does not fit, nothing is rendered. @default true */
    readonly mayCut?: boolean | undefined;
    /** What stays beside the summary and need not be told again. */
    readonly have?: string | undefined;
    /** Messages that stay beside the summary, by id: what they show need not be told again. */
    readonly shown?: readonly string[] | undefined;
}

// full/sound-attachments.d.ts
import { type ProviderProfile } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
/** What may follow a conversation, in whole rounds, and what may not. */
export interface SoundAttachments<M extends MessageLike> {
    /** A call stands in one round with its results. */
    readonly rounds: readonly (readonly M[])[];
    /** What a provider would refuse behind what is kept: a call without its result or the reverse, a message without content. */
    readonly leftOut: readonly M[];
}
/** Which of some messages may follow what is kept behind a summary. Looks at all of what is kept once, and once a round where something may not. */
export declare function soundAttachments<M extends MessageLike>(kept: readonly MessageLike[], offered: readonly M[], profiles: readonly ProviderProfile[]): SoundAttachments<M>;

// full/summary-request.d.ts
import type { Head, Message, Request } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { Draft } from './draft.ts';
export interface RequestSource {
    readonly head: Head;
    readonly focus?: string | undefined;
    readonly windowTokens: number;
    /** The most the model can reply, in tokens; left out where nobody knows it. */
    readonly maxOutputTokens?: number | undefined;
    /** The most output that a summary itself may have, in tokens; the thinking of the call comes on top. */
    readonly maxSummaryTokens: number;
    readonly tokenizer: ModelInfo['tokenizer'];
    /** System prompt, tools and whatever else stands beside the messages, in tokens. */
    readonly overheadTokens: number;
    /** Tokens of a message. */
    readonly sizeOf: (message: Message) => number;
    /** Places cache markers, or changes what else the caller's requests have. */
    readonly mark?: ((request: Request) => Request) | undefined;
}
export type SummaryRequest = {
    readonly kind: 'request';
    readonly request: Request;
} | {
    readonly kind: 'prompt-too-large';
    readonly overTokens: number;
};
/**
 * The request for a summary: head and messages as the conversation's own requests have them, so that it reads their cache,
 * and the instruction as one more user message. It never asks for more output than the model and the window have.
 */
export declare function summaryRequest(draft: Draft, outputTokens: number, source: RequestSource): SummaryRequest;
type OutputBounds = {
    readonly kind: 'fits';
    readonly mostTokens: number;
    readonly leastAnswerTokens: number;
} | Extract<SummaryRequest, {
    readonly kind: 'prompt-too-large';
}>;
/**
 * How much output a call for a summary of `outputTokens` may ask for behind a prompt of that size, so that both fit the
 * window. A prompt is too large where less room is left than a summary needs.
 */
export declare function outputBounds(promptTokens: number, outputTokens: number, source: Pick<RequestSource, 'head' | 'windowTokens'> & OutputSource): OutputBounds;
export interface OutputSource {
    readonly tokenizer: ModelInfo['tokenizer'];
    readonly maxSummaryTokens: number;
    readonly maxOutputTokens?: number | undefined;
}
/**
 * The most output that a call for a summary may ask for, thinking included: what an SDK sends without streaming, unless the
 * caller asks for longer summaries, or thinks so much that its own requests have to be streamed.
 */
export declare function mostOutputTokens({ params }: Pick<Head, 'params'>, { tokenizer, maxSummaryTokens, maxOutputTokens }: OutputSource): number;
/**
 * What the shortest of the recorded answers takes, by vocabulary: `argument-files-40` of the six in `fixtures/summaries`, 12,847
 * characters. With less output a summary is cut: the call is paid, and its answer is of no use.
 */
export declare const LEAST_SUMMARY_TOKENS: Readonly<Record<ModelInfo['tokenizer'], number>>;
export {};

// hooks/attempts.d.ts
import type { Entry } from '@varve/messages';
/** What a note says of an attempt to compact. An edit that carries the attempt's id in its receipt ends it as well. */
export type AttemptNote = {
    readonly kind: 'compaction-started';
    readonly attempt: string;
    readonly path: string;
} | {
    readonly kind: 'compaction-ended';
    readonly attempt: string;
    readonly outcome: 'compacted' | 'failed' | 'aborted' | 'interrupted';
    readonly reason?: string;
};
/**
 * Notes that end the attempts which a log says began and does not say ended, the newest first. A process that died is
 * the only cause of them when a log has just been opened; appending the notes settles them for good. O(log), once.
 */
export declare function settleAttempts(entries: Iterable<Entry>): readonly AttemptNote[];

// hooks/chain.d.ts
/** Where in a conversation a compaction stands; JSON, for reports. */
export interface CompactionChain {
    readonly turnId: string;
    /** The compaction before this one was made within the same loop of the agent. */
    readonly sameLoop: boolean;
    /** Turns since the compaction before this one; -1 where there was none. */
    readonly turnsSince: number;
    readonly previousTurnId?: string;
}
/** A turn at which the conversation was compacted. */
export interface CompactedTurn {
    readonly loopId: string;
    readonly turnId: string;
    /** Turns are counted from 0 on. */
    readonly turn: number;
}
/** How a compaction follows on the one before it: two within a loop and few turns apart say that it does not help. */
export declare function compactionChain(previous: CompactedTurn | undefined, { loopId, turnId, turn }: CompactedTurn): CompactionChain;

// hooks/hook.d.ts
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
    readonly run: (input: Input, options: {
        readonly signal: AbortSignal;
    }) => Promise<Answer | undefined> | Answer | undefined;
}
/** Hooks run one after the other, in this order. */
export interface CompactionHooks {
    readonly before?: readonly Hook<CompactionStart, BeforeAnswer>[] | undefined;
    /** Run again because what they said at the start is gone; `source` is always `compact`. */
    readonly sessionStart?: readonly Hook<CompactionStart & {
        readonly source: 'compact';
    }, SessionStartAnswer>[] | undefined;
    readonly after?: readonly Hook<CompactionEnd, {
        readonly notice?: string;
    }>[] | undefined;
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

// hooks/pipeline.d.ts
import type { Compaction, CompactionFailed } from '../types.ts';
import type { CompactionHooks, CompactionStart, HookPhase, HookWarning } from './hook.ts';
import { type StartTimer } from './run-hooks.ts';
/** Progress of a compaction, for whoever shows or counts it. */
export type CompactionEvent = {
    readonly type: 'hook-started';
    readonly phase: HookPhase;
    readonly hook: string;
} | {
    readonly type: 'hook-warning';
    readonly warning: HookWarning;
}
/** A hook's line for the person. */
 | {
    readonly type: 'notice';
    readonly text: string;
} | {
    readonly type: 'compaction-started';
    readonly start: CompactionStart;
} | {
    readonly type: 'compaction-ended';
    readonly start: CompactionStart;
    readonly outcome: 'compacted' | 'failed' | 'aborted';
    readonly tokensAfter?: number;
    readonly failure?: string;
    readonly cause?: unknown;
};
export interface PipelineOptions {
    readonly hooks?: CompactionHooks | undefined;
    /** It must not throw. */
    readonly onEvent?: ((event: CompactionEvent) => void) | undefined;
    /** Longest time for each run of a hook, in milliseconds. @default 10_000 */
    readonly hookTimeoutMs?: number | undefined;
    /** @default the timers of the platform */
    readonly startTimer?: StartTimer | undefined;
}
/** What the pipeline reads of a compaction; whatever else an engine returns passes through. */
type Compacted = Pick<Compaction, 'kind'> & {
    readonly receipt: {
        readonly tokensAfter: number;
    };
};
/** What differs between the ways of compacting. */
export interface CompactionSteps<Done extends Compacted> {
    /** Makes the compaction and changes nothing. */
    compact(context: {
        readonly instructions?: string;
        readonly signal?: AbortSignal | undefined;
    }): Promise<Done | CompactionFailed>;
    /**
     * Puts it in force, in one step, and gives it as it is now; undefined: as it was made. Gets what session-start hooks want the
     * model to know. Nothing that happens later takes it back. A refusal is returned.
     */
    commit(done: Done, context: {
        readonly sessionContext: readonly string[];
    }): Promise<Done | CompactionFailed | undefined> | Done | CompactionFailed | undefined;
}
/** Every way of compacting goes through here, so that none of them leaves out a hook or an event. */
export interface CompactionPipeline {
    /**
     * Before-hooks, the compaction, session-start hooks, the commit, after-hooks. What an engine throws is a failure with
     * the reason `error`.
     *
     * @throws the signal's reason, an `AbortError` unless one was given: nothing was committed.
     */
    run<Done extends Compacted>(start: CompactionStart, steps: CompactionSteps<Done>, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<Done | CompactionFailed>;
}
/** Creates the one pipeline of a thread. It keeps nothing between runs. */
export declare function createCompactionPipeline(options?: PipelineOptions): CompactionPipeline;
/** @throws TypeError, RangeError for hooks that would not run, each with its place */
export declare function checkPipeline(options: PipelineOptions, path?: string): void;
export {};

// hooks/run-hooks.d.ts
import type { Hook, HookPhase, HookWarning } from './hook.ts';
/** Calls `done` after `ms` milliseconds, unless the function it returns is called first. */
export type StartTimer = (ms: number, done: () => void) => () => void;
export interface RunHooksOptions {
    readonly phase: HookPhase;
    readonly timeoutMs: number;
    readonly startTimer: StartTimer;
    readonly onWarning: (warning: HookWarning) => void;
    readonly onStart: (hook: string) => void;
    readonly signal?: AbortSignal | undefined;
}
/** Answers of a hook: an object whose named fields are text. */
export type HookAnswer = {
    readonly [field: string]: string | undefined;
};
/**
 * Runs hooks one after the other and returns the answers that came in time. A hook that throws, is late or answers with
 * something else is one warning, and so are texts that are too long, of which the head is kept; what it does after its time is over is not looked at.
 *
 * @throws the signal's reason, an `AbortError` unless one was given, at once, whatever a hook is doing.
 */
export declare function runHooks<Input, Answer>(hooks: readonly Hook<Input, Answer>[], input: Input, options: RunHooksOptions): Promise<HookAnswer[]>;

// index.d.ts
export { assignmentOf } from './after/assignment.ts';
export type { AutoSwitches } from './auto/decide-compaction.ts';
export type { Producer } from './auto/producers.ts';
export { createCollapse } from './collapse/collapse.ts';
export { CompactError } from './error.ts';
export { compact } from './full/compact.ts';
export { SUMMARY_PROMPT_VERSION } from './full/prompt.ts';
export { type CompactionOptions, type Compactor, createCompaction } from './plan/compaction.ts';
export type { CompactionWork } from './plan/work.ts';
export { createProviderCompaction, type RunProviderCompaction, } from './provider/provider-compaction.ts';
export { createThresholdCompaction } from './provider/provider-threshold.ts';
export { restore } from './restore/restore.ts';
export type { RestoredFile } from './restore/restore-files.ts';
export { createSnip } from './snip/planner.ts';
export type { Compaction, CompactionFailed, CompactionReceipt, Summarize, SummaryReply, } from './types.ts';

// partial/split.d.ts
import { type Message } from '@varve/messages';
import type { Situation } from '../full/situation.ts';
import type { Trigger } from '../types.ts';
/** `from`: what comes from a message on is summarised; `up-to`: what comes before it. */
export type PartialDirection = 'from' | 'up-to';
/** Which side of a conversation is summarised. The pivot is a position, or the id of a message of a log. */
export interface Around<Pivot = number> {
    readonly direction: PartialDirection;
    readonly pivot: Pivot;
}
/**
 * Undefined where all of it is.
 *
 * @throws TypeError where only one of both options is given
 */
export declare function aroundOf<Pivot>({ direction, pivot, }: {
    readonly [Name in keyof Around<Pivot>]?: Around<Pivot>[Name] | undefined;
}): Around<Pivot> | undefined;
/** Kebab-case, for the receipt. */
export declare function reasonOf(trigger: Trigger, around: Around<unknown> | undefined): string;
export interface Split {
    readonly direction: PartialDirection;
    /** Where the conversation is cut: the wanted position, or the nearest legal one before it. */
    readonly cut: number;
    /** The part that is summarised, as a conversation of its own. */
    readonly part: Situation;
    /** What stays as it is. */
    readonly rest: readonly Message[];
}
/**
 * Cuts a conversation in two around a message. Undefined where the part to summarise would be empty, or
 * would end in a reply that is nothing but bound thinking. A part that is
 * shown without what stood before it loses the thinking that is bound to that.
 */
export declare function splitAt(situation: Situation, { direction, pivot }: Around): Split | undefined;

// pipeline.d.ts
export { cleanUpAfter } from './after/clean-up.ts';
export { soundAttachments } from './full/sound-attachments.ts';
export { settleAttempts } from './hooks/attempts.ts';
export { compactionChain } from './hooks/chain.ts';
export { type CompactionEvent, type CompactionSteps, checkPipeline, createCompactionPipeline, } from './hooks/pipeline.ts';
export { isStillCurrent } from './plan/work.ts';

// plan/compaction.d.ts
import { type Ledger } from '@varve/ledger';
import type { Message, Plan, PlanContext, Planner } from '@varve/messages';
import { type ModelInfo } from '@varve/tokens';
import type { BreakerState } from '../auto/breaker.ts';
import { type AutoSwitches, type CompactionDecision } from '../auto/decide-compaction.ts';
import { type Producer } from '../auto/producers.ts';
import type { Attach } from '../full/attachments.ts';
import type { CompactFailure } from '../full/failure.ts';
import { type FullOptions } from '../full/settings.ts';
import { type PartialDirection } from '../partial/split.ts';
import type { Compaction, CompactionFailed, Trigger } from '../types.ts';
import type { CompactionWork } from './work.ts';
export interface CompactionOptions extends FullOptions {
    /** What turns automatic compaction off, asked before each request. */
    readonly switches?: (() => AutoSwitches) | undefined;
    /** Texts that stand in every summary word for word, asked when one is made. */
    readonly pins?: (() => readonly string[]) | undefined;
    /** A ledger that somebody else feeds. @default one of its own, fed by `observe` */
    readonly ledger?: Ledger | undefined;
    /** Takes secrets out of summaries; what is kept stays as it is. A `ledger` that is given decides for itself. @default true */
    readonly redact?: boolean | undefined;
    /** Entries of one's own; they win over the model table, which says how much a model can reply. */
    readonly models?: readonly ModelInfo[] | undefined;
}
export interface NowOptions {
    readonly trigger: Trigger;
    /** Kebab-case. @default 'manual' or 'over-threshold'; `partial-from` or `partial-up-to` */
    readonly reason?: string | undefined;
    readonly focus?: string | undefined;
    /** @default what the planner was made with */
    readonly tooLong?: 'drop-oldest' | 'peel' | undefined;
    /**
     * Compacts one side of the conversation only. `from`: the message `pivot` and what follows is summarised, and what comes
     * before keeps its bytes and its cache; `up-to`: what comes before it is summarised, and the rest stays.
     * @default all of it but `keepTokens`
     */
    readonly direction?: PartialDirection | undefined;
    /** Id of a message of the view, or of one that it was made of, for `direction`; the nearest legal cut before it is taken. */
    readonly pivot?: string | undefined;
}
export interface RunOptions {
    readonly signal?: AbortSignal | undefined;
    /**
     * Messages that follow what is kept, with ids the log does not have. Asked for once a summary stands. While calls wait
     * for results the log refuses an edit that brings any: append it once the round is closed.
     */
    readonly attach?: Attach<Message> | undefined;
}
/**
 * Compaction as a planner on a log. The caller runs the work, and appends its edit by `compact` if `isStillCurrent` says so,
 * or the note of a failed attempt (`AttemptNote`), which is how the breaker knows of it; and `{ kind: 'compaction-paused' }` once it
 * has told the person of `no-headroom`.
 */
export interface Compactor extends Planner<CompactionWork> {
    /** Decides whether the next request needs a compaction. */
    plan(context: PlanContext): Plan<CompactionWork>;
    /** The same without asking thresholds, switches and breaker: by hand, or because a request was refused. @throws TypeError for options that make no sense */
    planNow(context: PlanContext, options: NowOptions): Plan<CompactionWork>;
    /** The decision behind `plan`, with its sizes. */
    decide(context: PlanContext): CompactionDecision;
    /**
     * Makes the edit; appends nothing.
     *
     * @throws the signal's reason, an `AbortError` unless one was given; CompactError `attach-threw`
     */
    run(work: CompactionWork, options?: RunOptions): Promise<Compaction | CompactionFailed<CompactFailure>>;
    breaker(): BreakerState;
    /** Which tools fill the view, the largest first. */
    producers(sizeOf: (message: Message) => number): readonly Producer[];
    readonly ledger: Ledger;
}
/**
 * Creates the compaction of one thread. All it knows is in the log.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export declare function createCompaction(options: CompactionOptions): Compactor;

// plan/work.d.ts
import type { Entry, ThinkingRule, ViewMessage } from '@varve/messages';
import type { Situation } from '../full/situation.ts';
import type { Around } from '../partial/split.ts';
import type { Trigger } from '../types.ts';
/** A compaction that was decided on and waits for its model. Holds on to the view it was planned for. */
export interface CompactionWork {
    readonly trigger: Trigger;
    /** Kebab-case. */
    readonly reason: string;
    readonly focus?: string | undefined;
    readonly tooLong?: 'drop-oldest' | 'peel' | undefined;
    /** One side of the conversation, around a message with this id. */
    readonly around?: Around<string> | undefined;
    /** The view it was planned for. */
    readonly messages: readonly ViewMessage[];
    readonly thinking: ThinkingRule;
    /** What the engine works on; made when it is first asked for, because that looks at every message. */
    readonly situation: Situation;
    /** Id of the last entry that was seen; what came after it is asked about before the edit is appended. */
    readonly basis: string | undefined;
    /** Ids of the messages that the edit will bring start with this. */
    readonly idPrefix: string;
}
/**
 * Whether the result of some work may still be appended after these entries, the ones after its `basis`. Messages are
 * fine, and stay; an edit of what was summarised is not, nor an undo, nor thinking bound to what would go.
 */
export declare function isStillCurrent(work: Pick<CompactionWork, 'messages' | 'thinking'>, entriesSince: Iterable<Entry>): boolean;

// provider/provider-compaction.d.ts
import type { Request } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { type CompactFailure } from '../full/failure.ts';
import type { RunOptions } from '../plan/compaction.ts';
import type { CompactionWork } from '../plan/work.ts';
import type { Compaction, CompactionFailed, Summarize, SummaryReply } from '../types.ts';
import { type ProviderRefusal } from './read-block.ts';
/** A reply that brings the messages which go in place of what was compacted, as OpenAI's does. */
export interface ProviderReply extends SummaryReply {
    readonly messages?: readonly MessageLike[];
}
export interface ProviderOptions {
    /**
     * `anthropic`: compaction on demand; `send` of `@varve/models` fits. `openai`: `createOpenAICompact` of
     * `@varve/models/openai` fits.
     */
    readonly provider: 'anthropic' | 'openai';
    readonly call: (...parameters: Parameters<Summarize>) => Promise<ProviderReply>;
    /**
     * In place of the provider's own prompt; at most 16,384 characters. Sent to `anthropic`; with `openai` those that
     * `createOpenAICompact` was given, which are only counted.
     */
    readonly instructions?: string | undefined;
    /** The most output of the provider's summary, in tokens. @default 20_000 */
    readonly maxSummaryTokens?: number | undefined;
    /** The share of what is replaced that has to be saved at least, from 0 to 1. @default 0.1 */
    readonly minSavings?: number | undefined;
    /** Places the cache markers of the request. */
    readonly mark?: ((request: Request) => Request) | undefined;
    /** Where the originals are, in the caller's words. */
    readonly originals?: string | undefined;
}
/** Has the provider compact a conversation that `planNow` of the compactor planned. Appends nothing. */
export type RunProviderCompaction = (work: CompactionWork, options?: RunOptions) => Promise<Compaction | CompactionFailed<CompactFailure | ProviderRefusal>>;
/**
 * Creates the engine. What it makes is an edit like that of any other; the block in it is the object that came, and what it
 * cost stands in the receipt. There are no retries: a failure leads to the next engine. What does not fit the window beside a
 * summary is not sent: `prompt-too-long`, without a call.
 *
 * @throws RangeError for instructions that are too long.
 */
export declare function createProviderCompaction(options: ProviderOptions): RunProviderCompaction;

// provider/provider-threshold.d.ts
import { type Planner } from '@varve/messages';
export interface ThresholdOptions {
    /** Prompt tokens from which the provider compacts; at least 50,000. @default 150_000 */
    readonly triggerTokens?: number | undefined;
    /** In place of the provider's own prompt. */
    readonly instructions?: string | undefined;
    /** The reply is the block alone, so that the caller can act before work goes on. @default false */
    readonly pause?: boolean | undefined;
    /** Where the originals are, in the caller's words; for the receipt. */
    readonly originals?: string | undefined;
}
/**
 * A planner that leaves compaction to Anthropic: it asks for it by a `server` edit, once, beside whatever else the provider
 * was asked for; and takes what a block that came stands for out of the view. A block without content is a failed
 * compaction and changes nothing.
 *
 * @throws RangeError for a trigger the API refuses.
 */
export declare function createThresholdCompaction(options?: ThresholdOptions): Planner;

// provider/read-block.d.ts
import type { Block } from '@varve/messages';
import type { SummaryReply } from '../types.ts';
/** Why a provider's answer holds no compaction; `nothing-to-answer`: it was not asked, because its block would be the end. */
export type ProviderRefusal = 'nothing-to-answer' | 'null-block' | 'no-block' | 'ambiguous-blocks' | 'cut-summary' | 'prompt-too-long' | 'tool-call' | 'refused';
export type ReadBlock = {
    readonly kind: 'block';
    readonly block: Block;
} | {
    readonly kind: 'refused';
    readonly reason: ProviderRefusal;
};
/**
 * The compaction block of an answer, the same object that the provider sent: it may only go back byte for byte. A block
 * without content is a failed compaction.
 */
export declare function readBlock({ content, stopReason }: SummaryReply): ReadBlock;
/** Anthropic says that it failed by `content: null`; OpenAI's block has `encrypted_content` alone. */
export declare function isNullBlock(block: Block): boolean;

// reactive/media-edit.d.ts
import type { Edit, Message, ThinkingRule, ViewMessage } from '@varve/messages';
export interface MediaEditOptions {
    /** Where the provider found fault, counted in the messages of the view; without it all media go, or those of `unansweredFirst`. */
    readonly place?: {
        readonly messageIndex: number;
        readonly blockIndex?: number;
    } | undefined;
    /** Media that no reply of the model stands behind go first, and others only where there are none: those were taken. */
    readonly unansweredFirst?: boolean | undefined;
    /** A logged message by its id. */
    readonly find: (id: string) => Message | undefined;
    readonly thinking: ThinkingRule;
}
/**
 * The edit that puts short texts in place of images and documents: of the block the provider named, or of all that it may
 * have meant where it named none or one without media. The originals stay in the log. On a model that binds thinking to what stands before it,
 * later thinking goes too; where the open turn needs it, or a message holds nothing else, nothing is edited.
 */
export declare function mediaEdit(messages: readonly ViewMessage[], options: MediaEditOptions): (Edit & {
    readonly kind: 'replace-content';
}) | undefined;

// reactive/media-receipt.d.ts
import type { Edit, JsonObject, Message, PlanContext } from '@varve/messages';
export interface MediaReceiptOptions extends Pick<PlanContext, 'contextTokens' | 'sizeOf'> {
    /** A logged message by its id. */
    readonly find: (id: string) => Message | undefined;
    /** How many messages the conversation has. */
    readonly kept: number;
    /** Where the originals are, in the caller's words. */
    readonly originals?: string | undefined;
}
/** The receipt of a `mediaEdit`: which blocks went, and the size of the request before and after, in tokens. */
export declare function mediaReceipt({ blocks }: Extract<Edit, {
    readonly kind: 'replace-content';
}>, { contextTokens, sizeOf, find, kept, originals }: MediaReceiptOptions): JsonObject;

// reactive/recovery.d.ts
import type { ModelError } from '@varve/models';
/** What was tried in this turn of the user; plain data. */
export interface RecoveryState {
    readonly committed: boolean;
    readonly compacted: boolean;
}
/** At the start of every turn of the user. */
export declare const NEW_RECOVERY: RecoveryState;
export interface RecoverySteps {
    /** Commits all spans that collapse has staged; false where there are none. */
    readonly commitStaged?: (() => Promise<boolean> | boolean) | undefined;
    /**
     * Takes images and documents out of the conversation that are too large or that the provider cannot read; `place` is where it
     * found fault.
     */
    readonly stripMedia?: ((place: ModelError['place'], code: ModelError['code']) => Promise<boolean> | boolean) | undefined;
    /** Compacts once, with `tooLong: 'peel'`; false where it failed. An abort is thrown. */
    readonly compact: () => Promise<boolean>;
}
export type Recovery = 
/** Build the request again and send it. Nobody is shown the error. */
{
    readonly kind: 'retry';
    readonly step: 'committed' | 'stripped' | 'compacted';
    readonly state: RecoveryState;
}
/** Show the first error of the turn. */
 | {
    readonly kind: 'show';
    readonly error: ModelError;
    readonly reason: NoRecovery;
    readonly state: RecoveryState;
};
export type NoRecovery = 'not-too-long' | 'disabled' | 'already-tried' | 'compaction-failed' | 'nothing-to-strip';
export interface RecoverOptions {
    /** The error of the main call. */
    readonly error: unknown;
    /** The error that was withheld earlier in this turn; it is shown where recovery ends. */
    readonly firstError?: ModelError | undefined;
    readonly state: RecoveryState;
    readonly steps: RecoverySteps;
    /** The plain switch of automatic compaction, and nothing else. @default true */
    readonly enabled?: boolean | undefined;
}
/**
 * What to do when a request was refused because it is too long, or holds media that are too large or cannot be read. Each of the two steps
 * happens once in a turn of the user, so at most two requests more are sent.
 *
 * @throws the signal's reason, an `AbortError` unless one was given, from a step
 */
export declare function recover(options: RecoverOptions): Promise<Recovery>;

// recovery.d.ts
export { mediaEdit } from './reactive/media-edit.ts';
export { mediaReceipt } from './reactive/media-receipt.ts';
export { NEW_RECOVERY, recover } from './reactive/recovery.ts';

// restore/head-within.d.ts
/** Tokens of a text. */
export type SizeOf = (text: string) => number;
export interface TextHead {
    readonly text: string;
    /** Whether all of the text is there. */
    readonly whole: boolean;
}
/**
 * The longest head of a text that stays within a budget, cut at the end of a line, or inside of one where the first line
 * alone is over. Empty where nothing fits. Sizes O(log) heads of at most 16 characters a token of the budget.
 */
export declare function headWithin(text: string, budgetTokens: number, sizeOf: SizeOf): TextHead;

// restore/limits.d.ts
/** How much a restoration may bring back. Sizes in tokens. */
export interface RestoreLimits {
    /** Files with content. */
    readonly files: number;
    readonly fileTokens: number;
    readonly allFileTokens: number;
    /** Further files, by path only. */
    readonly namedFiles: number;
    readonly skillTokens: number;
    readonly allSkillTokens: number;
    /** The list of stored results. */
    readonly storedTokens: number;
}
export declare const RESTORE_LIMITS: RestoreLimits;

// restore/restore-files.d.ts
import { type SizeOf } from './head-within.ts';
import type { RestoreLimits } from './limits.ts';
import type { IsShown } from './shown.ts';
/** Reads a file as text; undefined where there is none. */
export type ReadFile = (path: string, options: {
    readonly signal?: AbortSignal | undefined;
}) => Promise<string | undefined>;
export interface RestoredFile {
    readonly path: string;
    /** Whether all of it is there; an edit of one that is not needs a fresh read. */
    readonly whole: boolean;
}
/** What became of the files that were asked for. */
export interface FileRestoration {
    readonly restored: readonly RestoredFile[];
    /** By path only. */
    readonly named: readonly string[];
    /** What stays shows them as they are. */
    readonly shown: readonly string[];
    readonly missing: readonly string[];
    /** Could not be read. */
    readonly failed: readonly {
        readonly path: string;
        readonly cause: unknown;
    }[];
}
export interface FileContext {
    readonly readFile: ReadFile;
    readonly sizeOf: SizeOf;
    readonly isShown: IsShown;
    readonly limits: RestoreLimits;
    readonly signal?: AbortSignal | undefined;
}
/**
 * Reads the newest files again until the limits are reached; the next ones are named. Each path counts once, at its
 * newest read. `reads` are paths, the oldest first.
 */
export declare function restoreFiles(reads: readonly string[], context: FileContext): Promise<FileRestoration & {
    readonly texts: readonly string[];
    readonly tokens: number;
}>;
type Read = {
    readonly kind: 'read';
    readonly text: string;
} | {
    readonly kind: 'missing';
} | {
    readonly kind: 'failed';
    readonly cause: unknown;
};
/** @throws the signal's reason, an `AbortError` unless one was given */
export declare function readOnce(path: string, { readFile, signal }: Pick<FileContext, 'readFile' | 'signal'>): Promise<Read>;
export {};

// restore/restore.d.ts
import type { Message } from '@varve/messages';
import { type SizeOf } from './head-within.ts';
import { type RestoreLimits } from './limits.ts';
import { type FileRestoration, type ReadFile } from './restore-files.ts';
import { type StoredSource } from './stored.ts';
/** What a conversation had in front of it before its compaction. Everything is optional. */
export interface RestoreSources {
    /** Paths of standing instructions: read again each time, whole, and first. */
    readonly instructions?: readonly string[] | undefined;
    /** Paths of files that were read, the oldest first; one may stand there more than once. */
    readonly reads?: readonly string[] | undefined;
    /** Skills that were used, the oldest first, with what they say. */
    readonly skills?: readonly {
        readonly name: string;
        readonly text: string;
    }[] | undefined;
    /**
     * Skills that can be used, as they were listed. Left out where the model still knows them: a list costs about 4,000 tokens
     * of cache writes each time.
     */
    readonly skillListing?: string | undefined;
    /** The plan being worked on. */
    readonly plan?: string | undefined;
    /** The list of what is to be done, as it stands. */
    readonly todos?: string | undefined;
    readonly agents?: readonly {
        readonly id: string;
        readonly status: string;
        readonly task: string;
    }[] | undefined;
    /** Deferred tools, agents and servers, each announced whole: what was said of them before is gone. */
    readonly announcements?: readonly string[] | undefined;
    /** Results that can be read whole by a tool, the newest first: `stored()` of `@varve/tool-storage` gives them. */
    readonly stored?: StoredSource | undefined;
    /** What session-start hooks said. */
    readonly sessionContext?: readonly string[] | undefined;
}
export interface RestoreOptions {
    readonly readFile: ReadFile;
    /** Messages that stay; what they show is not brought back. */
    readonly kept: readonly Message[];
    /** An id that no message of the log has. */
    readonly messageId: string;
    /** Tokens of a text. */
    readonly sizeOf: SizeOf;
    /** Sizes in tokens. @default 5 files and 10 names, 5,000 each, 50,000 in all; skills 5,000 each, 25,000 in all; 1,200 for stored results */
    readonly limits?: Partial<RestoreLimits> | undefined;
    /**
     * Tokens that all of it may have together; `attach` of a compaction is told how many. What is over is cut, with a notice, or
     * left out: of instructions and files only whole ones come. @default no bound
     */
    readonly roomTokens?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export interface Restoration extends FileRestoration {
    /** One message, or none where nothing has to come back; for `then` of the edit that compacts. */
    readonly messages: readonly Message[];
    readonly tokens: number;
    /** How many texts were cut or left out because there was no room. */
    readonly leftOut: number;
    readonly skills: readonly string[];
}
/**
 * What a compaction attaches, so that work can go on: instructions, plan, list, files as they are now, skills, background agents,
 * announcements. Files are read again, so what is attached is never older than the compaction. A file that cannot be read
 * is reported, and the rest comes.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; RangeError for limits and room that are no numbers
 */
export declare function restore(sources: RestoreSources, options: RestoreOptions): Promise<Restoration>;

// restore/shown.d.ts
import { type Message } from '@varve/messages';
/** Whether messages show a text as the content of a path. */
export type IsShown = (path: string, text: string) => boolean;
/**
 * Looks for content in messages that stay: in results of calls that name the path, and in texts that do. What was cleared,
 * stored away, read in part or has changed since is not found, so it counts as not shown. Line numbers in front of lines
 * are looked past.
 */
export declare function createIsShown(messages: readonly Message[]): IsShown;

// restore/stored.d.ts
import type { Message } from '@varve/messages';
import type { SizeOf } from './head-within.ts';
/** Results that stand outside of the conversation. */
export interface StoredSource {
    /** The name of the tool that reads them; without a handle it lists them all. */
    readonly tool: string;
    /** The newest first. */
    readonly results: readonly {
        readonly handle: string;
    }[];
}
export interface StoredListingOptions {
    /** What stays; handles that stand there are not listed. */
    readonly kept: readonly Message[];
    readonly budgetTokens: number;
    /** Tokens of a text. */
    readonly sizeOf: SizeOf;
}
/** As many of the newest handles as the budget holds, with a count of the rest; nothing where there is no room for one. */
export declare function storedListing(source: StoredSource | undefined, { kept, budgetTokens, sizeOf }: StoredListingOptions): readonly string[];

// snip/planner.d.ts
import type { Planner } from '@varve/messages';
export interface SnipPlannerOptions {
    /** What the next request should have at most, in tokens. @default 20,000 below the size at which it would be compacted */
    readonly budgetTokens?: number | undefined;
    /** The share of the request that has to be saved at least, from 0 to 1. @default 0.1 */
    readonly minSavings?: number | undefined;
    /** Where the originals are, in the caller's words; for the receipts. */
    readonly originals?: string | undefined;
}
/**
 * Creates a planner that drops oldest rounds before a request. Its receipt says what went and what is left.
 *
 * @throws RangeError for a budget that is no number of tokens.
 */
export declare function createSnip(options?: SnipPlannerOptions): Planner;

// types.d.ts
import type { Edit, Json, Request, StopReason, Usage } from '@varve/messages';
import type { EditReceipt } from '@varve/messages/log';
/** Sends the request for a summary. `send` of `@varve/models` fits; whatever it throws counts as a failed call. */
export type Summarize = (request: Request, options: {
    readonly signal?: AbortSignal | undefined;
}) => Promise<SummaryReply>;
/** What a model answered; a `ModelResponse` fits, and so does what `call` of `@varve/context` answers. */
export interface SummaryReply {
    readonly content: readonly {
        readonly type: string;
        readonly [field: string]: unknown;
    }[];
    /** @default not known: the answer counts as whole where it closes its `</summary>` */
    readonly stopReason?: StopReason | undefined;
    readonly usage?: Usage | undefined;
    /** With a compaction by the provider the bill is their sum, not `usage`. */
    readonly iterations?: readonly unknown[] | undefined;
}
export type Trigger = 'auto' | 'manual';
/** What did the work: a model's summary, running notes, or the ledger alone. */
export type Engine = 'summary' | 'notes' | 'ledger' | 'provider';
/** What a compaction leaves behind; JSON, and it stands in the log entry of the edit. */
export interface CompactionReceipt extends EditReceipt {
    readonly trigger: Trigger;
    readonly engine: Engine;
    /** Tokens of what was attached, which `tokensAfter` counts; only where something was. */
    readonly attachedTokens?: number;
    /** Tokens of what was to be attached and was left out, so that the compaction saves enough; only where something was. */
    readonly leftOutTokens?: number;
    /** The share of what is replaced that the model was shown, from 0 to 1; only of a summary that a model wrote. */
    readonly seenShare?: number;
    /** Id of the last message before the boundary. */
    readonly lastMessageId: string;
    /** First and last kept message and what stands before them; only where something is kept. */
    readonly kept?: {
        readonly head: string;
        readonly tail: string;
        readonly anchor: string;
    };
    /** What the check of the summary found and did: counts by kind. */
    readonly repaired?: {
        readonly [kind: string]: number;
    };
    /** Deferred tools that were found so far: what made them known may be gone, so they are announced again. */
    readonly discoveredTools?: readonly string[];
    readonly calls: number;
    readonly usage?: Json;
}
/** A compaction that was made, ready to be appended. Nothing has changed yet. */
export interface Compaction {
    readonly kind: 'compacted';
    /** Edits without which the one that compacts would be refused: thinking goes that is bound to what it replaces. @default none */
    readonly before?: readonly Edit[] | undefined;
    /** Puts the summary in place of what it stands for. */
    readonly edit: Extract<Edit, {
        kind: 'replace-span';
    }>;
    readonly receipt: CompactionReceipt;
    readonly summary: string;
    /** Tokens that may be attached beside what is, so that it still saves enough. */
    readonly roomTokens: number;
    /** The error because of which no model wrote the summary; the receipt's `failure` names it. */
    readonly cause?: unknown;
}
/** Why nothing was compacted; nothing has changed. */
export interface CompactionFailed<Reason extends string = string> {
    readonly kind: 'failed';
    /** Kebab-case. */
    readonly reason: Reason;
    readonly cause?: unknown;
    /** Calls of the model that were made all the same, and their bill. */
    readonly calls?: number | undefined;
    readonly usage?: Usage | undefined;
}
