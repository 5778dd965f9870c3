// cache-edits.d.ts
import type { JsonObject } from '@varve/messages';
import type { Candidate, Candidates } from './candidate.ts';
/** Deletions that a request carries in one place of its history. */
export interface CacheEdits {
    /** The message they are attached to, always the same one. */
    readonly messageId: string;
    readonly edits: readonly {
        readonly type: 'delete';
        readonly cache_reference: string;
    }[];
}
export interface CacheEditOptions {
    /**
     * Nothing happens up to so many results that are not deleted.
     * @default 20
     */
    readonly maxResults?: number | undefined;
    /**
     * Newest results that stay.
     * @default 5
     */
    readonly keepRecent?: number | undefined;
}
export interface CacheEditContext {
    /** What earlier requests carried: `pinnedEdits(view.server)`. */
    readonly pinned: readonly CacheEdits[];
    /** The last message of the view; what is new is attached to it. */
    readonly lastMessageId: string | undefined;
}
export type CacheEditDecision = {
    readonly kind: 'none';
    readonly reason: string;
} | {
    readonly kind: 'delete';
    readonly clear: readonly Candidate[];
    readonly params: JsonObject;
    /** Tokens that the next request will not read from the cache, as expected. */
    readonly expectedDropTokens: number;
    readonly reason: string;
};
/**
 * Results to delete from the provider's cache while the messages stay as they are. No provider offers this publicly: the
 * parameter is ours.
 */
export declare function decideCacheEdits(candidates: Candidates, { pinned, lastMessageId }: CacheEditContext, options?: CacheEditOptions): CacheEditDecision;
/** Forgets all deletions: what local clearing leaves is another prefix. */
export declare const RESET_CACHE_EDITS: JsonObject;
/** The deletions that live server parameters carry. */
export declare function pinnedEdits(server: JsonObject | undefined): readonly CacheEdits[];

// call-facts.d.ts
import type { ToolUseBlock } from '@varve/messages';
import type { ToolClass, ToolRules } from './tool-class.ts';
/** What is kept of a tool call. */
export interface CallFacts {
    readonly toolName: string;
    /** The file or folder the call is about. */
    readonly path?: string;
    /** Everything the call names that could be a path or a handle, `path` included. */
    readonly names: readonly string[];
    /** Equal for calls that ask the same thing of the same tool; undefined when the input is long. */
    readonly key?: string;
    /** It asks an editor for a look at a file. */
    readonly views: boolean;
    /** What its shell command is about, where that is a look at files. */
    readonly looks?: 'read' | 'search';
}
/** A call as a set of tools has it. */
export interface RatedCall extends CallFacts {
    readonly toolClass: ToolClass;
    /** What it is used for: a shell that reads a file counts as reading. */
    readonly use: ToolClass;
    /** The tool is one whose results may be cleared, and the call is not protected. */
    readonly clearable: boolean;
}
/** Reads a call once in the life of its block. */
export declare function readCall(call: ToolUseBlock): CallFacts;
export interface RateOptions {
    readonly tools: ToolRules;
    readonly isProtected: (call: CallFacts) => boolean;
}
/** What a set of tools says about a call. */
export declare function rateCall(facts: CallFacts, { tools, isProtected }: RateOptions): RatedCall;

