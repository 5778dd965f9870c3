// accept-size.d.ts
/** What stands in place of something may have so many tokens. */
export interface SizeBounds {
    /** Tokens of what it stands for. */
    readonly ofTokens: number;
    /** The share of them that has to be saved at least, from 0 to 1. */
    readonly minSavings: number;
    /** It has to have less than these, e.g. those of the window. @default no bound */
    readonly belowTokens?: number | undefined;
}
/** Whether a size is accepted; `roomTokens` is how much more it may have, below 0 where it is refused. */
export type SizeVerdict = {
    readonly kind: 'accepted';
    readonly roomTokens: number;
} | {
    readonly kind: 'refused';
    /** `still-too-large`: it is not below its bound; `not-smaller`: it saves too little. */
    readonly reason: 'still-too-large' | 'not-smaller';
    readonly roomTokens: number;
};
/** Judges the size of a summary, or of a conversation with one, whoever wrote it: it saves enough and fits. */
export declare function acceptSize(tokens: number, { ofTokens, minSavings, belowTokens }: SizeBounds): SizeVerdict;

// calibration.d.ts
import { type ClassTokens } from './content-class.ts';
/** What was estimated for content, and what the provider billed for the same content. */
export interface CalibrationPair {
    readonly estimate: ClassTokens;
    readonly billedTokens: number;
}
export type LearnResult = {
    readonly kind: 'learned';
} | {
    readonly kind: 'dropped';
    readonly reason: 'nothing-billed' | 'nothing-estimated' | 'outlier';
};
/** Plain data: survives JSON, and goes back into `createCalibration`. */
export interface CalibrationState {
    readonly pairs: number;
    /** In the order of `CONTENT_CLASSES`. */
    readonly factors: readonly number[];
    readonly covariance: readonly (readonly number[])[];
}
/** Learns how much a model's provider bills per estimated token, a factor for each class of content. */
export interface Calibration {
    /** Takes a pair. Costs the same whatever was learned before. */
    learn(pair: CalibrationPair): LearnResult;
    /** Estimated tokens as this model's provider would bill them; not rounded. */
    predict(estimate: ClassTokens): number;
    /** The factor of each class, between 0.4 and 2.5; 1 before anything was learned. */
    factors(): ClassTokens;
    state(): CalibrationState;
}
export interface CalibrationOptions {
    /** Carries on where another calibration of the same model and estimator stood. */
    readonly state?: CalibrationState | undefined;
}
/**
 * Creates the calibration of one model. It is damped (each pair moves the factors by what it can be trusted with),
 * bounded (every factor stays between 0.4 and 2.5) and robust: a pair that bills nothing, or more than 12 times the
 * estimate, or less than a twelfth, is dropped, and any other counts with at most three deviations.
 */
export declare function createCalibration(options?: CalibrationOptions): Calibration;

// check-models.d.ts
import type { ModelInfo } from './model-info.ts';
/**
 * Refuses entries of one's own for the model table that a look-up would fail on later.
 *
 * @throws TypeError, RangeError ``Expected `models[0].windowTokens` to be a positive number, got `undefined` ``
 */
export declare function checkModels(models: readonly ModelInfo[] | undefined, name?: string): void;

// content-class.d.ts
/**
 * What an estimate is made of. Tokenizers of two families differ by a different ratio in each, so that calibration learns
 * one factor a class.
 *
 * `text`: words, punctuation and white space in Latin letters (prose, code, JSON). `dense`: digits and runs of mixed
 * letters and digits (hashes, ids, base64, timestamps). `cjk`: Chinese, Japanese and Korean. `script`: other scripts and
 * emoji. `media`: images and documents. `framing`: what the provider wraps around messages, tools and blocks.
 */
export type ContentClass = 'text' | 'dense' | 'cjk' | 'script' | 'media' | 'framing';
/** Tokens in each class, not rounded. */
export type ClassTokens = Readonly<Record<ContentClass, number>>;
/** The classes in a fixed order. */
export declare const CONTENT_CLASSES: readonly ContentClass[];
/** Tokens of all classes together, rounded up. */
export declare function totalTokens(classes: ClassTokens): number;
/** The same classes with each multiplied by its factor; a class without a factor stays as it is. */
export declare function scaleClasses(classes: ClassTokens, factors: Partial<Readonly<Record<ContentClass, number>>>): ClassTokens;
/** Class by class sum. */
export declare function addClasses(a: ClassTokens, b: ClassTokens): ClassTokens;
/** Nothing in any class. */
export declare const NO_TOKENS: ClassTokens;

// context-limits.d.ts
export interface ContextLimitsOptions {
    /** A fraction is rounded down. Left out, or not a number from 1 up: 200,000 are assumed. */
    readonly windowTokens?: number | undefined;
    /** The most a model can reply, in tokens. Left out, or not a number from 1 up: the whole reserve is set aside. */
    readonly maxOutputTokens?: number | undefined;
    /** For tests: shrinks the window before the reserve is taken off; it can never widen it. */
    readonly shrinkWindowToTokens?: number | undefined;
    /**
     * Compact at this share of the effective window, above 0 and up to 100. It can only make compaction earlier; anything
     * else is ignored.
     */
    readonly autocompactPercent?: number | undefined;
    /** @default true */
    readonly autocompact?: boolean | undefined;
    /** @default 20,000 tokens, less in windows below 64,000; never more than two thirds of the base */
    readonly warningBufferTokens?: number | undefined;
    /** @default 20,000 tokens, less in windows below 64,000; never more than two thirds of the base */
    readonly errorBufferTokens?: number | undefined;
    /** Refuse to send from this size on, in tokens; anything but an integer above 0 is ignored. */
    readonly blockingLimitTokens?: number | undefined;
}
/**
 * Sizes in tokens at which something happens. For every window from 4 tokens up: 0 < `warningTokens` <= `errorTokens` <=
 * `baseTokens` <= `effectiveTokens` < `windowTokens`, and `autocompactTokens` < `effectiveTokens`.
 */
