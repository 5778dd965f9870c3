// bill-split.d.ts
import { type Usage } from '@varve/messages';
import { type ModelInfo } from '@varve/tokens';
import type { BreakObservation } from './break-detector.ts';
import type { CacheRequest } from './cache-request.ts';
import { type PromptPart } from './prompt-parts.ts';
import type { PromptSizes } from './prompt-sizes.ts';
export interface BillSplitOptions {
    /** Prices of one's own: entries that win over the model table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
/** A response: its request as it was sent, what was billed, and what a break detector said to it. */
export interface SplitRequest {
    readonly request: CacheRequest;
    readonly usage: Usage;
    readonly observation: BreakObservation;
    readonly sizeOf: PromptSizes;
}
/** Tokens and their price; dollars of every token whose rate is known. */
export interface BillAmount {
    readonly tokens: number;
    readonly dollars: number;
}
/** What one part of the prompts was billed. */
export interface BillPart {
    readonly part: PromptPart;
    /** Read from the cache. */
    readonly read: BillAmount;
    /** Sent before, and not read: what a lost, a missing or a too small cache costs. */
    readonly again: BillAmount;
    /** Sent for the first time. */
    readonly added: BillAmount;
}
/** Breaks of one cause. */
export interface BillBreak {
    /** The reason that was announced, else the cause that was found. */
    readonly cause: string;
    readonly isExpected: boolean;
    readonly count: number;
    /** What could have been read had nothing changed; what an edit took out is never paid again. */
    readonly lostTokens: number;
    /** What was sent again for it, and what that cost beyond reading it. */
    readonly again: BillAmount;
}
/** Where the money of a conversation went. `parts` and `output` together are all that its replies were billed. */
export interface SplitBill {
    readonly parts: readonly BillPart[];
    readonly output: BillAmount;
    /** The dearest first. */
    readonly breaks: readonly BillBreak[];
}
export interface BillSplit {
    /** Call with every response that carries usage, in the order in which the requests started. */
    add(response: SplitRequest): void;
    get(): SplitBill;
}
/**
 * Splits bills over what the prompts were made of. The sizes of parts are estimates, scaled to what was billed; their sum is
 * the bill. A request costs O(what is new), and a comparison of references for each other message where no log grew.
 */
export declare function createBillSplit({ models }?: BillSplitOptions): BillSplit;

// break-detector.d.ts
import { type Usage } from '@varve/messages';
import { type BreakMeasures } from './break-measures.ts';
import type { CacheBreak } from './cache-break.ts';
import { type SentRequest } from './explain-break.ts';
import type { CachePolicy } from './policy.ts';
import type { PromptSizes } from './prompt-sizes.ts';
export interface BreakDetectorOptions {
    readonly policy: CachePolicy;
    /** @default an estimate for the policy's tokenizer */
    readonly sizeOf?: PromptSizes | undefined;
    /**
     * Tokens a read may fall short of what was expected without counting as a drop.
     * @default 1_000
     */
    readonly toleranceTokens?: number | undefined;
    /**
     * The same as a share of what was expected, from 0 to 1; the larger of the two holds.
     * @default 0.05
     */
    readonly toleranceShare?: number | undefined;
}
/** A response to observe: its request as it was sent, its times, and what was billed. */
export interface BilledRequest extends SentRequest {
    /** In Anthropic's shape, as everywhere in varve. */
    readonly usage: Usage;
    /** @default 'main' */
    readonly thread?: string | undefined;
    /** On the first request of a thread: the thread it branches off from. */
    readonly forkOf?: string | undefined;
}
/**
 * What the usage of a response says. `expected`: fewer tokens were read, for an announced reason, because the lifetime had
 * passed, because the first image or citation came in, or because the prompt before was shorter than the provider caches (`below-minimum`). `alarm`: fewer were read and
 * nobody said why; the causes are the simulator's. `no-marker` among them: the request before marked nothing, so that
 * nothing could be read. `markers-ignored` and `not-reported` are said once, whatever was
 * announced, until a bill shows a token that was cached.
 */
export type BreakObservation = {
    readonly readTokens: number;
    /** What the request before had left in the cache, as it was billed. */
    readonly expectedReadTokens: number;
} & ({
    readonly kind: 'no-drop';
} | {
    readonly kind: 'expected';
    readonly reason: string;
    readonly breaks: readonly CacheBreak[];
} | {
    readonly kind: 'alarm';
    readonly breaks: readonly CacheBreak[];
});
export interface BreakDetector {
    /** Announces that the next response of a thread may read less, e.g. `compaction`, `clearing` or `model-switch`. */
    expect(reason: string, thread?: string): void;
    /** Reads what a request adds that was sent, so that its response is observed faster: for while a model answers. */
    read(request: SentRequest['request'], thread?: string): void;
    /**
     * Call with every response that carries usage, in the order in which the requests started. Throws `invalid-marker` if
     * no provider with this policy can have accepted the request.
     */
    observe(response: BilledRequest): BreakObservation;
    measures(): BreakMeasures;
}
/**
 * Watches billed usage for drops of cached tokens and names their cause. Known edits are announced beforehand, a lifetime
 * that passed explains itself, and only what is left raises an alarm, with the first thing that changed.
 */
export declare function createBreakDetector(options: BreakDetectorOptions): BreakDetector;

// break-measures.d.ts
import { type Usage } from '@varve/messages';
import type { BreakObservation } from './break-detector.ts';
/** What a session's cache did, in numbers. */
export interface BreakMeasures {
    readonly requests: number;
    readonly promptTokens: number;
    readonly readTokens: number;
    /** Read tokens of all prompt tokens, from 0 to 1; 0 before the first response. */
    readonly hitShare: number;
    /** Expected drops by reason: how often a session was compacted, cleared or left idle. */
    readonly expected: Readonly<Record<string, number>>;
    /** Alarms by their largest cause. */
    readonly alarms: Readonly<Record<string, number>>;
    /** Tokens that drops of either kind cost. */
    readonly lostTokens: number;
    /** Drops that were announced or predicted and did not come. */
    readonly falseAlarms: number;
}
interface MeasuredResponse {
    readonly usage: Usage;
    readonly wasWarned: boolean;
}
export interface MeasureKeeper {
    add(observation: BreakObservation, response: MeasuredResponse): void;
    get(): BreakMeasures;
}
export declare function createBreakMeasures(): MeasureKeeper;
export {};

// cache-break.d.ts
import type { BlockPlace, PrefixChange } from './cache-change.ts';
import type { Obstacle } from './scope-cache.ts';
/**
 * Why less was read than the request before had left in the cache. `evicted` and `unexplained` are what billed usage can
 * show and a simulator cannot: the entry should have been there. `no-marker`, and `below-minimum` of a request that left
 * nothing at all, say why there was nothing to read: what the two requests have in common is lost. Only bills show
 * `markers-ignored` (marked requests are billed without a token read or written: something between, such as a gateway, strips the
 * markers) and `not-reported` (the bill says nothing of the cache).
 */
export type BreakCause = 'first-request' | PrefixChange['cause'] | 'ttl-expired' | 'marker-out-of-reach' | 'not-yet-available' | 'below-minimum' | 'no-marker' | 'markers-ignored' | 'not-reported' | 'evicted' | 'unexplained';
export interface CacheBreak {
    readonly cause: BreakCause;
    /** Tokens that could have been read and were not, for this cause. */
    readonly lostTokens: number;
    /** With `messages-changed`: the first block that differs, counted in the new request. */
    readonly place?: BlockPlace;
    /** With `params-changed`: the parameter, its path joined with dots. */
    readonly param?: string;
}
export interface LossOptions {
    /** What the request before left in the cache. */
    readonly expectedTokens: number;
    /** Those of them that are still the beginning of this request. */
    readonly reachableTokens: number;
    readonly readTokens: number;
    readonly change: PrefixChange | undefined;
    readonly obstacle: Obstacle | undefined;
    /** Whether all that the request before had left has expired. */
    readonly isCold: boolean;
}
/**
 * Splits what was lost by cause; the parts add up to it. A change loses what no longer matches, the rest is lost because
 * no entry that far back was left. On a cold cache everything is lost to time, whatever changed.
 */
export declare function breaksOf(loss: LossOptions): readonly CacheBreak[];

// cache-change.d.ts
import type { ThreadPrefix } from './thread-prefix.ts';
/** A block of a message. */
export interface BlockPlace {
    readonly messageIndex: number;
    readonly blockIndex: number;
}
/** The first thing in which a request differs from the one before it on its thread. */
export interface PrefixChange {
    readonly cause: 'model-changed' | 'params-changed' | 'tools-changed' | 'system-changed' | 'messages-changed'
    /** The first image came in, or the last went: a provider may then read all messages anew, although none of them changed. */
     | 'images-changed'
    /** The same of documents with citations, which may lose the system prompt. */
     | 'citations-changed';
    /** With `messages-changed`: the first block that differs, counted in the new request; with `images-changed` and `citations-changed`: the first message with one. */
    readonly place?: BlockPlace;
    /** With `params-changed`: the parameter, its path joined with dots. */
    readonly param?: string;
}
/** What has to be remembered of a thread before it moves on, so that the change can be named afterwards. */
export interface ThreadBefore extends Pick<ThreadPrefix, 'head' | 'headParts' | 'toolsEnd' | 'headEnd'> {
    readonly hadImages: boolean;
    readonly hadCitations: boolean;
}
export declare function rememberThread(thread: ThreadPrefix): ThreadBefore;
/** Undefined where everything the request before had is still there: something was only added. */
export declare function changeSince(before: ThreadBefore, thread: ThreadPrefix): PrefixChange | undefined;

// cache-policy.d.ts
import type { ModelInfo } from '@varve/tokens';
import type { CachePolicy } from './policy.ts';
export interface CachePolicyOptions {
    /**
     * Lifetime of markers that name none: the provider's short or long one.
     * @default '5m'
     */
    readonly ttl?: '5m' | '1h' | undefined;
    /**
     * Milliseconds an entry is still found after its lifetime. 25,000 fits recorded Claude sessions best.
     * @default 0
     */
    readonly graceMs?: number | undefined;
}
/**
 * The cache policy of a model, with its minimum prefix, its lifetimes and its prices taken from the model table. Takes an id or
 * an entry of one's own. Throws `unknown-model` for an id the table does not have: it never guesses by prefix; and
 * `invalid-policy` for a lifetime no provider offers or a grace that is no number.
 */
export declare function cachePolicy(model: string | ModelInfo, options?: CachePolicyOptions): CachePolicy;

// cache-request.d.ts
import type { Head, Marker, Message, Request, Role } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
/** A message of anybody's loop: ids are not needed, and content may be a plain text. `Message` and `MessageParam` fit. */
export interface CacheMessage extends MessageLike {
    /** Narrower than that of any message: a request is made of it again. */
    readonly role: Role;
}
/** The least a request has to be for the functions of this package; `Request` fits. */
export interface CacheRequest {
    readonly head: Omit<Head, 'id'>;
    readonly messages: readonly CacheMessage[];
    readonly markers: readonly Marker[];
    readonly server?: Request['server'];
}
/** The same request with every text content as one block; the request itself where there is none. */
export declare const withBlocks: (request: CacheRequest) => Request;
/** The same for the requests of a growing history; the first `shared` messages are those of the request before. */
export declare function createWithBlocks(): (request: CacheRequest, shared: number) => Request;
/** The blocks of a message, a text content as one: the same object each time, because blocks are known by reference. */
export declare const blocksOf: (message: CacheMessage) => Message['content'];

// cache-result.d.ts
import type { priceUsage } from '@varve/tokens';
import type { CacheBreak } from './cache-break.ts';
import type { PrefixChange } from './cache-change.ts';
import type { AppliedEdit } from './server-view.ts';
import type { CacheTokens, ProviderUsage } from './usage-fields.ts';
export interface SendOptions {
    /** Milliseconds of any clock. Requests are sent in the order of this; several may be in flight. */
    readonly startMs: number;
    /**
     * When the first token of the reply came: from then on others can read what this request wrote.
     * @default startMs
     */
    readonly firstTokenMs?: number | undefined;
    /**
     * Which conversation the request belongs to: breaks are told against the request before it on the same one. All
     * threads share one cache.
     * @default 'main'
     */
    readonly thread?: string | undefined;
    /** On the first request of a thread: the thread it branches off from, whose prefix it is expected to read. */
    readonly forkOf?: string | undefined;
    /**
     * Tokens of the reply, for the dollars.
     * @default 0
     */
    readonly outputTokens?: number | undefined;
    /** Sizes that are known from a bill; they win over estimates and carry over to the requests that follow. */
    readonly billed?: BilledSizes | undefined;
}
export interface BilledSizes {
    /** Tokens of tools and system prompt. */
    readonly headTokens?: number | undefined;
    /** Tokens up to the last marker: what was read and written together. */
    readonly cachedTokens?: number | undefined;
    /** Tokens of the whole prompt. */
    readonly promptTokens?: number | undefined;
}
export interface CacheResult {
    /** What the provider would report, under its names. */
    readonly usage: ProviderUsage;
    readonly tokens: CacheTokens;
    /** Dollars of prompt and reply with price tiers; parts without a known rate stand in `unpricedTokens`. */
    readonly price: ReturnType<typeof priceUsage>;
    /** The same as a number; undefined where nothing of it has a known rate. */
    readonly dollars: number | undefined;
    /** The prompt's price in plain input tokens; undefined where the policy does not know what a write costs. */
    readonly inputUnits: number | undefined;
    /** Why less was read than expected; empty where nothing was lost. `lostTokens` add up to expected minus read. */
    readonly breaks: readonly CacheBreak[];
    /**
     * Where the request before left nothing in the cache: why, and the tokens that this one has in common with it and cannot
     * read. No part of `breaks`, which tell what was lost of what was there.
     */
    readonly uncached?: CacheBreak;
    /** In what this request differs from the one before it; undefined where something was only added. */
    readonly change: PrefixChange | undefined;
    /** Tokens this request has in common with the one before it on its thread. */
    readonly commonPrefixTokens: number;
    /** Tokens the request before left in the cache. */
    readonly expectedReadTokens: number;
    /** Server-side edits that were applied before anything was hashed or billed. */
    readonly appliedEdits: readonly AppliedEdit[];
    /** Types of edits the simulator leaves out, because they need a model. */
    readonly unsimulated: readonly string[];
}

// define-policy.d.ts
import type { CachePolicy } from './policy.ts';
/**
 * Checks a policy record of one's own and returns it. Throws `invalid-policy` with every contradiction found, since a
 * record that contradicts itself gives numbers that look right, and a `TypeError` or `RangeError` for what is no policy.
 */
export declare function definePolicy(policy: CachePolicy): CachePolicy;

// diagnosis.d.ts
import type { BreakCause } from './cache-break.ts';
/**
 * What a provider's diagnosis says to a prediction. `agreed`: both name a cause, or both none. `differs`: they name others.
 * `only-predicted`, `only-diagnosed`: one side alone saw a miss. `unknown`: the provider gave no diagnosis, see `reason`.
 */
export type DiagnosisComparison = {
    readonly kind: 'agreed';
    readonly cause?: string;
} | {
    readonly kind: 'differs';
    readonly word: string;
    readonly predicted: readonly string[];
} | {
    readonly kind: 'only-predicted';
    readonly predicted: readonly string[];
} | {
    readonly kind: 'only-diagnosed';
    readonly word: string;
} | {
    readonly kind: 'unknown';
    readonly reason: 'not-asked' | 'pending' | 'unavailable';
};
/**
 * Sets a provider's cache-miss diagnosis, as a `ModelResponse` of `@varve/models` carries it, beside the causes that a break
 * detector, a simulator or `explainBreak` named; `predicted` is empty where no miss was expected.
 */
export declare function compareDiagnosis(miss: {
    readonly word: string;
} | undefined, predicted: readonly BreakCause[]): DiagnosisComparison;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `unknown-model`: the model table has no entry for this id. `invalid-policy`: a policy record contradicts itself.
 * `invalid-marker`: a provider would refuse the request for its cache markers. `invalid-time`: a time is not a number, or a
 * reply begins before its request. `invalid-request`: a request is given without its time. `invalid-size`: a number of tokens is negative or no number.
 */
export type PromptCacheErrorCode = 'unknown-model' | 'invalid-policy' | 'invalid-marker' | 'invalid-request' | 'invalid-time' | 'invalid-size';
/** What this package throws when it is used against its contract. */
export declare class PromptCacheError extends VarveError<PromptCacheErrorCode> {
    get name(): 'PromptCacheError';
    /** Recognises the error across duplicate copies of the package. */
    static is(value: unknown): value is PromptCacheError;
}

// explain-break.d.ts
import type { CacheBreak } from './cache-break.ts';
import type { PrefixChange } from './cache-change.ts';
import type { CacheRequest } from './cache-request.ts';
import type { CachePolicy } from './policy.ts';
import type { PromptSizes } from './prompt-sizes.ts';
/** A request and its times, in milliseconds of one clock. */
export interface SentRequest {
    readonly request: CacheRequest;
    readonly startMs: number;
    /** @default startMs */
    readonly firstTokenMs?: number | undefined;
}
export interface ExplainBreakOptions {
    readonly policy: CachePolicy;
    /** @default an estimate for the policy's tokenizer */
    readonly sizeOf?: PromptSizes | undefined;
}
export interface BreakExplanation {
    /**
     * What was lost, by cause; empty where everything could be read. `first-request` where nothing came before; `no-marker` or
     * `below-minimum` where the request before left nothing in the cache.
     */
    readonly breaks: readonly CacheBreak[];
    /** The first thing in which the requests differ; undefined where something was only added. */
    readonly change: PrefixChange | undefined;
    readonly expectedReadTokens: number;
    readonly readTokens: number;
}
/**
 * What a request cannot read of what the one before it left in the cache, and why. Looks at these two alone: entries that
 * older requests or other threads left are not known here.
 */
export declare function explainBreak(previous: SentRequest | undefined, next: SentRequest, options: ExplainBreakOptions): BreakExplanation;
/**
 * The causes of a drop that was billed. What the simulator lost as well is explained; the rest should have been there:
 * evicted where the policy has no timer, else unexplained.
 */
export declare function billedBreaks(predicted: readonly CacheBreak[], lostTokens: number, policy: CachePolicy): readonly CacheBreak[];

// head-parts.d.ts
import { type Block, type Head, type JsonObject, type Tool } from '@varve/messages';
import type { CachePolicy, Section } from './policy.ts';
import { type Part } from './prefix-columns.ts';
import type { PromptSizes } from './prompt-sizes.ts';
export interface HeadParts {
    readonly tools: readonly Part[];
    /** What `tools` are made of. */
    readonly ownTools: readonly Tool[];
    readonly system: readonly Part[];
    /** What each section depends on besides its bytes: parameters by their path, and the model for the first. */
    readonly params: Readonly<Record<Section, JsonObject>>;
    /** Tools that stand in the system section, as one text. */
    readonly serverTools: string;
    /** Tokens that no tool or system block has: those of server tools, and what a size counts besides its parts. */
    readonly looseTokens: {
        readonly tools: number;
        readonly system: number;
    };
    /** What each section depends on as text. */
    readonly boundaries: Readonly<Record<Section, string>>;
}
export interface HeadContext {
    readonly policy: CachePolicy;
    readonly sizes: PromptSizes;
    readonly idOfPart: (part: Block | Tool) => number;
}
/** Takes heads apart; a list of tools is measured once, however often the system prompt beside it changes. */
export declare function createHeadParts(context: HeadContext): (head: Head) => HeadParts;

// index.d.ts
export { type BreakDetector, createBreakDetector } from './break-detector.ts';
export type { CacheBreak } from './cache-break.ts';
export { cachePolicy } from './cache-policy.ts';
export type { CacheResult } from './cache-result.ts';
export { definePolicy } from './define-policy.ts';
export { PromptCacheError } from './error.ts';
export { explainBreak } from './explain-break.ts';
export { placeMarkers } from './markers.ts';
export { CACHE_POLICIES } from './policies.ts';
export type { CachePolicy } from './policy.ts';
export { promptParts } from './prompt-parts.ts';
export { createCacheSimulator } from './simulator.ts';
export { steadyTools } from './steady-tools.ts';

// marker-check.d.ts
import type { Marker } from '@varve/messages';
import type { CacheRequest } from './cache-request.ts';
import type { CachePolicy } from './policy.ts';
export type MarkerProblemCode = 'too-many-markers' | 'marker-target' | 'duplicate-marker' | 'marker-order';
/** Why a provider would refuse the markers of a request. */
export interface MarkerProblem {
    readonly code: MarkerProblemCode;
    /** Missing where the request as a whole is at fault. */
    readonly marker?: Marker;
    readonly message: string;
}
/**
 * Everything a provider would refuse about a request's cache markers: more than it allows over tools, system and
 * messages together, one on a block that cannot carry it, two on one block, a longer lifetime after a shorter one.
 * A policy without markers refuses nothing.
 */
export declare function checkMarkers(request: CacheRequest, policy: CachePolicy): readonly MarkerProblem[];

// markers.d.ts
import type { Marker } from '@varve/messages';
import type { CacheRequest } from './cache-request.ts';
import type { CachePolicy } from './policy.ts';
export interface PlaceMarkersOptions {
    readonly policy: CachePolicy;
    /**
     * Message indices at which edits began or will begin, the most important first. A marker goes to the last block before
     * each, so that an edit there loses only what follows it. On the request that makes an edit name the place of the edit
     * before as well: its entry is what can still be read.
     * @default none
     */
    readonly parkedAt?: number | readonly number[] | undefined;
    /**
     * Lifetime of the markers among the messages.
     * @default the policy's
     */
    readonly ttl?: '5m' | '1h' | undefined;
    /**
     * Lifetime of the markers after tools and system prompt; never shorter than `ttl`.
     * @default `ttl`
     */
    readonly headTtl?: '5m' | '1h' | undefined;
    /**
     * Lifetime of all markers but the one at the end of the prompt: what stands before them is written once, at a higher price, and
     * outlives pauses. Nothing where the policy has no longer lifetime that a marker can ask for.
     * @default that of their place
     */
    readonly stableTtl?: '1h' | undefined;
}
/**
 * Fills the cache markers of a request up to the policy's maximum. In the order of their worth: the end of the prompt; the
 * end of the head, which a compaction leaves standing; the parked places; the end of the request before, so that the
 * look-back finds it however long the turn was; the end of the tools. Markers the request already has are kept (the
 * latest ones, if they are too many; for no longer than those before them) unless they cannot stand where they are. None lands on thinking or blank text. The
 * same request gives the same markers; a policy without markers leaves the request as it is.
 *
 * @throws TypeError for a lifetime that is none
 */
export declare function placeMarkers<Given extends CacheRequest>(request: Given, options: PlaceMarkersOptions): Marked<Given>;
/** The request that was given, whatever its type, with any markers. */
export type Marked<Given> = Omit<Given, 'markers'> & {
    readonly markers: readonly Marker[];
};

// policies.d.ts
import type { CachePolicy } from './policy.ts';
/** The known policies as plain data, each frozen with all it holds: `cachePolicy` picks one by model, `definePolicy` checks one made from them. */
export declare const CACHE_POLICIES: {
    readonly anthropic: CachePolicy;
    readonly openaiImplicit: CachePolicy;
    readonly openaiBreakpoints: CachePolicy;
    readonly geminiImplicit: CachePolicy;
    readonly deepseek: CachePolicy;
    /** Of servers that cache whole blocks of a prompt, as vLLM and SGLang do. */
    readonly blocks: CachePolicy;
    readonly none: CachePolicy;
};

// policy.d.ts
import type { Json } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
/** A part of the prompt, in the order in which it is rendered; losing one loses all that follow. */
export type Section = 'tools' | 'system' | 'messages';
/** How long an entry lives, and what writing it costs. */
export interface Lifetime {
    /** The provider's word for it, e.g. `5m`. */
    readonly name: string;
    /** `null`: until it is evicted, which the simulator takes as never. */
    readonly ms: number | null;
    /**
     * Milliseconds an entry is still found after `ms`. Anthropic documents none; recorded sessions hit up to 15 s late
     * without a miss and now and then up to 40 s.
     */
    readonly graceMs: number;
    /** Price of a written token in input tokens; 1 where writing has no fee, `null` where nobody has published it. */
    readonly writeMultiplier: number | null;
}
/** Up to where a request looks for an entry. */
export interface Lookback {
    /** Places tried for each marker, the marker's own counted first; `null`: no limit. */
    readonly positions: number | null;
    /** `blocks`: every block is a place. `message-ends`: only ends of user messages, of groups
     * of results and of the system prompt are. */
    readonly counts: 'blocks' | 'message-ends';
    /** Whether a run of tool calls, or of tool results, counts as one place. */
    readonly collapseToolRuns: boolean;
}
/** A field of `head.params` whose change loses a part of the prefix. Fields without a rule lose nothing. */
export interface ParamRule {
    readonly path: readonly string[];
    /** The first section that is lost. */
    readonly loses: Section;
    /** Sending this value is the same as leaving the field out. */
    readonly neutral?: Json;
}
/** What loses the prefix besides its own bytes. A change of model always loses everything. */
export interface Invalidators {
    readonly params: readonly ParamRule[];
    /** What the first image in a request, or the loss of the last one, takes with it; `none`: nothing. */
    readonly images: Section | 'none';
    /** The same for documents with citations. */
    readonly citations: Section | 'none';
    /** Tools whose `type` begins like this stand in the system section: toggling them keeps the tools before. */
    readonly serverToolTypes: readonly string[];
    /** Whether any change to the tools loses all of them, or only those from the first that differs. */
    readonly toolsAsOne: boolean;
    /** Tools with `defer_loading` stand outside the prefix. */
    readonly deferredToolsOutside: boolean;
}
/** Under which names a provider reports what it billed. */
export type UsageStyle = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini' | 'deepseek' | 'none';
/** How one provider caches prompts. Plain data: copy a record and change a field to describe another. */
export interface CachePolicy {
    /** Stands beside figures in reports, e.g. `anthropic-5m`. */
    readonly name: string;
    readonly provider: string;
    /** How tokens are estimated where the caller brings no sizes. */
    readonly tokenizer: ModelInfo['tokenizer'];
    /**
     * Where entries end. `markers`: where a request says so. `everywhere`: at every block, whatever the request says.
     * `none`: nothing is cached.
     */
    readonly writes: 'none' | 'markers' | 'everywhere';
    /** Markers a request may carry over tools, system and messages together. */
    readonly maxMarkers: number;
    /** What happens to a request with more: `refused`, or only the latest ones count. */
    readonly extraMarkers: 'refused' | 'earliest-ignored';
    /**
     * A marker the provider sets by itself. `on-request`: on the last block that can carry one, when `head.params` has
     * `cache_control`; it takes one of the slots. `last-user-message`: at the end of the latest user turn, besides the others.
     */
    readonly automaticMarker: 'none' | 'on-request' | 'last-user-message';
    /** Types of blocks a marker may stand on. */
    readonly markableBlocks: readonly string[];
    /** Whether a 1h marker after a 5m marker is refused. */
    readonly longMarkersFirst: boolean;
    readonly lookback: Lookback;
    /** A shorter prefix is neither written nor read. */
    readonly minimumTokens: number;
    /** Reads are rounded down to a multiple of this. */
    readonly unitTokens: number;
    /** `short` is what a marker without a lifetime or with `5m` asks for, `long` what one with `1h` does. */
    readonly lifetimes: {
        readonly short: Lifetime;
        readonly long?: Lifetime;
    };
    /** The lifetime of markers that name none. */
    readonly defaultTtl: '5m' | '1h';
    /** The moment of the request that writes or reads from which a lifetime counts. */
    readonly ttlAnchor: 'start' | 'first-token';
    readonly refreshOnRead: boolean;
    /** Not documented: whether a 5m marker that finds an entry written for 1h leaves it its lifetime. */
    readonly refreshedLifetime: 'as-written' | 'as-marked';
    /** From when an entry can be read. */
    readonly readableFrom: 'start' | 'first-token';
    /** Not documented: whether a marker inside the part that was read gets an entry of its own, free of charge. */
    readonly writesInsideRead: boolean;
    /** Whether written tokens are billed apart from plain ones. */
    readonly chargesWrites: boolean;
    /** Price of a read token in input tokens. */
    readonly readMultiplier: number;
    readonly invalidators: Invalidators;
    /** `stripped-at-user-turn`: the provider drops thinking of earlier turns, and with it the prefix from there on. */
    readonly oldThinking: 'kept' | 'stripped-at-user-turn';
    /** Who shares entries: one simulator stands for one of these. */
    readonly scope: 'workspace' | 'organisation' | 'machine';
    readonly usageStyle: UsageStyle;
}
/** What is left of a prefix once it is rounded down to whole units; nothing below the minimum. */
export declare function usableTokens(tokens: number, { unitTokens, minimumTokens }: CachePolicy): number;

// prefix-columns.d.ts
/**
 * The prefix of a request as a row of positions, one for each block: a running hash of everything up to there, the tokens
 * up to there, and what the block is. Two requests share their first n positions exactly when the hash at n is equal.
 */
export interface PrefixColumns {
    /** Three 32-bit words a position. */
    hashes: Int32Array;
    /** Tokens from the start of the prompt to the end of the position. */
    tokens: Float64Array;
    kinds: Uint8Array;
    /** Positions in use. */
    length: number;
    /** How many of them the request before had as well. */
    shared: number;
    /** Positions of the request before. */
    previousLength: number;
    /** How many leading positions have tokens that were billed, not estimated. */
    anchored: number;
}
/** What stands at a position. A boundary has no tokens and is not a place: it carries what a section depends on. */
export declare const KIND: {
    readonly other: 0;
    readonly toolUse: 1;
    readonly toolResult: 2;
    readonly boundary: 3;
};
/** What a position is made of: a number that stands for its exact bytes, where it stands, and its tokens. */
export interface Part {
    readonly id: number;
    readonly place: number;
    readonly tokens: number;
    readonly kind: number;
}
export declare function createColumns(): PrefixColumns;
/** An independent copy, for a thread that forks off. */
export declare function copyColumns(columns: PrefixColumns): PrefixColumns;
/** Keeps the first `length` positions and takes all of them as shared; `push` adds the rest. */
export declare function restart(columns: PrefixColumns, length: number): void;
/**
 * Adds a position. It is shared if the request before had the same one and nothing before it differs; then it keeps the
 * tokens it was billed with.
 */
export declare function push(columns: PrefixColumns, part: Part): void;
/** Tokens of the first `count` positions. */
export declare function tokensOf(columns: PrefixColumns, count: number): number;
/** The hash of a position as a number that is safe as a key of a map; `checkOf` holds the rest of its bits. */
export declare function keyOf(columns: PrefixColumns, position: number): number;
export declare function checkOf(columns: PrefixColumns, position: number): number;

// prefix-parts.d.ts
import { type Head, type Message } from '@varve/messages';
import { type HeadParts } from './head-parts.ts';
import type { CachePolicy, Section } from './policy.ts';
import { type Part } from './prefix-columns.ts';
import type { PromptSizes } from './prompt-sizes.ts';
interface MessageParts {
    readonly parts: readonly Part[];
    readonly hasImage: boolean;
    readonly hasCitations: boolean;
}
export interface PartIndex {
    message(message: Message): MessageParts;
    head(head: Head): HeadParts;
    /** The position at which a section begins: what it depends on, and tokens no block of it has. */
    boundary(section: Section, text: string, tokens: number): Part;
}
/**
 * Numbers the distinct texts of blocks and remembers them by reference: a message that was seen before costs a look-up,
 * whatever its size. Two parts have the same number exactly when their bytes are equal.
 */
export declare function createPartIndex(policy: CachePolicy, sizes: PromptSizes): PartIndex;
export {};

// prompt-parts.d.ts
import { type CacheMessage, type CacheRequest } from './cache-request.ts';
import type { PromptSizes } from './prompt-sizes.ts';
/** What stands in a prompt: who it is from, and what it is. */
export declare const PROMPT_PARTS: readonly ['tools', 'system', 'words', 'answers', 'thinking', 'calls', 'results', 'summaries', 'reminders'];
export type PromptPart = (typeof PROMPT_PARTS)[number];
/** Tokens of each part. */
export type PartTokens = Readonly<Record<PromptPart, number>>;
/** How large each part of a prompt is. With `tokens`, its size as it was billed, the estimates are scaled to it. */
export declare function promptParts(request: Pick<CacheRequest, 'head' | 'messages'>, { sizeOf, tokens }: {
    readonly sizeOf: PromptSizes;
    readonly tokens?: number | undefined;
}): PartTokens;
export interface Piece {
    readonly part: PromptPart;
    readonly size: number;
}
/** Tools stand before the system prompt. */
export declare function headPieces(head: CacheRequest['head'], { head: sizeOf }: PromptSizes): Piece[];
export declare const messagePieces: (message: CacheMessage, { block: sizeOf }: PromptSizes) => Piece[];
export declare const noTokens: () => Record<PromptPart, number>;

// prompt-sizes.d.ts
import type { Block, Head, Message } from '@varve/messages';
import type { CachePolicy } from './policy.ts';
/** Tokens of the parts of a prompt; an estimator of `@varve/tokens` fits. Each part is asked for once. */
export interface PromptSizes {
    block(block: Block): number;
    message(message: Message): number;
    /** System prompt and tools. */
    head(head: Head): number;
}
/** Estimates for the tokenizer of a policy. */
export declare function estimatedSizes({ tokenizer }: CachePolicy): PromptSizes;
/** The same sizes; throws `invalid-size` for one that is no number of tokens, which would silently make the price one. */
export declare function checkedSizes(sizes: PromptSizes): PromptSizes;
/** The number itself. Throws `invalid-size` unless it is finite and not negative. */
export declare function tokenCount(tokens: number, name: string): number;

// render.d.ts
import { type Block, type Tool } from '@varve/messages';
import { type CacheRequest } from './cache-request.ts';
/**
 * The bytes of a request's prefix, one string for each tool, system block and message block, in the order in which a
 * provider reads them: tools in the order given, then the system prompt, then the messages. Keys are sorted and cache
 * markers left out, so equal histories have equal bytes and a marker that moves changes none.
 */
export declare function renderPrefix(request: CacheRequest): string[];
/** The stable bytes of one block or tool without its cache marker, nor those of the blocks inside it. */
export declare function renderPart(part: Block | Tool): string;

// scope-cache.d.ts
import type { Marker } from '@varve/messages';
import type { ThreadPrefix } from './thread-prefix.ts';
import type { Life, LifeState, Timing } from './timing.ts';
/** What a cache did for one request, in positions and tokens of its prefix. */
export interface Served {
    /** Positions that were read. */
    readonly readCount: number;
    readonly readTokens: number;
    readonly write5mTokens: number;
    readonly write1hTokens: number;
    /** Positions that the next request can read at best. */
    readonly cachedCount: number;
    readonly cachedTokens: number;
    /** The life of what it can read at best; missing where nothing was cached. */
    readonly life?: Life;
    /** Present where fewer positions were read than were wanted: the state of the deepest entry among the rest. */
    readonly obstacle?: Obstacle;
}
/** `live`: an entry was there, but no marker reached it. */
export type Obstacle = LifeState | 'below-minimum' | 'no-entry';
/** The cache of one scope; `wanted` is how many positions could have been read at best. */
export interface ScopeCache {
    /** Positions this request leaves in the cache at best, whatever their tokens. */
    reach(thread: ThreadPrefix, markers: readonly Marker[]): number;
    serve(thread: ThreadPrefix, options: ServeOptions): Served;
}
interface ServeOptions extends Timing {
    readonly wanted: number;
    /** In the order of the prompt. */
    readonly markers: readonly Marker[];
}
export {};

// server-edits.d.ts
import type { Request } from '@varve/messages';
/** When an edit fires: over this many prompt tokens, or tool uses. */
interface EditTrigger {
    readonly type: 'input_tokens' | 'tool_uses';
    readonly value: number;
}
export interface ClearToolUsesEdit {
    readonly type: 'clear_tool_uses_20250919';
    readonly trigger: EditTrigger;
    /** How many of the newest tool uses keep their results. */
    readonly keepToolUses: number;
    /** Tokens; less is not cleared at all. */
    readonly clearAtLeastTokens: number;
    readonly excludeTools: readonly string[];
    /** Whether inputs are cleared too: of all tools, or of those named. */
    readonly clearInputs: boolean | readonly string[];
}
export interface ClearThinkingEdit {
    readonly type: 'clear_thinking_20251015';
    /** Turns, `'all'`, or `undefined` where the model's own default holds. */
    readonly keepTurns: number | 'all' | undefined;
}
export type ServerEdit = ClearToolUsesEdit | ClearThinkingEdit;
export interface ServerEdits {
    readonly edits: readonly ServerEdit[];
    /** Types that need a model or that nobody has described: the view leaves them out. */
    readonly unsimulated: readonly string[];
}
/** The server-side edits of a request with the documented default in every field that is left out. */
export declare function readServerEdits({ server }: Pick<Request, 'server'>): ServerEdits;
export {};

// server-view.d.ts
import { type Request } from '@varve/messages';
import { type CacheRequest } from './cache-request.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import { type ClearThinkingEdit, type ClearToolUsesEdit } from './server-edits.ts';
/** What a server reports about an edit it applied. */
export type AppliedEdit = {
    readonly type: ClearToolUsesEdit['type'];
    readonly cleared_tool_uses: number;
    readonly cleared_input_tokens: number;
} | {
    readonly type: ClearThinkingEdit['type'];
    readonly cleared_thinking_turns: number;
    readonly cleared_input_tokens: number;
};
export interface ServerView {
    /**
     * What is hashed and billed; the same reference where the server changes nothing and no
     * content is a plain text. Markers stay on their blocks.
     */
    readonly request: Request;
    /** As in `context_management.applied_edits` of a response. */
    readonly appliedEdits: readonly AppliedEdit[];
    /** Types of edits that need a model or are not known here: the view leaves them out. */
    readonly unsimulated: readonly string[];
}
export interface ServerViewOptions {
    readonly sizeOf: PromptSizes;
    /**
     * Turns whose thinking stays where a `clear_thinking` edit does not say; some models keep only the last.
     * @default 'all'
     */
    readonly keepThinkingTurns?: number | 'all' | undefined;
    /**
     * Whether the server drops the thinking of earlier turns without being asked.
     * @default false
     */
    readonly stripsOldThinking?: boolean | undefined;
}
/**
 * Renders the server's own view of requests with server-side edits: everything before the last compaction block is not
 * there; `clear_thinking` and `clear_tool_uses` take away what they say, in the order given. The view depends on the
 * request alone. Messages that the server leaves alone, or changes in the same way again, keep their reference.
 */
export declare function createServerView(options: ServerViewOptions): (request: CacheRequest) => ServerView;

// server.d.ts
export { createBillSplit, type SplitBill } from './bill-split.ts';
export { compareDiagnosis } from './diagnosis.ts';
export { checkMarkers } from './marker-check.ts';
export { renderPrefix } from './render.ts';
export { createServerView } from './server-view.ts';

// simulator.d.ts
import type { ModelInfo } from '@varve/tokens';
import type { CacheRequest } from './cache-request.ts';
import type { CacheResult, SendOptions } from './cache-result.ts';
import type { CachePolicy } from './policy.ts';
import { type PromptSizes } from './prompt-sizes.ts';
export interface CacheSimulatorOptions {
    /**
     * Tokens of blocks, messages and heads; an estimator of `@varve/tokens` fits.
     * @default an estimate for the policy's tokenizer
     */
    readonly sizeOf?: PromptSizes | undefined;
    /**
     * Prices of one's own: entries that win over the model table.
     * @default []
     */
    readonly prices?: readonly ModelInfo[] | undefined;
}
export interface CacheSimulator {
    /**
     * What a request is billed as, and what it leaves in the cache. Costs O(new blocks): messages are known by reference
     * and taken to be immutable. Throws `invalid-marker` where the provider would refuse the request, `invalid-time` for
     * times that are no numbers or run backwards, `invalid-size` for sizes that are no numbers.
     */
    send(request: CacheRequest, options: SendOptions): CacheResult;
    /**
     * Reads what the next request of a thread adds, so that sending it costs less: for moments in which there is time. It
     * counts as nothing.
     */
    read(request: CacheRequest, thread?: string): void;
    /** Tokens the next request of a thread would read at this time if it only added something; 0 on a cold cache. */
    warmTokens(atMs: number, thread?: string): number;
}
/** Creates an empty cache under a provider's policy. */
export declare function createCacheSimulator(policy: CachePolicy, options?: CacheSimulatorOptions): CacheSimulator;

// steady-tools.d.ts
import type { Tool } from '@varve/messages';
export interface SteadyTools {
    /** What to send: everything known, in its first order and by its first reference, then what is new. */
    readonly tools: readonly Tool[];
    /** Names that are known and were not offered: calls to them answer that the tool is unavailable. */
    readonly missing: readonly string[];
    /** Names whose definition is another now; the known one stays until the caller starts a new prefix. */
    readonly changed: readonly string[];
    /** Names that were not known. They stand at the end of the tools and still lose what comes after. */
    readonly added: readonly string[];
}
/**
 * Keeps the tools of a session byte for byte while their servers come and go: order of offers and of JSON keys do not
 * matter, a tool that vanishes keeps its definition. Returns `known` itself where nothing is new.
 */
export declare function steadyTools(known: readonly Tool[], offered: readonly Tool[]): SteadyTools;

// thread-prefix.d.ts
import type { Head, Message, Request } from '@varve/messages';
import type { HeadParts } from './head-parts.ts';
import type { CachePolicy, Section } from './policy.ts';
import { type PrefixColumns } from './prefix-columns.ts';
import type { PartIndex } from './prefix-parts.ts';
/** The prefix of a thread's latest request, kept from one request to the next so that only what is new is hashed. */
export interface ThreadPrefix {
    columns: PrefixColumns;
    head: Head | undefined;
    headParts: HeadParts | undefined;
    boundaries: Readonly<Record<Section, string>>;
    messages: Message[];
    sharedWithLast: (messages: readonly Message[]) => number;
    /** Positions up to the end of each message. */
    ends: number[];
    /** How many of the first messages carry an image, and how many citations. */
    images: number[];
    citations: number[];
    /** Positions of tools, and of tools and system prompt, boundaries included. */
    toolsEnd: number;
    headEnd: number;
}
export declare function createThreadPrefix(): ThreadPrefix;
/** A thread that starts where another one stands. */
export declare function copyThreadPrefix(thread: ThreadPrefix): ThreadPrefix;
/**
 * Moves a thread on to its next request. Knows messages by reference and hashes only from the first that differs;
 * afterwards `columns.shared` tells how many positions the two requests have in common.
 */
export declare function advance(thread: ThreadPrefix, request: Request, { parts, policy }: {
    readonly parts: PartIndex;
    readonly policy: CachePolicy;
}): void;

// timing.d.ts
import type { CachePolicy } from './policy.ts';
/** When a request began and when its first token came, in milliseconds of any clock. */
export interface Timing {
    readonly startMs: number;
    readonly firstTokenMs: number;
}
/** The life of an entry: found from `readableMs` on, for a lifetime from `anchorMs`. */
export interface Life {
    readonly ttl: '5m' | '1h';
    readonly anchorMs: number;
    readonly readableMs: number;
}
export type LifeState = 'live' | 'in-flight' | 'expired';
export declare function bornAt(ttl: '5m' | '1h', timing: Timing, policy: CachePolicy): Life;
export declare function stateAt(life: Life, startMs: number, policy: CachePolicy): LifeState;
/** An entry that another request writes while it is still being written: readable at the earlier, alive as the later. */
export declare function merged(old: Life, young: Life, policy: CachePolicy): Life;

// usage-fields.d.ts
import type { Usage } from '@varve/messages';
import type { UsageStyle } from './policy.ts';
/** Prompt tokens of one request by what they are billed as. */
export interface CacheTokens {
    readonly read: number;
    /** Written with the provider's short lifetime: 5 minutes at Anthropic, 30 minutes at OpenAI. */
    readonly write5m: number;
    /** Written with its long one. */
    readonly write1h: number;
    /** Neither read nor written, or written without a fee. */
    readonly plain: number;
    /** All of the prompt. */
    readonly total: number;
}
/** Usage under the names and with the sums of each provider: Anthropic counts apart what others include. */
export type ProviderUsage = Usage | {
    readonly input_tokens: number;
    readonly input_tokens_details: {
        readonly cached_tokens: number;
        readonly cache_write_tokens: number;
    };
    readonly output_tokens: number;
    readonly total_tokens: number;
} | {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: {
        readonly cached_tokens: number;
    };
    readonly completion_tokens: number;
    readonly total_tokens: number;
} | {
    readonly promptTokenCount: number;
    readonly cachedContentTokenCount: number;
    readonly candidatesTokenCount: number;
    readonly totalTokenCount: number;
} | {
    readonly prompt_tokens: number;
    readonly prompt_cache_hit_tokens: number;
    readonly prompt_cache_miss_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
};
/** The tokens of a request in the words of a provider. */
export declare function providerUsage(tokens: CacheTokens, outputTokens: number, style: UsageStyle): ProviderUsage;
/** The same in the shape every package here works with. */
export declare function canonicalUsage(tokens: CacheTokens, outputTokens: number): Usage;