// candidate.d.ts
import type { Block } from '@varve/messages';
import type { Needs } from './need/needs.ts';
import type { ToolClass } from './tool-class.ts';
/** Something in the view that could be cleared: a tool's output, a call's long input, or thinking. Sizes in tokens. */
export interface Candidate {
    readonly kind: 'result' | 'input' | 'thinking';
    /** The logged message and the position in its content: what `replace-content` addresses. */
    readonly messageId: string;
    readonly index: number;
    /** The block as the view shows it. */
    readonly block: Block;
    /** Position among all blocks of the view. */
    readonly order: number;
    /** The message of the view it stands in. */
    readonly messageIndex: number;
    /** How many clearable results stand before it (before the results of its round, for an input). */
    readonly ordinal: number;
    /** Which round of calls it belongs to; the newest is `Candidates.round`. */
    readonly round: number;
    /** Where the turn starts that it belongs to, as an order. */
    readonly turn: number;
    /** Empty for thinking. Unique within its round only. */
    readonly toolUseId: string;
    readonly toolName: string;
    readonly toolClass: ToolClass;
    /** What the tool was used for: a shell command that prints a file is a read. */
    readonly use: ToolClass;
    /** The file or folder its call is about. */
    readonly path?: string;
    /** What its call named: paths and handles. */
    readonly names: readonly string[];
    /** Equal for calls that ask the same thing. */
    readonly callKey?: string;
    /** Where the whole output is stored, if it is. */
    readonly handle?: string;
    readonly tokens: number;
    /** What would stand in its place; 0 for thinking. Always less than `tokens`. */
    readonly clearedTokens: number;
    /** How many requests had been sent when it was added: it was part of every later one. */
    readonly addedAt: number;
    readonly isError: boolean;
    /** An error after which the same tool has not succeeded on the same file. */
    readonly unacted: boolean;
    /** What stands between the candidate before it and this one. */
    readonly gapTokens: number;
}
/** Why something must stay, whatever it would save. */
export type Protection = 'newest-round' | 'recent' | 'unacted-error' | 'still-edited-file' | 'repeated-call';
/** What every mechanism decides over. Reading it costs what is new; it never looks at a message again. */
export interface Candidates {
    /** Oldest first; cleared and hidden ones are not among them. */
    readonly list: readonly Candidate[];
    /** With those out of reach, where `list` leaves some out. */
    readonly all?: readonly Candidate[];
    /** Requests sent so far. */
    readonly requests: number;
    /** The newest round of calls. */
    readonly round: number;
    /** Clearable results in the view, cleared ones included. */
    readonly results: number;
    /** Where the newest turn of a person starts, as a position among all blocks. */
    readonly turnOrder: number;
    /** What stands after the last candidate. */
    readonly tailTokens: number;
    /** Everything in the view's closed messages; system prompt and tools are not part of it. */
    readonly totalTokens: number;
    /** Of the candidates of more than `largeTokens` (an option of the fold), their tokens together. */
    readonly largeTokens: number;
    /** No less than `largeTokens`, and said without reading what is new. */
    readonly largeTokensAtMost: number;
    /** When the last assistant message was made, in milliseconds since 1970. */
    readonly lastAssistantAtMs: number | undefined;
    /** All thinking of the view, oldest first. */
    readonly thinking: readonly ThinkingPlace[];
    /** Where it is cleared by need. */
    readonly needs?: Needs | undefined;
    /** Why a candidate must stay; `keepRecent` newest clearable results count as `recent`. */
    protectionOf(candidate: Candidate, keepRecent: number): Protection | undefined;
    /** The request in which it was last used: added, or a later call named its path or handle. */
    lastUseAt(candidate: Candidate): number;
    /** Whether a later call asked the same thing, so that a newer output of it stands further down. */
    isSuperseded(candidate: Candidate): boolean;
}
export interface ThinkingPlace {
    readonly messageId: string;
    readonly index: number;
    readonly order: number;
    /** The message of the view it stands in. */
    readonly messageIndex: number;
    readonly turn: number;
    readonly tokens: number;
    /** Nothing else stands in its message, so that it cannot be dropped. */
    readonly alone: boolean;
}