export interface ContextLimits {
    readonly windowTokens: number;
    /** `default`: no window was given that can be acted on, and 200,000 tokens are assumed. */
    readonly windowRule: 'given' | 'default';
    /** What of the window a conversation can fill: the window less room for the reply. */
    readonly effectiveTokens: number;
    /** What `percentOfBaseLeft` and the warnings are measured against: `autocompactTokens`, else `effectiveTokens`. */
    readonly baseTokens: number;
    readonly warningTokens: number;
    readonly errorTokens: number;
    /** Absent where automatic compaction is off. */
    readonly autocompactTokens?: number;
    readonly blockingTokens: number;
}
/** Every limit of a window at once. Computed once per model, asked with `warningState`. */
export declare function contextLimits(options: ContextLimitsOptions): ContextLimits;
/**
 * What to tell a user: `free` below half of the window, `watch` from 50 %, `compact-now` from 70 %, and above 90 %
 * `clear-or-compact` at once.
 */
export type AdviceBand = 'free' | 'watch' | 'compact-now' | 'clear-or-compact';
export interface WarningState {
    /** What is left until `baseTokens` (where compaction starts by itself), in whole percent of it; never below 0. */
    readonly percentOfBaseLeft: number;
    /** What is used of the whole window, in percent; above 100 where the conversation no longer fits. */
    readonly percentOfWindowUsed: number;
    readonly aboveWarning: boolean;
    readonly aboveError: boolean;
    readonly aboveAutocompact: boolean;
    /** Nothing may be sent any more: compact or clear first. */
    readonly atBlockingLimit: boolean;
    /** More is used than the window of this model holds. */
    readonly overflow: boolean;
    readonly advice: AdviceBand;
}
/** How full a conversation is, for a user interface. `usedTokens` is the whole size: plain, read and written alike. */
export declare function warningState(usedTokens: number, limits: ContextLimits): WarningState;
export interface ThresholdWatchOptions {
    readonly thresholdTokens: number;
    /** Called once each time the size reaches the threshold from below. */
    readonly onCross?: ((tokens: number) => void) | undefined;
}
export interface ThresholdWatch {
    /**
     * Takes the size of the next request. `crossed` the first time it is at or above the threshold, then `above` until it
     * was `below` again.
     */
    update(tokens: number): 'below' | 'crossed' | 'above';
}
/** Says once that a threshold was reached, however many sizes above it follow. */
export declare function createThresholdWatch(options: ThresholdWatchOptions): ThresholdWatch;

// count-endpoint.d.ts
import type { CountTokens } from './count.ts';
/** The part of the platform's `fetch` that is used. */
export type Fetch = (url: string, init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal?: AbortSignal;
}) => Promise<{
    readonly ok: boolean;
    readonly status: number;
    json(): Promise<unknown>;
}>;
export interface CountEndpointOptions {
    readonly fetch: Fetch;
    /** Sent as they are: the key, and whatever a gateway wants. */
    readonly headers: Readonly<Record<string, string>>;
    /**
     * Where the Messages API answers, without `/v1`.
     * @default 'https://api.anthropic.com'
     */
    readonly baseUrl?: string | undefined;
    /**
     * The `anthropic-version` header.
     * @default '2023-06-01'
     */
    readonly version?: string | undefined;
}
/**
 * Counts by asking Anthropic's `/v1/messages/count_tokens`: one free request a count, with the head's `betas` as a header
 * and its other params in the body. The answer is the provider's own estimate. It holds for the whole request only, so what
 * is remembered is the last count of each array of messages, not counts of blocks.
 *
 * @throws TokensError `count-failed` with the status where the endpoint refuses or cannot be reached, `count-unreadable`
 * where it answers without a count.
 */
export declare function createCountEndpoint(options: CountEndpointOptions): CountTokens;

// count.d.ts
import type { Head, JsonObject } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
/** What is to be counted: a request, or the part of it that is known. A whole `Request` fits too. */
export interface CountInput {
    readonly head: Head;
    readonly messages: readonly MessageLike[];
    /** Parameters of server-side edits; only a provider's endpoint can apply them. */
    readonly server?: JsonObject | undefined;
}
export interface CountOptions {
    readonly signal?: AbortSignal | undefined;
}
/**
 * Counts the prompt tokens of a request: by estimate, by an exact counter or by asking the provider. Rejects with
 * the reason of the signal, an `AbortError` unless one was given, and with `MessagesError` `foreign-messages` for messages of
 * another library.
 */
export type CountTokens = (input: CountInput, options?: CountOptions) => Promise<number>;

// counter-fold.d.ts
/** A reading of counters that only grow within one session, e.g. total tokens so far. */
export interface CounterReading {
    readonly counters: Readonly<Record<string, number>>;
    /** When it was written. Lines that a file copied from its parent share one time. */
    readonly at?: string | number | undefined;
}
export interface CounterFold {
    add(reading: CounterReading): void;
    /** What this file itself used, by counter. */
    total(): Readonly<Record<string, number>>;
    /** Readings that were not counted, and why. */
    ignored(): {
        readonly replayed: number;
        readonly repeated: number;
    };
}
/**
 * Turns cumulative counters of one file into what the file used. A file that begins with several readings of one and the
 * same time replays its parent's history: they set the base and are not counted. A reading that repeats the one before
 * counts nothing, and a counter that falls has been started again at zero.
 */
export declare function createCounterFold(): CounterFold;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `vocabulary-missing`: the optional package that holds the vocabulary is not installed. `vocabulary-invalid`: what was
 * loaded is not that vocabulary. `count-failed`: a count endpoint could not be reached or refused. `count-unreadable`: it
 * answered without a count.
 */
export type TokensErrorCode = 'vocabulary-missing' | 'vocabulary-invalid' | 'count-failed' | 'count-unreadable';
export interface TokensErrorDetails {
    /** HTTP status of the answer, where there was one. */
    readonly status?: number | undefined;
    readonly cause?: unknown;
}
/** Thrown where a count cannot be had. The message says what to do; it holds no text that was to be counted. */
export declare class TokensError extends VarveError<TokensErrorCode> {
    readonly status: number | undefined;
    constructor(code: TokensErrorCode, message: string, details?: TokensErrorDetails);
    get name(): 'TokensError';
    /** True for errors of this package, also of another copy of it. */
    static is(value: unknown): value is TokensError;
}

// estimate.d.ts
export { createEstimator } from './estimator.ts';

// estimator-family.d.ts
import type { ClassTokens, ContentClass } from './content-class.ts';
import type { TokenizerFamily } from './model-info.ts';
/** How a provider prices a picture. */
export type ImageCost = 
/** One token for each square of `patch` pixels, after scaling down to `longEdge` and `maxTokens`. */
{
    readonly kind: 'patches';
    readonly patch: number;
    readonly longEdge: number;
    readonly maxTokens: number;
}
/** `base` and `perTile` for each square of `tile` pixels, after scaling into `longEdge` and then down to `shortEdge`. */
 | {
    readonly kind: 'tiles';
    readonly tile: number;
    readonly base: number;
    readonly perTile: number;
    readonly longEdge: number;
    readonly shortEdge: number;
} | {
    readonly kind: 'fixed';
    readonly tokens: number;
};
/** How a tokenizer family counts, beside o200k. These are priors: calibrate them on billed usage where there is any. */
export interface FamilyFactors {
    /** Tokens per o200k token of the same text. */
    readonly ratio: Readonly<Record<Exclude<ContentClass, 'media' | 'framing'>, number>>;
    /**
     * Counts a string in o200k.
     * @default by estimate
     */
    readonly countText?: (text: string) => ClassTokens;
    readonly image: ImageCost;
    /** Tokens a message costs beyond its blocks. */
    readonly perMessage: number;
    /** Tokens a tool call or a tool result costs beyond its name, input and content. */
    readonly perToolBlock: number;
    /** Tokens a request costs beyond its head and messages. */
    readonly perRequest: number;
    /** Tokens that the presence of any tool adds. */
    readonly toolsPresent: number;
    /** Tokens a tool costs beyond its definition. */
    readonly perTool: number;
}
/** What is known of a family. */
export declare const familyFactors: (family: TokenizerFamily) => FamilyFactors;

// estimator-head.d.ts
import type { Head } from '@varve/messages';
import { type ClassTokens } from './content-class.ts';
import type { FamilyFactors } from './estimator-family.ts';
/** The parts of a head that cost tokens. */
export type HeadLike = Pick<Head, 'system' | 'tools'>;
/** Tokens of what stands before the messages: system prompt, tool definitions as JSON, and what they are wrapped in. */
export declare function estimateHead({ system, tools }: HeadLike, factors: FamilyFactors): ClassTokens;

// estimator.d.ts
import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import { type ClassTokens, type ContentClass } from './content-class.ts';
import { type HeadLike } from './estimator-head.ts';
import type { TokenizerFamily } from './model-info.ts';
export type { HeadLike } from './estimator-head.ts';
/**
 * Estimates tokens without a vocabulary. Blocks, messages and heads are taken to be immutable: each is counted once and
 * remembered for as long as the object lives, so a growing history costs only what is new. Of a value that JSON cannot write
 * (one that holds itself, a BigInt, a getter that throws) it counts what can be read.
 */
export interface Estimator {
    /** Stands beside figures in reports, e.g. `varve-claude-new`. */
    readonly name: string;
    /** Changes whenever the same input may give another number. */
    readonly version: string;
    /** Tokens of a plain string. */
    text(text: string): number;
    /** Tokens of one block, its framing included. */
    block(block: BlockLike): number;
    /**
     * Tokens of one message, its blocks and framing included. Like `classes` it throws `MessagesError` `foreign-messages` for
     * one of another library, and a TypeError that says what was expected for what is none.
     */
    message(message: MessageLike): number;
    /** The same by class, not rounded; their sum rounded up is `message()`. */
    classes(message: MessageLike): ClassTokens;
    /** Tokens of the system prompt and the tool definitions. */
    head(head: HeadLike): number;
    /** The same by class, not rounded. */
    headClasses(head: HeadLike): ClassTokens;
}
/** What of an exact counter is used. */
export interface TextCounter {
    readonly encoding: string;
    count(text: string): number;
}
export interface EstimatorOptions {
    /**
     * Whose tokenizer to estimate. `crude`: the rule of thumb of many agents instead, to compare with or to fall back on: text at
     * four bytes a token, tool input, schemas and structured results at two, an image or document at 2,000, every block rounded up;
     * it takes neither a counter nor a calibration.
     * @default 'o200k'
     */
    readonly family?: TokenizerFamily | 'crude' | undefined;
    /**
     * An exact counter (`loadExactCounter`) to count texts with, in place of the estimate. The family's ratios are per token
     * of `o200k_base`: with that encoding `o200k` counts exactly, and the other families about half as far off as by
     * estimate.
     */
    readonly counter?: TextCounter | undefined;
    /** Factors on top of the family's, by class: what a calibration learned from billed usage. */
    readonly calibration?: Partial<Readonly<Record<ContentClass, number>>> | undefined;
}
/** Creates the estimator of a tokenizer family. Two estimators share nothing. */
export declare function createEstimator(options?: EstimatorOptions): Estimator;

// exact.d.ts
export { createCountEndpoint } from './count-endpoint.ts';
/** Encodings that can be counted exactly: `o200k_base` is that of OpenAI's models since GPT-4o. */
type Encoding = 'o200k_base' | 'cl100k_base';
/** The vocabulary of an encoding as the `tiktoken` package ships it. */
interface VocabularyFile {
    /** `! 0 ` and then every token in base64, in order of rank, separated by spaces. */
    readonly bpe_ranks: string;
}
/** Gives the vocabulary of an encoding. */
type LoadVocabulary = (encoding: Encoding) => Promise<VocabularyFile>;
interface ExactCounterOptions {
    readonly encoding: Encoding;
    /**
     * Where the vocabulary comes from.
     * @default the optional peer dependency `tiktoken`
     */
    readonly loadVocabulary?: LoadVocabulary | undefined;
    readonly signal?: AbortSignal | undefined;
}
/** Counts exactly what the encoding's own tokenizer counts for plain text. */
interface ExactCounter {
    readonly encoding: Encoding;
    /**
     * Tokens of a text. Special tokens written in it count as the plain text they are; half surrogates count as U+FFFD.
     * Never throws, and takes time in proportion to the length whatever the text.
     */
    count(text: string): number;
    /** The tokens themselves, as ranks of the vocabulary. */
    encode(text: string): number[];
}
/**
 * Loads a vocabulary (about 0.1 s and 20 MB) and creates a counter over it. Load it once and keep it.
 *
 * @throws TokensError `vocabulary-missing` where `tiktoken` is not installed, `vocabulary-invalid` where the file is not a
 * vocabulary; TypeError for options that do not fit; the reason of the signal, an `AbortError` unless one was given, where it was aborted meanwhile.
 */