// candidates.d.ts
import type { Block, Entry, Message, ToolResultBlock, View } from '@varve/messages';
import type { CallFacts } from './call-facts.ts';
import type { Candidate, Candidates } from './candidate.ts';
import { type CompactableTools } from './tool-class.ts';
/** What may become a candidate. Sizes in tokens. */
export interface CandidateOptions {
    /**
     * Names of the tools whose results may be cleared, or a function that is given the default and returns them
     * (`(usual) => [...usual, 'my_database']`). Case and punctuation do not count. MCP tools never are.
     * @default tools that read, search, list, run a shell, fetch from the web, edit and write, as well-known agents call them
     */
    readonly compactableTools?: CompactableTools | undefined;
    /**
     * Calls whose results stay for good.
     * @default reads of memory and instruction files, in a shell too
     */
    readonly isProtected?: ((call: CallFacts) => boolean) | undefined;
    /**
     * Smaller results are no candidates.
     * @default 0
     */
    readonly minTokens?: number | undefined;
    /**
     * Inputs of clearable tools from this size on are candidates too.
     * @default Infinity; 200 for a planner that clears by rent alone
     */
    readonly inputTokens?: number | undefined;
    /**
     * Thinking is a candidate too, where something else stands in its message.
     * @default false; true for a planner that clears by rent alone
     */
    readonly thinking?: boolean | undefined;
    /**
     * What `Candidates.largeTokens` counts as large.
     * @default 1000
     */
    readonly largeTokens?: number | undefined;
    /**
     * For how many requests after an edit a file counts as still edited: its last read and edit stay.
     * @default 10; 4 for a planner that clears by rent alone
     */
    readonly editingRequests?: number | undefined;
    /** The model whose vocabulary sizes are estimated in. @default that of the log's head; else as `o200k` */
    readonly model?: string | undefined;
    /** Tokens of a block. @default the estimate of `@varve/tokens` for the model */
    readonly sizeOf?: ((block: Block) => number) | undefined;
    /** Whether it is followed what later messages say of a candidate: `Candidates.needs`. @default false */
    readonly needs?: boolean | undefined;
    /** Where a result is stored whole. @default what a stored result's text says (`storedHandle` of `@varve/messages/stored`) */
    readonly handleOf?: ((block: ToolResultBlock) => string | undefined) | undefined;
}
/**
 * Keeps the candidates of a growing log. What is new is read when it is asked for, or before the next edit; it costs what is
 * new, and `replace-content` what it replaces, a copy of the list of candidates aside. Other edits look at the view once
 * more, without reading content again.
 */
export interface CandidateFold extends Candidates {
    /** Takes the next entry and the view after it, as the projection gave it: a copy of a view knows nothing of its log. */
    observe(entry: Entry, view: View): void;
    /** The first of `list`; what is new is read only where there is none yet. */
    oldest(): Candidate | undefined;
}
/** A fold of an empty log. */
export declare function createCandidateFold(options?: CandidateOptions): CandidateFold;
/** The candidates of a history without a log: every assistant message counts as one request. */
export declare function candidatesOf(messages: readonly Message[], options?: CandidateOptions): Candidates;

// context-management.d.ts
export { appliedEdits, contextManagement } from './server.ts';

// decide-by-count.d.ts
import type { Candidates } from './candidate.ts';
import { type Decision } from './decision-types.ts';
/** Sizes in tokens. */
export interface CountOptions {
    /**
     * Newest clearable results that stay.
     * @default 3
     */
    readonly keepRecent?: number | undefined;
    /**
     * Only what is larger is cleared.
     * @default 1_000
     */
    readonly candidateTokens?: number | undefined;
    /**
     * Nothing is cleared before so much can go at once. 0 switches the floor off: then everything with more than 120
     * characters of text is cleared.
     * @default 20_000
     */
    readonly minSavingsTokens?: number | undefined;
    /**
     * Nor before so many can go at once, so that the cached prefix breaks rarely.
     * @default 1 with a floor, 8 without
     */
    readonly minBatch?: number | undefined;
}
/** Clears everything old and large at once, as soon as it is worth breaking the cached prefix for. */
export declare function decideByCount(candidates: Candidates, options?: CountOptions): Decision;

// decide-by-idle-time.d.ts
import type { PlanContext } from '@varve/messages';
import type { Candidates } from './candidate.ts';
import { type Decision } from './decision-types.ts';
export interface TimeOptions {
    /**
     * How long the model has to have been silent, in milliseconds; by then no provider's cache holds the prefix.
     * @default 3_600_000
     */
    readonly idleMs?: number | undefined;
    /**
     * A prefix whose lifetime is over counts as idle, however short the silence was.
     * @default false
     */
    readonly whenCold?: boolean | undefined;
    /**
     * Newest clearable results that stay; at least 1.
     * @default 5
     */
    readonly keepRecent?: number | undefined;
}
/** After a long silence the cache is gone and clearing costs nothing: everything old goes. */
export declare function decideByIdleTime(candidates: Candidates, { nowMs, cache }: Pick<PlanContext, 'nowMs' | 'cache'>, options?: TimeOptions): Decision;

// decision-types.d.ts
import type { PlanContext } from '@varve/messages';
import type { Candidate, Candidates } from './candidate.ts';
/** What a mechanism would clear now: nothing, or all of `clear`, oldest first. The reason is kebab-case either way. */
export interface Decision {
    readonly clear: readonly Candidate[];
    readonly reason: string;
    /** Where nothing is cleared yet: the first that goes once it pays. */
    readonly queued?: Candidate | undefined;
}
/** One trigger for clearing: pure over the candidates and what is known before the next request. */
export type Decide = (candidates: Candidates, context: PlanContext) => Decision;
export declare const nothing: (reason: string) => Decision;
/** The same candidates with some of them out of reach. */
export declare function within(candidates: Candidates, isReachable: (candidate: Candidate) => boolean): Candidates;

// explain.d.ts
import { type Message } from '@varve/messages';
import type { Candidates, Protection } from './candidate.ts';
import type { Decision } from './decision-types.ts';
import { type MicrocompactOptions } from './options.ts';
/** One result, and what the next plan would do with it. */
export interface ClearingRow {
    readonly toolUseId: string;
    readonly toolName: string;
    readonly path?: string;
    /** Position among the messages. */
    readonly messageIndex: number;
    /** Of results that can be cleared. */
    readonly tokens?: number;
    readonly action: 'clear' | 'keep';
    /**
     * Why: the plan's reason when cleared, or when nothing holds the result but the trigger; else what keeps it. Kebab-case.
     */
    readonly reason: Protection | 'protected-tool' | 'protected-path' | 'below-minimum' | 'cleared' | (string & {});
}
export interface ExplainContext {
    readonly options: MicrocompactOptions;
    readonly decision: Decision;
}
/** Rows for all results of a history, in its order. */
export declare function explainRows(messages: readonly Pick<Message, 'role' | 'content'>[], candidates: Candidates, { options, decision }: ExplainContext): readonly ClearingRow[];

// index.d.ts
export { explainClearing, microcompact } from './microcompact.ts';
export { createMicrocompact } from './planner.ts';

// legal-clearing.d.ts
import type { PlanContext } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import type { Candidates, ThinkingPlace } from './candidate.ts';
import { type Decide, type Decision } from './decision-types.ts';
/** A decision in a form the model accepts, with the thinking that has to go in the same edit. */
export interface LegalDecision extends Decision {
    readonly drops: readonly ThinkingPlace[];
}
/** What a decision is made legal for: the next request, and the messages that the candidates stand in. */
export interface LegalSituation {
    readonly context: PlanContext;
    readonly messages: readonly MessageLike[];
}
/**
 * Decides, and again over what may be touched if the model's rule for thinking forbids the outcome. On every model a
 * turn keeps all of its thinking or none, and an open turn keeps it. Where thinking is bound to what stands before it
 * (`thinkingDrops` says which), an edit is legal behind the last of it, or when a person has just spoken and all thinking
 * from the edited turn on goes in the same edit.
 */
export declare function decideLegally(decide: Decide, candidates: Candidates, { context, messages }: LegalSituation): LegalDecision;

// microcompact.d.ts
import { type MessageLike } from '@varve/messages/blocks';
import type { Candidate } from './candidate.ts';
import { type ClearingRow } from './explain.ts';
import { type MicrocompactOptions } from './options.ts';
import { type SituationOptions } from './plain-context.ts';
import { type ClearingReceipt } from './receipt.ts';
/** Any message. Content may be missing, because a system message of Anthropic's beta API may have none. */
export type HistoryMessage = Pick<MessageLike, 'role'> & Partial<Pick<MessageLike, 'content'>>;
export interface MicrocompactResult<M extends HistoryMessage> {
    /** The same array where nothing was cleared, and the same messages and blocks where nothing changed in them. */
    readonly messages: readonly M[];
    readonly cleared: readonly ClearedBlock[];
    /** Tokens that the next request is smaller by, as estimated. */
    readonly savedTokens: number;
    /** Why so much, or nothing, was cleared; kebab-case. */
    readonly reason: string;
    /** What a read cache has to forget, and what a log would record. */
    readonly receipt: ClearingReceipt;
}
/** Something whose content is gone. Thinking that had to go with it is counted in `receipt.droppedThinking`. */
export interface ClearedBlock {
    readonly kind: Candidate['kind'];
    readonly messageIndex: number;
    readonly toolUseId: string;
    readonly toolName: string;
    readonly path?: string;
    readonly tokens: number;
}
/**
 * Clears what old tool results hold if that is worth it now, on a plain history. Never mutates; calls, ids and order stay.
 * Messages are sized once in their lives; a call costs one look at each. Pass the history that comes back to the next
 * call, or keep a planner (`createMicrocompact`), which costs what is new only.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export declare function microcompact<M extends HistoryMessage>(messages: readonly M[], options?: MicrocompactOptions & SituationOptions): MicrocompactResult<M>;
/** A dry run: every tool result of a history, and what `microcompact` would do with it and why. */
export declare function explainClearing(messages: readonly HistoryMessage[], options?: MicrocompactOptions & SituationOptions): readonly ClearingRow[];