export declare function loadExactCounter(options: ExactCounterOptions): Promise<ExactCounter>;

// fit-output.d.ts
/**
 * Asked for where a caller names nothing, in tokens, and what is set aside of a window for the reply. The Anthropic SDK refuses
 * to send a request for more than 21,333 tokens that is not streamed: it might take more than ten minutes
 * (`calculateNonstreamingTimeout` of @anthropic-ai/sdk 1.14.0). This works either way.
 */
export declare const OUTPUT_RESERVE_TOKENS = 20000;
/** From this window on that many are set aside, in tokens; a smaller one has less in proportion. */
export declare const FULL_RESERVES_FROM_TOKENS = 64000;
export interface FitOutputOptions {
    /** Size of the request without its reply, in tokens. */
    readonly promptTokens: number;
    /** Infinity where nobody knows it. */
    readonly windowTokens: number;
    /** The most the model can reply, in tokens; left out where nobody knows it. */
    readonly maxOutputTokens?: number | undefined;
    /**
     * What one would like to ask for, in tokens. @default 20,000 beside the thinking, less in a window below 64,000 and never
     * more than `maxOutputTokens`: it can be sent with and without streaming
     */
    readonly requestedTokens?: number | undefined;
    /** Budget for thinking, in tokens. A provider refuses a reply that is not larger. @default 0 */
    readonly thinkingTokens?: number | undefined;
    /** Kept free because sizes are estimates, in tokens. @default 0 */
    readonly marginTokens?: number | undefined;
    /** A shorter reply is not worth a request, in tokens. @default 1, or 1 more than the thinking */
    readonly minOutputTokens?: number | undefined;
}
export type FitOutputResult = 
/** As requested. */
{
    readonly kind: 'fits';
    readonly outputTokens: number;
}
/** Less than requested, so that prompt, reply and margin fit together. */
 | {
    readonly kind: 'reduced';
    readonly outputTokens: number;
}
/** The prompt has to shrink by this much first. */
 | {
    readonly kind: 'prompt-too-large';
    readonly overTokens: number;
};
/**
 * How much output a request may ask for: prompt + output + margin never exceed the window, output never exceeds what the
 * model can reply.
 *
 * @throws RangeError for a size of the prompt or a window that is none
 */
export declare function fitOutput(options: FitOutputOptions): FitOutputResult;

// index.d.ts
export { contextLimits, warningState } from './context-limits.ts';
export { TokensError } from './error.ts';
export { createEstimator, type Estimator } from './estimator.ts';
export { createTokenMeter, type TokenMeter } from './meter.ts';
export type { ModelInfo } from './model-info.ts';
export { MODELS } from './model-table.ts';
export { priceUsage } from './price-usage.ts';
export { resolveModel } from './resolve-model.ts';

// limits.d.ts
export { acceptSize } from './accept-size.ts';
export { createThresholdWatch } from './context-limits.ts';
export { fitOutput } from './fit-output.ts';
export { contextWindow } from './window.ts';

// meter-accept.d.ts
import type { Usage } from '@varve/messages';
import { type OutputDoubt } from './meter-reply.ts';
import { type MeterState } from './meter-state.ts';
/** Why a usage did not become the base of the size. */
export type IgnoredUsage = {
    readonly kind: 'ignored';
    /**
     * `synthetic-reply`: no model wrote it. `no-prompt`: it counts no prompt. `implausible`: far from what was expected;
     * held back until the next report confirms it.
     */
    readonly reason: 'synthetic-reply' | 'no-prompt' | 'implausible';
    readonly billedTokens: number;
    readonly expectedTokens: number;
};
/** `doubtedOutput`: the prompt is the base of the size, but the reply cannot be as large as it says; an estimate stands for it. */
export type AnchorResult = {
    readonly kind: 'anchored';
    readonly doubtedOutput?: OutputDoubt;
} | IgnoredUsage;
/** Where in the request a bill stands. */
export interface UsagePlace {
    readonly responseId: string | undefined;
    /** How many messages the request carried. */
    readonly promptCount: number;
    /** The same and the reply, as far as it was added. */
    readonly covers: number;
}
/** Takes a bill as the base of the size, unless it cannot be believed, and learns from it. */
export declare function acceptUsage(state: MeterState, usage: Usage, place: UsagePlace & {
    readonly learns?: boolean;
}): AnchorResult;
/** The newest bill is believed; what of it is not. */
export declare function anchored(state: MeterState): AnchorResult;

// meter-anchor.d.ts
/** A stretch of the request, from its start, whose size is known. */
export interface Anchor {
    /** `billed`: a provider said so. `inferred`: what is left of a bill after an edit, less an estimate of the rest. */
    readonly kind: 'billed' | 'inferred';
    readonly responseId: string | undefined;
    /** How many messages the request carried. */
    readonly promptCount: number;
    readonly promptTokens: number;
    /** How many messages prompt and reply are together. */
    readonly covers: number;
    /** The provider's output count. */
    readonly billedOutput: number;
    /** How much of that was thinking, as far as the provider says; no count from the start of a stream does. */
    readonly billedThinking: number;
    /** What the reply adds: what of the provider's count goes back, or an estimate where that is a placeholder or cannot be. */
    readonly outputTokens: number;
    /** False where the reply is estimated, or not covered. */
    readonly outputBilled: boolean;
}
export declare const NO_OUTPUT: {
    billedOutput: number;
    billedThinking: number;
    outputTokens: number;
    outputBilled: boolean;
};
export declare const anchoredTokens: (anchor: Anchor) => number;
/** What still holds of anchors, in order, once the messages from `count` on are others. Mutates the list. */
export declare function cutAnchors(anchors: Anchor[], count: number): void;