// need-weights.d.ts
/** What is told of a block that could be needed again; see `needFeatures`. */
export type NeedFeature = 'logAge' | 'logTokens' | 'read' | 'search' | 'shell' | 'editInput' | 'otherInput' | 'sinceNamed' | 'mentions' | 'pathUses' | 'superseded' | 'sameTurn' | 'coverage';
/** A logistic model of whether something is needed again within so many requests. */
export interface NeedWeights {
    readonly horizonRequests: number;
    readonly intercept: number;
    readonly weights: Readonly<Record<NeedFeature, number>>;
    /** What the sum is multiplied by and what is then added, so that of what is said to be needed with one in four, one in four is. */
    readonly calibration: {
        readonly scale: number;
        readonly shift: number;
    };
}
/**
 * Written by `pnpm fit --sessions ../shared/sessions --write`: 41306 samples of 22 recorded sessions of 8 projects.
 * On projects left out: AUC at equal age 0.751, all pairs pooled; its mean over projects: 0.692 to 0.754.
 */
export declare const NEED_WEIGHTS: NeedWeights;

// need/chance.d.ts
import type { Candidate } from '../candidate.ts';
import { type NeedFeature } from '../need-weights.ts';
import type { NeedRecord } from './need-memory.ts';
export interface NeedMoment {
    /** Requests sent so far. */
    readonly requests: number;
    /** Where the newest turn of a person starts. */
    readonly turnOrder: number;
}
/** What is known of a candidate now, by what came before and nothing else. */
export declare function needFeatures({ kind, use, tokens, addedAt, turn }: Candidate, record: NeedRecord, { requests, turnOrder }: NeedMoment): Readonly<Record<NeedFeature, number>>;
/** The chance that a candidate is needed within the next `horizonRequests`. */
export declare function needChance(candidate: Candidate, record: NeedRecord, moment: NeedMoment): number;
/** Notes what the chance was at a request. */
export declare function noteChance(record: NeedRecord, chance: number, request: number): void;
/** The last request at which the chance was so large; -1 where it never was. */
export declare function lastAtLeast({ lastAt }: NeedRecord, chance: number): number;

// need/need-memory.d.ts
import { type Message } from '@varve/messages';
import { type RateOptions } from '../call-facts.ts';
/** What later messages say of a block that could be needed again. Numbers of requests. */
export interface NeedRecord {
    /** How many lines and names it shows. */
    readonly units: number;
    /** The largest share of them that one newer block shows. */
    coverage: number;
    /** Names of it that later calls have, each as a share of those who show it. */
    mentions: number;
    /** A newer reading of its file, or of the same call, takes its place. */
    isSuperseded: boolean;
    /** How often its path was named before it came; undefined where it has none. */
    readonly path: PathUse | undefined;
    readonly pathUsesBefore: number;
    readonly length: number;
    /** By how probable its need was: the last request at which it was so. See `noteChance`. */
    lastAt: Int32Array | undefined;
}
/** Calls on a file. */
interface PathUse {
    uses: number;
    lastAt: number;
    /** What showed the file and nothing took the place of: each is longer than the next by more than two fifths, so they are few. */
    reads: readonly NeedRecord[];
}
/** Fed with messages in the order of the log, each once: what it knows of a block costs what came later, not how long that is. */
export interface NeedMemory {
    /** `request`: how many were sent before the message. */
    add(message: Message, request: number): void;
    recordOf(messageId: string, index: number): NeedRecord | undefined;
}
/** Of what the log does not show. */
export declare const NO_RECORD: NeedRecord;
export declare function createNeedMemory(rules: RateOptions): NeedMemory;
export {};