// meter-learning.d.ts
import { type Calibration, type CalibrationState } from './calibration.ts';
import type { Weight } from './meter-weight.ts';
import { type ReplySurplus, type SurplusState } from './reply-surplus.ts';
/** What a meter learned about one model. Plain data. */
export interface ModelLearningState {
    readonly calibration: CalibrationState;
    readonly replies: SurplusState;
}
/** What billed usage teaches about one model's tokens. */
export interface ModelLearning {
    readonly calibration: Calibration;
    readonly replies: ReplySurplus;
    /** Tokens a weight is expected to be billed; not rounded. */
    price(weight: Weight): number;
}
/** Learnings by model id: what one model's bills teach says nothing about another's. */
export interface Learnings {
    of(modelId: string): ModelLearning;
    state(): Readonly<Record<string, ModelLearningState>>;
}
export declare function createLearnings(states?: Readonly<Record<string, ModelLearningState>>): Learnings;

// meter-ledger.d.ts
import type { MessageLike } from '@varve/messages/blocks';
import { type WeighedMessage, type Weight } from './meter-weight.ts';
/** One message of the request, and what all messages up to and with it weigh. */
export interface LedgerRecord {
    readonly message: MessageLike;
    readonly weighed: WeighedMessage;
    readonly responseId: string | undefined;
    readonly sum: Weight;
    /** Thinking of this reply, billed or expected, in tokens. */
    readonly thinkingTokens: number;
    /** Thinking of the turn so far. */
    readonly turnThinking: number;
}
export interface PushOptions {
    readonly responseId?: string | undefined;
    /** Thinking this reply is billed or expected to hold, in tokens. */
    readonly thinkingTokens?: number;
    /** A further line of a response that is counted already: weighs nothing. */
    readonly counted?: boolean;
}
/** The messages of the next request with running sums, so that the weight of any stretch is one subtraction. */
export interface Ledger {
    readonly records: readonly LedgerRecord[];
    push(message: MessageLike, weighed: WeighedMessage, options?: PushOptions): void;
    /** Sets what is now known of a reply's thinking, until the next turn starts. */
    billThinking(index: number, thinkingTokens: number): void;
    truncate(count: number): void;
    /** Weight of the first `count` messages. */
    sum(count: number): Weight;
    copy(dropsThinking: LedgerOptions['dropsThinking']): Ledger;
}
export interface LedgerOptions {
    /** The provider drops the thinking of a turn when the next one starts. */
    readonly dropsThinking: () => boolean;
}
export declare function createLedger(options: LedgerOptions, initial?: readonly LedgerRecord[]): Ledger;

// meter-plain.d.ts
import type { Usage } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { type AnchorResult, type UsagePlace } from './meter-accept.ts';
import { type MeterState } from './meter-state.ts';
export interface ResponseOptions {
    /** Id of the API response a message or usage belongs to; several lines of one response count once. */
    readonly responseId?: string | undefined;
}
/** Adds a message; the reply of the newest bill, and further lines of it, are counted by that bill. */
export declare function addMessage(state: MeterState, message: MessageLike, { responseId }?: ResponseOptions): void;
/**
 * Takes the usage of the newest response, whether its reply was added already or not.
 *
 * @throws TypeError for what is no usage: counts that are texts would be joined, not added
 */
export declare function anchorUsage(state: MeterState, usage: Usage, { responseId }?: ResponseOptions): AnchorResult;
/** Takes a usage at its place in the request, unless the reply there was written by no model. */
export declare function takeUsage(state: MeterState, usage: Usage, place: UsagePlace & {
    readonly learns?: boolean;
}): AnchorResult;

// meter-reply.d.ts
import type { Usage } from '@varve/messages';
import { type MeterState } from './meter-state.ts';
/** An output that cannot be what the reply is, and what stands for it. */
export interface OutputDoubt {
    readonly billedTokens: number;
    readonly expectedTokens: number;
}
/**
 * Puts the reply of the newest bill in, as far as it was added: what of it goes back, where the count is a real one, else
 * an estimate.
 */
export declare function settleReply(state: MeterState): void;
/** What of the newest bill's output cannot be; undefined where it can. */
export declare function doubtOf(state: MeterState): OutputDoubt | undefined;
/** Further usage of the response that was counted last: counts are cumulative, so the larger one holds. */
export declare function mergeUsage(state: MeterState, usage: Usage): void;
/** What the newest reply was billed beyond what it shows. */
export declare function learnFromReply(state: MeterState): void;
/** Thinking that a bill reports, in tokens: never more than its output. */
export declare const thinkingOf: ({ output_tokens, output_tokens_details: details }: Usage) => number;
/** The whole prompt, in tokens; 0 where one of its counts is none, or was, because the others are a part of it. */
export declare function promptOf(usage: Usage): number;
/** A count as a provider gives it; anything that is none is 0. */
export declare function countOf(value: unknown): number;

// meter-size.d.ts
import { type MeterState } from './meter-state.ts';
/** How large the next request is. */
export interface ContextSize {
    /** Prompt tokens: what was billed, and an estimate of what came since. */
    readonly tokens: number;
    /** A bill stands behind the size: nothing it measured has changed since. */
    readonly anchored: boolean;
    /**
     * What the estimate stands on. `usage`: the newest bill that holds. `edited-usage`: a bill, less an estimate of what an
     * edit took away. `learned-constant`: what earlier bills say no message shows. `estimate`: nothing was billed yet.
     */
    readonly basis: 'usage' | 'edited-usage' | 'learned-constant' | 'estimate';
    /** The estimated part of `tokens`. */
    readonly estimatedTokens: number;
    /** `high`: billed but for a twentieth. `medium`: a bill with a larger estimate on top. `low`: no bill behind it. */
    readonly confidence: 'high' | 'medium' | 'low';
    /** Present while a report far from everything known waits for the next one to confirm it. */
    readonly unconfirmedTokens?: number;
}
export declare function sizeOf(state: MeterState): ContextSize;

// meter-state.d.ts
import type { Block, Usage } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import type { Estimator, HeadLike } from './estimator.ts';
import { type Anchor } from './meter-anchor.ts';
import type { Learnings, ModelLearning } from './meter-learning.ts';
import type { Ledger, PushOptions } from './meter-ledger.ts';
import { type Weight } from './meter-weight.ts';
import type { ModelInfo } from './model-info.ts';
/** What a meter knows. The other `meter-*` files are functions on it. */
export interface MeterState {
    readonly estimator: Estimator;
    readonly learnings: Learnings;
    readonly ledger: Ledger;
    /** In order of what they cover. */
    readonly anchors: Anchor[];
    model: ModelInfo;
    windowTokens: number;
    head: HeadLike | undefined;
    /** A billed prompt with no earlier bill below it: less its messages, it is what no message shows. */
    constant: {
        readonly promptTokens: number;
        readonly weight: Weight;
    } | undefined;
    /** A bill that nobody believed yet. */
    suspect: {
        readonly promptTokens: number;
        readonly promptCount: number;
    } | undefined;
    removedTokens: number;
    /** The newest usage, where it came before its reply. */
    awaitsReply: {
        readonly usage: Usage;
        readonly believed: boolean;
    } | undefined;
    /** Blocks of replies as they were billed, by message id: an edit may change what a bill still counts. */
    readonly billedReplies: Map<string, readonly Block[]>;
    /** Replies among the first so many messages had their usage, believed or not. */
    answered: number;
}
export declare const learningOf: (state: MeterState) => ModelLearning;
export declare function weightBetween(state: MeterState, from: number, to: number): Weight;
export declare function priceBetween(state: MeterState, from: number, to: number): number;
/** The same by the estimator's own vocabulary: no bill, however wrong, moves it by what it says of text. */
export declare const estimateBetween: (state: MeterState, from: number, to: number) => number;
/** What can be read of it alone, by the same measure. */
export declare const visibleBetween: (state: MeterState, from: number, to: number) => number;
export declare function estimateOf(state: MeterState, weight: Weight): number;
/** System prompt, tools and whatever else no message shows: learned from a bill, else estimated from the head. */
export declare function constantTokens(state: MeterState): number;
/** Estimated tokens of system prompt and tools; 0 where nobody showed them. */
export declare function headTokens({ head, estimator, ...state }: MeterState): number;
/** Expected size of a request with the first `count` messages, in tokens. */
export declare function expectedTokens(state: MeterState, count: number): number;
/** What of that the newest reply was billed beyond what can be read of it: it may not go back, or the bill was wrong. */
export declare function unseenOfReply(state: MeterState, count: number): number;
export declare function pushMessage(state: MeterState, message: MessageLike, options?: PushOptions): void;

// meter-weight.d.ts
import type { MessageLike } from '@varve/messages/blocks';
import { type ClassTokens } from './content-class.ts';
import type { Estimator } from './estimator.ts';
/** What a run of messages adds to a prompt, before a model's calibration. Weights add and subtract. */
export interface Weight {
    readonly shown: ClassTokens;
    /** Replies whose cost beyond what they show is not billed yet, by whether their thinking is hidden. */
    readonly shownReplies: number;
    readonly hiddenReplies: number;
    /** Thinking of earlier turns that the provider left out again, in tokens. */
    readonly droppedTokens: number;
}
export declare const NO_WEIGHT: Weight;
export declare function addWeights(a: Weight, b: Weight): Weight;
export declare function subtractWeights(a: Weight, b: Weight): Weight;
/** A message as the meter sees it. */
export interface WeighedMessage {
    readonly shown: ClassTokens;
    readonly reply: 'none' | 'shown' | 'hidden';
    /** Holds more than text and calls: what it was billed may be far from what can be read. */
    readonly isOpaque: boolean;
    /** Estimated tokens of the thinking a reply shows. */
    readonly shownThinking: number;
    /** Written by a person: where providers that drop old thinking do so. */
    readonly startsTurn: boolean;
}
/** Weighs one message; the estimator remembers, so that weighing it again costs nothing. */
export declare function weighMessage(message: MessageLike, estimator: Estimator): WeighedMessage;