// need/needs.d.ts
import type { Message } from '@varve/messages';
import type { RateOptions } from '../call-facts.ts';
import type { Candidate } from '../candidate.ts';
import type { NeedFeature } from '../need-weights.ts';
import { type NeedMoment } from './chance.ts';
/** What is known of whether candidates are needed again. */
export interface Needs {
    /** The chance that a candidate is needed soon, by what came before now. */
    chanceOf(candidate: Candidate): number;
    /** The last request at which that chance was at least so large; -1 where it never was. */
    lastAtLeast(candidate: Candidate, chance: number): number;
    /** What the chance is made of. */
    featuresOf(candidate: Candidate): Readonly<Record<NeedFeature, number>>;
}
/** Follows a log: every message once, and the candidates at every request. */
export declare function createNeeds(rules: RateOptions, now: () => NeedMoment): {
    /** The chance that a candidate is needed soon, by what came before now. */
    chanceOf(candidate: Candidate): number;
    /** The last request at which that chance was at least so large; -1 where it never was. */
    lastAtLeast(candidate: Candidate, chance: number): number;
    /** What the chance is made of. */
    featuresOf(candidate: Candidate): Readonly<Record<NeedFeature, number>>;
    /** Takes a message that was logged when so many requests had been sent. */
    add(message: Message, request: number): void;
    /** A request was sent with these candidates. */
    sent(candidates: readonly Candidate[]): void;
};

// options.d.ts
import type { CacheEditOptions } from './cache-edits.ts';
import type { CandidateOptions } from './candidates.ts';
import type { CountOptions } from './decide-by-count.ts';
import type { TimeOptions } from './decide-by-idle-time.ts';
import type { Decide } from './decision-types.ts';
import type { RentOptions } from './rent/decide-by-rent.ts';
import type { ServerClearingOptions } from './server.ts';
/** A trigger that clears local messages. */
export type Mechanism = 'time' | 'count' | 'rent';
/** What is cleared, and when. Sizes in tokens. */
export interface MicrocompactOptions extends CandidateOptions {
    /**
     * `rent`: as soon as what the old results have cost exceeds what clearing them costs. `classic`: after an hour of
     * silence, or as soon as 20,000 tokens of large results can go.
     * @default 'rent'
     */
    readonly preset?: 'rent' | 'classic' | undefined;
    /** The triggers in order, in place of the preset's: the first that clears something decides. */
    readonly mechanisms?: readonly Mechanism[] | undefined;
    /** Newest clearable results that stay, for every trigger. @default 4 by rent, 5 by time, 3 by count */
    readonly keepRecent?: number | undefined;
    /** Nothing is cleared by count before so much can go at once. @default 20_000 */
    readonly minSavingsTokens?: number | undefined;
    readonly time?: TimeOptions | undefined;
    readonly count?: CountOptions | undefined;
    readonly rent?: RentOptions | undefined;
    /**
     * Decides in place of the mechanisms, over the same candidates: what it names is made legal, and cleared by the same edits.
     * @default the mechanisms
     */
    readonly decide?: Decide | undefined;
    /** Lets the provider clear, and nothing is cleared here. */
    readonly server?: ServerClearingOptions | undefined;
    /**
     * Deletes results from the provider's cache in place of clearing them by count or rent. An experiment of ours: no
     * public provider takes the parameter.
     */
    readonly experimental_cacheEdits?: CacheEditOptions | undefined;
    /** A fork never edits the cache of the thread it came from. @default false */
    readonly isFork?: boolean | undefined;
}
/** The triggers that clear local messages, in order. */
export declare function mechanismsOf({ preset, mechanisms, }: MicrocompactOptions): readonly Mechanism[];
/** The options of the fold below a planner. */
export declare function candidateOptions(options: MicrocompactOptions): CandidateOptions;
/** What the last trigger keeps, whatever it would save: newest results, and anything up to a size in tokens. */
export declare function keptBy(options: MicrocompactOptions): {
    keepRecent: number;
    maxTokens: number;
};

// plain-context.d.ts
import type { PlanContext, ThinkingRule } from '@varve/messages';
import type { Candidates } from './candidate.ts';
type PlanPrices = PlanContext['prices'];
/** What a plain history does not say about the next request. */
export interface SituationOptions {
    /** Whose prices, window and rule for thinking count. Without one: the strictest rule, and the ratios of most prices. */
    readonly model?: string | undefined;
    /** How the model binds thinking. @default the model's; 'prefix-bound' for an unknown one */
    readonly thinkingRule?: ThinkingRule | undefined;
    /** Only their ratios matter. @default the model's; else 0.1 to read, 1.25 to write, 5 for output */
    readonly prices?: PlanPrices | undefined;
    /** Milliseconds since 1970. @default 0, at which no time has passed */
    readonly nowMs?: number | undefined;
    /** When the last reply was made, in milliseconds since 1970. @default never: nothing is cleared by time */
    readonly lastReplyMs?: number | undefined;
    /** Whether the provider's cache still holds the last request. @default true */
    readonly cacheWarm?: boolean | undefined;
    /** Whether a person has just spoken. @default whether a person said something since the last reply, beside results too */
    readonly atUserTurn?: boolean | undefined;
    /** Size of the next request in tokens, system prompt and tools included. @default an estimate of the messages */
    readonly contextTokens?: number | undefined;
}
/** What a planner would be told. */
export declare function planContext(candidates: Candidates, isUserTurn: boolean, options: SituationOptions): PlanContext;
export {};

// planner.d.ts
import type { Plan, PlanContext, Planner } from '@varve/messages';
import type { Candidates } from './candidate.ts';
import { type ClearingRow } from './explain.ts';
import { type MicrocompactOptions } from './options.ts';
import { type ClearingReceipt } from './receipt.ts';
/** What to append before the next request; what clears here carries its receipt, to be appended with the edit. */
export type ClearingPlan = Extract<Plan, {
    readonly kind: 'none';
}> | (Extract<Plan, {
    readonly kind: 'edit';
}> & {
    readonly receipt?: ClearingReceipt;
});
/** A planner that clears what old results hold; its edits are `replace-content` and `server`. */
export interface Microcompact extends Planner {
    plan(context: PlanContext): ClearingPlan;
    frontier(): number | undefined;
    /** Every result of the view, with what the next plan would do with it and why. Changes nothing; looks at the view. */
    explain(context: PlanContext): readonly ClearingRow[];
    /** What decisions are made over. */
    readonly candidates: Candidates;
}
/**
 * Creates a planner for one thread. All it knows is in the log: fed a loaded log it decides as before, and a fork of the
 * log gets a planner of its own. `observe` reads nothing but edits; `plan` costs what is new, once something could be worth
 * clearing, and what could be cleared.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export declare function createMicrocompact(options?: MicrocompactOptions): Microcompact;

// receipt.d.ts
import type { JsonObject } from '@varve/messages';
import type { LegalDecision } from './legal-clearing.ts';
/**
 * What stands beside an edit in the log. It is JSON, so that the caller appends it as the entry's `receipt`. Sizes in
 * tokens.
 */
export interface ClearingReceipt extends JsonObject {
    /** Calls whose output was cleared, oldest first. */
    readonly clearedToolUseIds: readonly string[];
    /** Calls whose input was cleared. */
    readonly clearedInputIds: readonly string[];
    /** Blocks of thinking that were dropped. */
    readonly droppedThinking: number;
    /**
     * Files whose content is no longer shown where a read, an edit or a write showed it: whatever answers "unchanged since
     * the last read" has to forget them. Without a leading `./` and doubled slashes.
     */
    readonly paths: readonly string[];
    /** Where cleared outputs are stored whole. */
    readonly handles: readonly string[];
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** By deletions in the provider's cache: what the next request will not read from it. */
    readonly expectedDropTokens: number;
}
export interface ReceiptOptions {
    /** Size of the messages before the edit. */
    readonly tokensBefore: number;
    /** @default 0 */
    readonly expectedDropTokens?: number | undefined;
}
/** The receipt of a decision. */
export declare function clearingReceipt(decision: Pick<LegalDecision, 'clear' | 'drops'>, { tokensBefore, expectedDropTokens }: ReceiptOptions): ClearingReceipt;