// meter.d.ts
import type { Entry, Usage, View } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import type { ClassTokens } from './content-class.ts';
import { type Estimator, type HeadLike } from './estimator.ts';
import type { AnchorResult } from './meter-accept.ts';
import { type ModelLearningState } from './meter-learning.ts';
import { type ResponseOptions } from './meter-plain.ts';
import { type ContextSize } from './meter-size.ts';
import type { ModelInfo } from './model-info.ts';
export interface TokenMeterOptions {
    /** Id of the model the next request goes to. A view that carries a head brings its own. */
    readonly model: string;
    /** @default the vocabulary-free estimator of the model's tokenizer family */
    readonly estimator?: Estimator | undefined;
    /** System prompt and tools, where messages are added one by one. */
    readonly head?: HeadLike | undefined;
    /** A report above this many tokens is checked before it is believed. @default the window of the model */
    readonly windowTokens?: number | undefined;
    /** What `learned()` of another meter says, by model id. */
    readonly learned?: Readonly<Record<string, ModelLearningState>> | undefined;
    /** Entries of one's own; they win over the model table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
/**
 * Knows the size of the next request. Feed it either message by message (`add`, `anchor`, `reset`, `removed`) or with
 * every entry of a log and the view after it (`observe`); each costs what is new, not what is there.
 */
export interface TokenMeter {
    /** A message that the next request carries, a reply included. */
    add(message: MessageLike, options?: ResponseOptions): void;
    /** The usage of the newest response, before or after its reply is added. */
    anchor(usage: Usage, options?: ResponseOptions): AnchorResult;
    /** After an edit: all messages of the next request. Those that are still the same keep their bills. */
    reset(messages: readonly MessageLike[]): void;
    /** Tokens that were taken out of the request without `reset`; the next usage knows of them by itself. */
    removed(tokens: number): void;
    /** Another system prompt or other tools: no earlier bill holds. */
    head(head: HeadLike): void;
    /** An entry of the log and the view after it. Says what became of the usage the entry brought, if it did. */
    observe(entry: Entry, view: View): AnchorResult | undefined;
    size(): ContextSize;
    /** What a class of content is billed per estimated token on the current model; 1 before anything was learned. */
    factors(): ClassTokens;
    /** What bills taught, by model id. Plain data, for `createTokenMeter({ learned })`. */
    learned(): Readonly<Record<string, ModelLearningState>>;
    /** A second meter that knows the same and goes its own way. */
    fork(): TokenMeter;
}
/**
 * Creates a meter for one thread. The size is the last real usage, its reply included, and an estimate of what was added
 * after it; a usage stops counting when something it measured changes. The estimate learns from every bill.
 */
export declare function createTokenMeter(options: TokenMeterOptions): TokenMeter;

// model-estimators.d.ts
import { type Estimator } from './estimator.ts';
import { type ResolveModelOptions } from './resolve-model.ts';
/** The estimator of a model by its id; without one that of `o200k`. */
export type EstimatorOf = (modelId: string | undefined) => Estimator;
/**
 * Creates estimators as models are asked for. For sizes that follow the model of a conversation: models of one tokenizer family
 * share one, and so does everyone who asks here, so that layers around one conversation count a block once.
 */
export declare function createModelEstimators(options?: ResolveModelOptions): EstimatorOf;

// model-info.d.ts
/**
 * Which vocabulary counts a model's tokens: Claude up to 4.6, Claude from 4.7 on (about 30 % more tokens for the same
 * text), OpenAI's o200k, Gemini's, DeepSeek's, or one nobody named.
 */
export type TokenizerFamily = 'claude-old' | 'claude-new' | 'o200k' | 'gemini' | 'deepseek' | 'unknown';
/**
 * What thinking blocks forbid. `free`: nothing. `latest-turn`: the newest turn's thinking goes back unmodified with its
 * tool results. `prefix-bound`: every thinking block is bound to the exact conversation before it, so an earlier edit
 * makes it invalid.
 */
export type ThinkingRule = 'free' | 'latest-turn' | 'prefix-bound';
/** What a provider can do to a conversation on its own side. */
export type ServerFeature = 'context-editing' | 'threshold-compaction' | 'on-demand-compaction' | 'system-messages' | 'budget-tags';
/**
 * Dollars per million tokens. The whole request is priced at the tier with the highest `fromPromptTokens` that its
 * prompt reaches. A rate that is missing is not known, which is not the same as free.
 */
export interface PriceTier {
    /** Prompt tokens (plain, read and written together) from which this tier holds; 0 for the first. */
    readonly fromPromptTokens: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    /** A write at the provider's standard lifetime: 5 minutes at Anthropic, 30 minutes at OpenAI from GPT-5.6 on. */
    readonly cacheWrite5m?: number;
    readonly cacheWrite1h?: number;
}
/** How long a cached prefix lives without being read. */
export interface CacheLifetime {
    /** The provider's word for it. */
    readonly ttl: string;
    readonly seconds: number;
}
export interface CacheRules {
    /** A shorter prefix is not cached, without an error. Missing where no source gives it. */
    readonly minPrefixTokens?: number;
    /** The default comes first; empty where the provider does not say. */
    readonly lifetimes: readonly CacheLifetime[];
    /** `charged`: writing costs `cacheWrite5m` or `cacheWrite1h`. `no-fee`: what is written costs what plain input costs. */
    readonly writes: 'charged' | 'no-fee';
}
/** What the table knows of one model. */
export interface ModelInfo {
    readonly id: string;
    /** Other ids of the same model: dated ones, and spellings of other tools. */
    readonly aliases: readonly string[];
    readonly provider: 'anthropic' | 'openai' | 'google' | 'deepseek' | 'other';
    readonly windowTokens: number;
    /** Missing where no source gives it. */
    readonly maxOutputTokens?: number;
    /** In order of `fromPromptTokens`; empty where no price is known. */
    readonly prices: readonly PriceTier[];
    readonly cache: CacheRules;
    readonly tokenizer: TokenizerFamily;
    readonly thinking: ThinkingRule;
    /** True where the provider drops the thinking of earlier turns from the prompt by itself. */
    readonly stripsOldThinking: boolean;
    readonly serverFeatures: readonly ServerFeature[];
    /** The day a person last compared this entry with its sources, as YYYY-MM-DD. */
    readonly checkedOn: string;
    /** What is doubtful or missing in this entry, and why. */
    readonly notes: readonly string[];
}

// model-table.d.ts
import type { ModelInfo } from './model-info.ts';
/** Every model the table knows: small, dated and compared by hand with its sources. */
export declare const MODELS: readonly ModelInfo[];
/**
 * The entry of a model, by its exact id or a listed alias, also as Bedrock, Vertex and gateways write it. Never by prefix or
 * likeness: a model that merely sounds like another has other prices. Where a cloud asks for more in a region, that is not in them.
 */
export declare function findModel(id: string): ModelInfo | undefined;

// models.d.ts
export { checkModels } from './check-models.ts';
export { createModelEstimators } from './model-estimators.ts';
export { findModel } from './model-table.ts';
export { priceTier } from './price-usage.ts';
export { providerProfiles } from './provider-profiles.ts';

// price-usage.d.ts
import type { Usage } from '@varve/messages';
import type { ModelInfo, PriceTier } from './model-info.ts';
/** What a response is billed by. Thinking is part of `output`. */
export type PricePart = 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h';
export interface PricedPart {
    readonly tokens: number;
    readonly dollars: number;
    /** Those of `tokens` whose rate is not known: they are not in `dollars`. */
    readonly unpricedTokens: number;
}
/** What usage says about the bill that these rates leave out; the dollars are then only a part of it. */
export type PriceCaveat = 'invalid-count' | 'fast-mode' | 'batch' | 'us-only-inference';
export interface PricedUsage {
    /** Dollars of every part whose rate is known. */
    readonly dollars: number;
    readonly parts: Readonly<Record<PricePart, PricedPart>>;
    /** Tokens without a known rate: they are not in `dollars`. */
    readonly unpricedTokens: number;
    /** Present where writes came without their split by lifetime, or with less than all of it: they are priced as this. */
    readonly assumedLifetime?: '5m';
    readonly caveats: readonly PriceCaveat[];
}
export interface PriceUsageOptions {
    /** Entries of one's own; they win over the table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
/**
 * What one response cost, in dollars. The whole request is priced at the tier its prompt reaches; writes of 5 minutes and
 * of 1 hour apart. Writes without a split count as 5-minute writes, which is the cheaper and the default lifetime, and
 * the result says so. Compactions that the provider ran inside the request (`usage.iterations`) are added, each at its
 * own tier. An unknown model or rate is never guessed: its tokens are reported as unpriced.
 *
 * @throws TypeError for a usage that is no object
 */
export declare function priceUsage(usage: Usage, model: ModelInfo | string, options?: PriceUsageOptions): PricedUsage;
/** The tier a prompt of this many tokens is priced at; undefined where the model has no known price. */
export declare function priceTier(model: ModelInfo, promptTokens: number): PriceTier | undefined;

// provider-profiles.d.ts
import { type ProviderProfile } from '@varve/messages';
import type { ModelInfo } from './model-info.ts';
/** What the providers of a model accept. A model that is in no table may be served in either form. */
export declare function providerProfiles({ provider, thinking, }: Pick<ModelInfo, 'provider' | 'thinking'>): readonly ProviderProfile[];

// reply-surplus.d.ts
/** What of replies cannot be seen in them, in tokens per reply: learned means. */
export interface ReplySurplus {
    /** Takes what one reply was billed beyond what it shows, and how much of that was thinking. */
    learn(reply: {
        hidden: boolean;
        surplusTokens: number;
        thinkingTokens: number;
    }): void;
    /** Expected tokens a reply costs beyond what it shows. */
    surplus(hidden: boolean): number;
    /** Expected tokens of thinking a reply does not show. */
    thinking(hidden: boolean): number;
    state(): SurplusState;
}
/** Plain data. `hidden` replies carry thinking blocks that show no text. */
export interface SurplusState {
    readonly shown: SurplusMean;
    readonly hidden: SurplusMean;
}
interface SurplusMean {
    readonly replies: number;
    readonly surplusTokens: number;
    readonly thinkingTokens: number;
}
/** Creates the means of one model. */
export declare function createReplySurplus(state?: SurplusState): ReplySurplus;
export {};

// resolve-model.d.ts
import type { ModelInfo } from './model-info.ts';
export type ResolvedModel = {
    readonly known: true;
    readonly model: ModelInfo;
} | {
    readonly known: false;
    readonly reason: 'not-in-table';
    /** For a log or a user: which model is unknown, and what was assumed instead. */
    readonly message: string;
    /** Assumed: the default window, no prices, no cache rules, the strictest thinking rule. */
    readonly model: ModelInfo;
};
export interface ResolveModelOptions {
    /** Entries of one's own; they win over the table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
/** Window of a model nobody knows anything about, in tokens. */
export declare const DEFAULT_WINDOW_TOKENS = 200000;
/**
 * The entry of a model, or a stand-in that says that it is one. A `[1m]` suffix is not part of the id. Nothing is guessed
 * from the name: an unknown model has no prices, so its tokens are reported as unpriced.
 */
export declare function resolveModel(id: string, options?: ResolveModelOptions): ResolvedModel;
export declare function hasLongContextSuffix(id: string): boolean;

// usage-fold.d.ts
import type { Usage } from '@varve/messages';
/** One line of a transcript that carries usage. */
export interface UsageLine {
    /** Id of the API response. A line without one is a response of its own. */
    readonly id?: string | undefined;
    readonly usage: Usage;
    /** Missing, null or `unknown` while the response was still streaming. */
    readonly stopReason?: string | null | undefined;
}
/** One response, however many lines, files and branches carry it. */
export interface FoldedResponse {
    readonly id: string | undefined;
    /** Counts are cumulative: of each, the largest any line holds. */
    readonly usage: Usage;
    /** No line says why the response stopped, so its output may be a placeholder. */
    readonly partial: boolean;
    readonly lines: number;
}
/** Sums over all responses. */
export interface UsageTotal {
    readonly responses: number;
    readonly partialResponses: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
}
export interface UsageFold {
    /** Takes a line, in any order; costs the same however many there were. */
    add(line: UsageLine): void;
    /** In order of their first lines. */
    responses(): readonly FoldedResponse[];
    total(): UsageTotal;
}
/**
 * Counts each API response once: transcripts store one response as several lines, copy it into other files when a session
 * branches, and write counts while they still grow.
 */
export declare function createUsageFold(): UsageFold;

// usage.d.ts
export { createCounterFold } from './counter-fold.ts';
export { createUsageFold } from './usage-fold.ts';

// window.d.ts
import type { ModelInfo } from './model-info.ts';
export interface ContextWindowOptions {
    /** Beta headers of the request. */
    readonly betas?: readonly string[] | undefined;
    /** Window of a model the table does not know, in tokens; anything but an integer above 0 is ignored. */
    readonly overrideTokens?: number | undefined;
    /** Entries of one's own; they win over the table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
/** Which rule decided, in the order in which they are asked. */
export type WindowRule = 'suffix' | 'table' | 'beta-header' | 'override' | 'default';
export interface ContextWindow {
    readonly tokens: number;
    readonly rule: WindowRule;
    /** Present where the window is an assumption: what is unknown and what to do about it. */
    readonly message?: string;
}
/**
 * How many tokens a model's window holds; the first rule that applies decides: a `[1m]` suffix of the id, the model
 * table, the million-token beta header, the override, 200,000.
 */
export declare function contextWindow(modelId: string, options?: ContextWindowOptions): ContextWindow;
/** A limit in tokens that can be acted on: an integer above 0. */
export declare function isTokenLimit(value: unknown): value is number;