// rent/decide-by-rent.d.ts
import type { PlanContext } from '@varve/messages';
import type { Candidates } from '../candidate.ts';
import { type Decision } from '../decision-types.ts';
export interface RentOptions {
    /**
     * What says how likely something is needed again. `age`: its age and the kind of its tool. `need`: what came later as well, by
     * weights fitted on recorded sessions: whether newer blocks show its lines, calls named it, or its path. It keeps less of what
     * stands elsewhere too, and more of what is still worked on.
     * @default 'age'
     */
    readonly by?: 'age' | 'need' | undefined;
    /**
     * Newest clearable results that stay.
     * @default 4
     */
    readonly keepRecent?: number | undefined;
    /**
     * The cached prefix is broken once the rent that was paid too long is so many times what writing it anew costs. A replay
     * of 20 recorded sessions did best at 4. By need half of it when a person has just spoken.
     * @default 4
     */
    readonly patience?: number | undefined;
    /**
     * How many times dearer than its price fetching something again is taken to be: for the turn and the trust it costs
     * besides. Higher keeps more at hand: at 2, nine tenths of what recorded sessions soon needed were. By need three fifths of it
     * when a person has just spoken.
     * @default 2; 2.5 by need
     */
    readonly caution?: number | undefined;
}
/**
 * Ski rental: what lies in the context pays rent, its reading in every request. Rent counts from the request on in which
 * something stopped being worth it (`dueAge`). Once that of everything due behind a place is a multiple of what it costs to
 * write what follows the place again, all of it goes; at once when the cache is cold, and from the size on at which the
 * conversation would be compacted. No guess of how long the session goes on is needed, and only ratios of prices count.
 * One step for each candidate.
 */
export declare function decideByRent(candidates: Candidates, context: PlanContext, options?: RentOptions): Decision;

// server.d.ts
import type { JsonObject } from '@varve/messages';
/** Clearing by the provider, which leaves local messages and preserved thinking alone. Sizes in tokens. */
export interface ServerClearingOptions {
    /**
     * Prompt size from which the provider clears.
     * @default 180_000
     */
    readonly triggerTokens?: number | undefined;
    /**
     * The provider clears nothing unless so much goes at once.
     * @default 140_000
     */
    readonly clearAtLeastTokens?: number | undefined;
    /** Newest calls whose results stay. @default the provider's, 3 */
    readonly keepToolUses?: number | undefined;
    /** Tools whose results stay: the provider knows nothing of `compactableTools`. @default none */
    readonly excludeTools?: readonly string[] | undefined;
    /** Clear inputs too: of all tools, or of these. @default false */
    readonly clearToolInputs?: boolean | readonly string[] | undefined;
    /** Turns whose thinking stays, or all; left to the provider when not set. */
    readonly keepThinking?: number | 'all' | undefined;
}
/**
 * Request parameters for clearing by Anthropic: `{ context_management: { edits } }`, thinking first, as the provider
 * wants it (platform.claude.com, "Context editing", read in November 2026).
 */
export declare function contextManagement(options?: ServerClearingOptions): JsonObject;
/** The parameters with what others asked the provider for (a compaction, say) behind them, as live edits carry it. */
export declare function besideOthers(wanted: JsonObject, server: JsonObject | undefined): JsonObject;
/** What the provider says it cleared for one response. */
export type AppliedEdit = {
    readonly kind: 'tool-uses';
    readonly cleared: number;
    readonly clearedTokens: number;
} | {
    readonly kind: 'thinking-turns';
    readonly cleared: number;
    readonly clearedTokens: number;
} | {
    readonly kind: 'other';
    readonly type: string;
};
/** Reads the applied edits out of a response or the final `message_delta` of a stream; none when it names none. */
export declare function appliedEdits(response: unknown): readonly AppliedEdit[];

// tool-class.d.ts
/** What a tool does, as far as clearing cares. `edit` and `write` change a file; `other` is never cleared. */
export type ToolClass = 'read' | 'shell' | 'search' | 'list' | 'web' | 'edit' | 'write' | 'other';
/** Says which tools may be cleared, and of which class they are. */
export interface ToolRules {
    classOf(name: string): ToolClass;
    /** Never true of a tool that an MCP server brought (`mcp__server__tool`). */
    isCompactable(name: string): boolean;
}
/** Names of tools whose results may be cleared, or what is made of the usual ones. */
export type CompactableTools = readonly string[] | ((usual: readonly string[]) => readonly string[]);
/** Rules for a set of tool names; memoises per name. */
export declare function createToolRules(tools?: CompactableTools): ToolRules;
