// anthropic.d.ts
export { createAnthropicClient } from './anthropic/client.ts';

// anthropic/client.d.ts
import { type SdkSource } from '../sdk.ts';
import { type SdkClientOptions } from '../sdk-client.ts';
import type { ModelClient } from '../types.ts';
/** The methods used of `@anthropic-ai/sdk`; `new Anthropic()` fits, and so do its subclasses for other clouds. */
export interface AnthropicSdk {
    readonly messages: AnthropicMethods;
    readonly beta?: {
        readonly messages: AnthropicMethods;
    };
}
/** Loose in what they take, so that the SDK's own narrower parameters fit. */
export interface AnthropicMethods {
    create(body: never, options?: never): unknown;
    countTokens?(body: never, options?: never): PromiseLike<unknown>;
}
export interface AnthropicClientOptions extends SdkClientOptions {
    /** Or a function that gives it once a request is to be sent, so that a program starts without loading it. */
    readonly sdk: SdkSource<AnthropicSdk>;
}
/**
 * A client of Anthropic's Messages API over its own SDK; the beta methods are used where a request needs them. A request
 * for no output (`maxOutputTokens: 0`, which only warms the cache) is never streamed, because the API refuses that.
 */
export declare function createAnthropicClient(options: AnthropicClientOptions): ModelClient;

// cache-miss.d.ts
/** A cache-miss diagnosis in the provider's words. */
export interface CacheMiss {
    /** E.g. `tools_changed`; `pending` where Anthropic had not compared yet, `cache_hit` where OpenAI saw no miss. */
    readonly word: string;
    /** About how many tokens were missed. */
    readonly missedTokens?: number;
    /** As the provider sent it. */
    readonly reported: unknown;
}
/** Anthropic's `diagnostics`; undefined where none were asked for. */
export declare function anthropicCacheMiss(diagnostics: unknown): CacheMiss | undefined;
/** OpenAI's `prompt_cache_diagnostics`; undefined where none were asked for. */
export declare function openaiCacheMiss(diagnostics: unknown): CacheMiss | undefined;

// call-window.d.ts
import type { Head, Message } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
export interface CallWindowOptions {
    /** Entries of one's own; they win over the model table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
/** What the window of a model has room for, in tokens by estimate. */
export interface CallWindow {
    /** Prompt and answer have to fit it together; Infinity where the window is a guess. */
    readonly windowTokens: number;
    /** The largest prompt behind which the thinking budget and a first token of the answer have room. */
    readonly mostPromptTokens: number;
    /** Of system prompt and tools. */
    headTokens(): number;
    /** Of messages; each is counted once. */
    sizeOf(messages: readonly Message[]): number;
    /** As much of `askedTokens` of output as the prompt leaves; undefined where it is too large for any answer. */
    outputTokens(promptTokens: number, askedTokens: number): number | undefined;
}
/** The window that the requests of a head have to fit, as its betas and the caller's own entries have it. */
export declare function callWindow(head: Head, { models }?: CallWindowOptions): CallWindow;

// call.d.ts
export { type CallWindowOptions, callWindow } from './call-window.ts';
export { fitCall, MOST_UNSTREAMED_TOKENS, thinkingBudget } from './fit-call.ts';

// error.d.ts
import { VarveError } from '@varve/guards';
import type { Usage } from '@varve/messages';
/** Why a request failed; each is explained in the README. */
export type ModelErrorCode = 'auth' | 'bad-recording' | 'billing' | 'conflict' | 'connection' | 'invalid-request' | 'media-too-large' | 'media-unreadable' | 'no-recording' | 'not-found' | 'out-of-order' | 'overloaded' | 'prompt-too-long' | 'rate-limited' | 'recording-failed' | 'refused' | 'request-too-large' | 'server-error' | 'silent-overflow' | 'stream-broken' | 'timeout' | 'unused-recording';
/** What an error carries where the provider said it. */
export interface ModelErrorFacts {
    /** Whether the same request may succeed later. */
    readonly retryable?: boolean;
    /** How long the provider asks to wait, in milliseconds. */
    readonly retryAfterMs?: number;
    /** Tokens of the prompt (with the output asked for, where the provider counts both). */
    readonly actualTokens?: number;
    /** Most tokens the provider takes. */
    readonly limitTokens?: number;
    readonly actualBytes?: number;
    readonly limitBytes?: number;
    /** Where the provider found fault, counted in the messages as they were sent. */
    readonly place?: {
        readonly messageIndex: number;
        readonly blockIndex?: number;
    };
    readonly status?: number;
    readonly requestId?: string;
    /** The provider's own code or type. */
    readonly providerCode?: string;
    /** What a broken stream had reported as billed; not final. */
    readonly usage?: Usage;
    /** Of `no-recording`: the first place where the nearest recorded request differs. */
    readonly difference?: RequestDifference;
}
/** The first place where two requests differ, with a few characters of both sides around it. */
export interface RequestDifference {
    /** E.g. `messages[3].content[0].text`. */
    readonly path: string;
    readonly recorded: string;
    readonly asked: string;
}
export interface ModelErrorOptions extends ModelErrorFacts {
    readonly cause?: unknown;
}
/** The one error this package throws, apart from the reason of an abort. Its message never holds text of a prompt or an answer. */
export declare class ModelError extends VarveError<ModelErrorCode> implements ModelErrorFacts {
    readonly retryable: boolean;
    readonly retryAfterMs?: number;
    readonly actualTokens?: number;
    readonly limitTokens?: number;
    readonly actualBytes?: number;
    readonly limitBytes?: number;
    readonly place?: {
        readonly messageIndex: number;
        readonly blockIndex?: number;
    };
    readonly status?: number;
    readonly requestId?: string;
    readonly providerCode?: string;
    readonly usage?: Usage;
    readonly difference?: RequestDifference;
    constructor(code: ModelErrorCode, message: string, options?: ModelErrorOptions);
    get name(): 'ModelError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is ModelError;
}

// errors.d.ts
export { findOverflow } from './errors/overflow-wordings.ts';
export { toModelError } from './errors/to-model-error.ts';

// errors/overflow-wordings.d.ts
/** What a provider's text says of a prompt that does not fit, in tokens. */
export interface OverflowNumbers {
    readonly actualTokens?: number;
    readonly limitTokens?: number;
}
/**
 * Reads a provider's text as "the prompt is too long"; undefined where it says something else. Limits of tokens per
 * minute are rate limits and are told apart.
 */
export declare function findOverflow(text: string): OverflowNumbers | undefined;
export interface OverflowWording {
    /** Who writes so; others copy it. */
    readonly source: string;
    /** Groups: `actual`, `limit`, or `input` and `output` that add up. */
    readonly pattern: RegExp;
}
/**
 * The first that matches counts, so the ones with numbers stand first. Those of Anthropic and OpenAI are documented or
 * were reported by many; the others were reported by users up to November 2026 and not tried on the live services.
 */
export declare const OVERFLOW_WORDINGS: readonly OverflowWording[];

// errors/to-model-error.d.ts
import { ModelError } from '../error.ts';
export interface ToModelErrorOptions {
    /** @default Date.now */
    readonly now?: (() => number) | undefined;
    /** Whether the answer had begun: what breaks then broke the stream. @default false */
    readonly hasBegun?: boolean | undefined;
}
/**
 * Any error of a provider's SDK as a `ModelError`: by the provider's words first, then by status, because gateways change
 * the status more often than the words. An error that is one already comes back as it is.
 */
export declare function toModelError(error: unknown, options?: ToModelErrorOptions): ModelError;

// fit-call.d.ts
import type { JsonObject, Request } from '@varve/messages';
export interface FitCallOptions {
    /**
     * `text`: the answer is read as text, so parameters that force anything else (a tool call, a schema, an end at a given
     * word) go. `turn`: the call is a turn like any other, and they stay.
     */
    readonly answer: 'text' | 'turn';
    /** Tokens that the answer may have beside its thinking. */
    readonly answerTokens: number;
    /** The most output that may be asked for, thinking included, in tokens. @default no limit */
    readonly mostTokens?: number | undefined;
    /** An answer with less room is not worth the call: thinking gives way first, in tokens. @default 1,024 */
    readonly leastAnswerTokens?: number | undefined;
}
/**
 * A request that was derived from a conversation's own, so that the provider takes it: its output holds the thinking budget
 * and the answer. Where both do not fit, the budget shrinks, and below the least that a provider takes, thinking is left out
 * and its clearing with it. Head and server parameters are the same objects where nothing in them has to change.
 */
export declare function fitCall(request: Request, options: FitCallOptions): Request;
/** The Anthropic SDK refuses a call that asks for more output than this and is not streamed (SDK 1.14.0), in tokens. */
export declare const MOST_UNSTREAMED_TOKENS = 21333;
/** Tokens of thinking that parameters ask for, out of the output; 0 where they name none. */
export declare function thinkingBudget({ thinking }: JsonObject): number;

// index.d.ts
export { ModelError } from './error.ts';
export { withReminder } from './reminder.ts';
export { send } from './send.ts';
export { createModelStream } from './stream/model-stream.ts';
export type { ModelClient, ModelEvent, ModelResponse } from './types.ts';

// node/file-record-store.d.ts
import type { RecordStore } from '../record/recording.ts';
/**
 * A recording in a file, which is made with its folder at the first line, both for their owner only; a file that was there
 * becomes its owner's only too. Lines are written one after the other. One that the disk does not take whole is taken off
 * again and rejects with `recording-failed`; the next one begins a line of its own whatever the file ends with. A file that
 * is missing has no lines; any other failure to open or read is thrown as it is.
 */
export declare function fileRecordStore(path: string): RecordStore;

// node/index.d.ts
export { fileRecordStore } from './file-record-store.ts';

// openai.d.ts
export { createOpenAIChatClient } from './openai/chat-client.ts';
export { createOpenAIResponsesClient } from './openai/responses-client.ts';
export { createOpenAICompact } from './openai/responses-compact.ts';

// openai/breakpoints.d.ts
import type { Message, Request } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
/** OpenAI's marker on a part, for models from GPT-5.6 on. */
export interface CacheBreakpoint {
    mode: 'explicit';
}
/** One of OpenAI's formats, as far as markers need it. */
export interface BreakpointFormat<Item extends object> {
    readonly convert: (messages: readonly Message[]) => {
        readonly messages: readonly Item[];
        readonly losses: readonly Loss[];
    };
    /** The parts of an item that may carry a marker; a text that stands alone is one. Undefined where there are none. */
    readonly partsOf: (item: Item) => readonly object[] | undefined;
    readonly withParts: (item: Item, parts: readonly object[]) => Item;
}
/** Whether a model is one that takes markers: those whose cache writes are charged. */
export declare function hasBreakpoints(model: string): boolean;
/**
 * Writes markers into converted messages. What the model wrote and its calls carry none, so a marker there moves to the
 * nearest earlier part that does. Lifetimes are those of `prompt_cache_options`; a marker's own is Anthropic's.
 */
export declare function createBreakpointWriter<Item extends object>(format: BreakpointFormat<Item>): (items: readonly Item[], { messages, markers }: Request) => Item[];
/** Marks the last part up to `lastPart`; each marked item is made once. */
export declare function createPartMarker<Item extends object>({ partsOf, withParts, }: BreakpointFormat<Item>): (item: Item, lastPart: number) => Item | undefined;

// openai/chat-client.d.ts
import { type SdkSource } from '../sdk.ts';
import { type SdkClientOptions } from '../sdk-client.ts';
import type { ModelClient } from '../types.ts';
import { type OpenAIChatWriterOptions } from './chat-request.ts';
/** The method used of `openai`; `new OpenAI()` fits, with any base URL. */
export interface OpenAIChatSdk {
    readonly chat: {
        readonly completions: {
            create(body: never, options?: never): unknown;
        };
    };
}
export interface OpenAIChatClientOptions extends SdkClientOptions, OpenAIChatWriterOptions {
    /** Or a function that gives it once a request is to be sent, so that a program starts without loading it. */
    readonly sdk: SdkSource<OpenAIChatSdk>;
}
/** A client of OpenAI's Chat Completions, and of every server that speaks them, over OpenAI's own SDK. */
export declare function createOpenAIChatClient(options: OpenAIChatClientOptions): ModelClient;

// openai/chat-request.d.ts
import type { Request } from '@varve/messages';
import { type toOpenAIChat } from '@varve/messages/convert';
import type { WrittenRequest } from '../request-params.ts';
import { type OpenAIWriterOptions } from './writer.ts';
type OpenAIChatMessage = ReturnType<typeof toOpenAIChat>['messages'][number];
/** What is sent to `/chat/completions`, beside the parameters of the head, which go as they are. */
export interface OpenAIChatBody {
    model: string;
    max_completion_tokens?: number;
    max_tokens?: number;
    tools?: OpenAIChatTool[];
    messages: OpenAIChatMessage[];
}
export interface OpenAIChatTool {
    type: 'function';
    function: {
        name: string;
        description?: string;
        parameters: Record<string, unknown>;
    };
}
export interface OpenAIChatWriterOptions extends OpenAIWriterOptions {
    /** Older compatible servers know `max_tokens` alone. @default 'max_completion_tokens' */
    readonly maxTokensField?: 'max_completion_tokens' | 'max_tokens' | undefined;
}
/** Writes requests of a history that grows: a message is read once, and the same request always gives the same bytes. */
export declare function createOpenAIChatWriter(options?: OpenAIChatWriterOptions): (request: Request) => WrittenRequest<OpenAIChatBody>;
export {};

// openai/responses-client.d.ts
import { type SdkSource } from '../sdk.ts';
import { type SdkClientOptions } from '../sdk-client.ts';
import type { ModelClient } from '../types.ts';
import type { OpenAIWriterOptions } from './writer.ts';
/** The methods used of `openai`; `new OpenAI()` fits, with any base URL. */
export interface OpenAIResponsesSdk {
    readonly responses: {
        create(body: never, options?: never): unknown;
        readonly inputTokens?: {
            count(body: never, options?: never): PromiseLike<unknown>;
        };
    };
}
export interface OpenAIResponsesClientOptions extends SdkClientOptions, OpenAIWriterOptions {
    /** Or a function that gives it once a request is to be sent, so that a program starts without loading it. */
    readonly sdk: SdkSource<OpenAIResponsesSdk>;
}
/**
 * A client of OpenAI's Responses over OpenAI's own SDK. The whole history is sent each time; reasoning items go back as
 * they came, which with `store: false` needs `include: ['reasoning.encrypted_content']` in the parameters of the head.
 */
export declare function createOpenAIResponsesClient(options: OpenAIResponsesClientOptions): ModelClient;

// openai/responses-compact.d.ts
import type { Request } from '@varve/messages';
import { type fromOpenAIChat } from '@varve/messages/convert';
import type { ModelResponse } from '../types.ts';
import type { OpenAIWriterOptions } from './writer.ts';
/** The method used of `openai`; `new OpenAI()` fits. */
export interface OpenAICompactSdk {
    readonly responses: {
        compact(body: never, options?: never): unknown;
    };
}
export interface OpenAICompactOptions extends OpenAIWriterOptions {
    readonly sdk: OpenAICompactSdk;
    /** In place of the provider's own. */
    readonly instructions?: string | undefined;
}
/** What a compaction by the provider left. */
export interface OpenAICompacted extends ModelResponse {
    /** All of it in order, to be sent in place of what was compacted: the user's messages and one opaque block. */
    readonly messages: readonly ReturnType<typeof fromOpenAIChat>['messages'][number][];
}
/** Compacts the messages of a request. `content` holds the block alone. */
export type OpenAICompact = (request: Request, options?: {
    readonly signal?: AbortSignal | undefined;
}) => Promise<OpenAICompacted>;
/**
 * `POST /responses/compact` over OpenAI's own SDK. The call rejects with a `ModelError`, or with the signal's reason, an `AbortError` unless one was given.
 */
export declare function createOpenAICompact({ sdk, instructions, ...options }: OpenAICompactOptions): OpenAICompact;

// openai/writer.d.ts
import type { Head, Request } from '@varve/messages';
import { type WrittenRequest } from '../request-params.ts';
import { type BreakpointFormat } from './breakpoints.ts';
export interface OpenAIWriterOptions {
    /** Whether markers are written, as models from GPT-5.6 on take them. @default by the table of `@varve/tokens` */
    readonly breakpoints?: boolean | undefined;
}
/** What Chat Completions and Responses write each their own way. */
export interface WriterFormat<Item extends object, Tool, Body> extends BreakpointFormat<Item> {
    readonly writeHead: (head: Head) => {
        readonly tools: Tool[];
        readonly system: Item[];
    };
    /** The fields that both name differently; what is listed first is sent first. */
    readonly fieldsOf: (parts: {
        readonly maxTokens: number;
        readonly tools: {
            readonly tools?: Tool[];
        };
        readonly items: Item[];
    }) => Omit<Body, 'model'>;
}
/** Writes requests of a history that grows: a message is read once, and the same request always gives the same bytes. */
export declare function createOpenAIWriter<Item extends object, Tool, Body>(format: WriterFormat<Item, Tool, Body>, options: OpenAIWriterOptions): (request: Request) => WrittenRequest<Body>;

// rate-limits.d.ts
/** What is left of one of the provider's allowances. */
export interface RateLimit {
    /** The provider's word: `requests`, `tokens`, `input-tokens`, … */
    readonly name: string;
    readonly limit?: number;
    readonly remaining?: number;
    /** As the provider writes it: a time (Anthropic) or a duration such as `6m0s` (OpenAI). */
    readonly reset?: string;
}
/** Allowances from the headers of a response, by name. */
export declare function rateLimitsOf(headers: Headers | undefined): readonly RateLimit[];

// record.d.ts
export { recordClient } from './record/record-client.ts';
export { memoryRecordStore } from './record/recording.ts';
export { replayClient } from './record/replay-client.ts';

// record/record-client.d.ts
import type { ModelClient } from '../types.ts';
import { type RecordStore } from './recording.ts';
export interface RecordClientOptions {
    /**
     * Applied to every text that is written, so that no secret reaches the store; the key is that of the request as it was.
     * `false` writes them as they are. @default `redact` of `@varve/redact`, and fields that hold a secret by their name
     */
    readonly redact?: ((text: string) => string) | false | undefined;
}
/**
 * A client that records every exchange that ends, with an answer or with a `ModelError`; an aborted one is not recorded.
 * The answer is handed on once it is in the store.
 */
export declare function recordClient(client: ModelClient, store: RecordStore, { redact }?: RecordClientOptions): ModelClient;

// record/recording.d.ts
import type { JsonObject } from '@varve/messages';
import { ModelError, type ModelErrorCode } from '../error.ts';
import type { ModelEvent, ModelResponse } from '../types.ts';
/** Where recorded exchanges are kept: one JSON object a line, in the order in which the requests ended. */
export interface RecordStore {
    /** Adds a line, without its line break, in one write. */
    append(line: string): Promise<void>;
    /** All lines; none where nothing was recorded. */
    lines(): Promise<readonly string[]>;
}
/** One line of a recording. */
export interface RecordedExchange {
    readonly version: 1;
    /** Fingerprint of the request's bytes. */
    readonly key: string;
    readonly provider: string;
    /** The request's stable bytes, after redaction. */
    readonly request: string;
    /** All events but `response-end`. */
    readonly events: readonly ModelEvent[];
    readonly response?: ModelResponse;
    /** What it failed with instead. */
    readonly error?: RecordedError;
}
export interface RecordedError {
    readonly code: ModelErrorCode;
    readonly message: string;
    readonly facts: JsonObject;
}
/** A store in memory, e.g. for a test that records and replays in one go. */
export declare function memoryRecordStore(lines?: readonly string[]): RecordStore;
/**
 * Reads a line of a recording.
 *
 * @throws ModelError `bad-recording`
 */
export declare function readExchange(line: string, lineIndex: number): RecordedExchange;
export declare function writeError(error: ModelError): RecordedError;
export declare function readError({ code, message, facts }: RecordedError): ModelError;

// record/replay-client.d.ts
import type { ModelClient } from '../types.ts';
import { type RecordStore } from './recording.ts';
export interface ReplayClientOptions {
    /** Whether the requests have to come in the order in which they were recorded. @default false */
    readonly inOrder?: boolean | undefined;
}
/** A client that answers from a recording, and from nothing else. */
export interface ReplayClient extends ModelClient {
    /**
     * Ends a replay.
     *
     * @throws ModelError `unused-recording` where recorded answers were not asked for
     */
    finish(): Promise<void>;
}
/**
 * Replays a recording: a request is answered by what was recorded for the same bytes, the second time by the second
 * recorded answer. Nothing is sent anywhere.
 *
 * A stream throws ModelError `no-recording` for a request that was not recorded (or was not as often), with the first place
 * where the nearest recorded one differs; `out-of-order`; `bad-recording`; and what was recorded as an error.
 */
export declare function replayClient(store: RecordStore, options?: ReplayClientOptions): ReplayClient;

// reminder.d.ts
import { type Message } from '@varve/messages';
export interface WithReminderOptions {
    /**
     * Whether the model takes system messages between turns (`serverFeatures` of `@varve/tokens` has `system-messages`, or
     * it is one of OpenAI's): the reminder is then none of the user's words. @default false
     */
    readonly systemMessages?: boolean | undefined;
    /** Id of the new message. @default derived from the text and the last message, so that equal input gives equal bytes */
    readonly id?: string | undefined;
}
export type WithReminderResult = {
    readonly kind: 'appended';
    readonly messages: readonly Message[];
    readonly role: 'user' | 'system';
} | {
    readonly kind: 'unchanged';
    readonly messages: readonly Message[];
    /** `open-round`: calls wait for results, which have to come first; append them and ask again. */
    readonly reason: 'blank-text' | 'open-round';
};
/**
 * Injects a reminder without touching anything that was sent before: it is appended, as a system message where the model
 * takes one there (after a user turn), else as a message of the user.
 */
export declare function withReminder(messages: readonly Message[], text: string, options?: WithReminderOptions): WithReminderResult;

// request-params.d.ts
import { type Head, type JsonObject } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
/** What a writer makes of a request. */
export interface WrittenRequest<Body> {
    /** Messages come last, so that the bytes of a history that grew start with those of the history before. */
    readonly body: Body;
    /** What the provider's format cannot hold of these messages. */
    readonly losses: readonly Loss[];
}
/** Parameters with keys in code-unit order at every depth, so that equal ones have equal bytes; each object is read once. */
export declare function createParamsReader(): (params: JsonObject | undefined) => JsonObject;
/** Remembers what was made of each head. */
export declare function rememberHead<Written>(write: (head: Head) => Written): (head: Head) => Written;

// sdk-client.d.ts
import type { Request } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
import type { WrittenRequest } from './request-params.ts';
import { type Answer, type Fold } from './stream/exchange.ts';
import type { ModelClient, StreamOptions } from './types.ts';
/** What the clients over an SDK have in common. */
export interface SdkClientOptions {
    /** False asks for whole answers; their events then come all at the end. @default true */
    readonly streaming?: boolean | undefined;
    /**
     * Retries are the SDK's own (connection errors, 408, 409, 429 and 5xx, before the answer begins); this overrides how
     * many. 0 hands every failure on at once. @default the SDK's, 2
     */
    readonly maxRetries?: number | undefined;
    /** Tokens, for models that the table of `@varve/tokens` does not know. @default the table's */
    readonly windowTokens?: number | undefined;
    /** Hears of what a format cannot hold, of each request or answer that has such. @default none */
    readonly onLosses?: ((losses: readonly Loss[], of: 'request' | 'answer') => void) | undefined;
    /** Milliseconds since 1970, for `retry-after` dates without a `date` header. @default Date.now */
    readonly now?: (() => number) | undefined;
}
export interface Adapter<Written> {
    readonly provider: string;
    readonly write: (request: Request) => Written;
    readonly open: (written: Written, options: OpenOptions) => Promise<Answer<unknown>>;
    readonly createFold: () => Fold<unknown>;
    readonly count?: (written: Written, options: {
        signal: AbortSignal;
    }) => Promise<number>;
}
export type OpenOptions = StreamOptions & {
    readonly signal: AbortSignal;
};
/** A client from what one provider does its own way. */
export declare function createSdkClient<Written extends WrittenRequest<unknown>>(adapter: Adapter<Written>, options: SdkClientOptions): ModelClient;

// sdk.d.ts
export interface SdkAnswer {
    readonly data: unknown;
    readonly response: Response;
    readonly request_id?: string | null | undefined;
}
export declare const withResponse: (promise: unknown) => Promise<SdkAnswer>;
/** An SDK, or what loads it: asked before the first request, and not when the client is made. */
export type SdkSource<Sdk extends object> = Sdk | (() => Promise<Sdk>);
/** The SDK of a client, loaded if it has to be. */
export declare function sdkFrom<Sdk extends object>(source: SdkSource<Sdk>): Promise<Sdk>;
/** Options of a call in the SDKs' words. */
export declare function sdkOptions(options: {
    readonly signal: AbortSignal;
    readonly timeoutMs?: number | undefined;
    readonly maxRetries?: number | undefined;
}): {
    signal: AbortSignal;
    timeout?: number;
    maxRetries?: number;
};

// send.d.ts
import type { Request } from '@varve/messages';
import type { ModelClient, ModelResponse, StreamOptions } from './types.ts';
/**
 * Sends a request and waits for the whole answer.
 *
 * @throws ModelError
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export declare function send(client: ModelClient, request: Request, options?: StreamOptions): Promise<ModelResponse>;

// stream/exchange.d.ts
import type { ModelEvent, ModelResponse, StreamOptions } from '../types.ts';
/** Turns a provider's events into ours; one instance an answer. */
export interface Fold<Event> {
    read(event: Event): readonly ModelEvent[];
    /**
     * The whole answer, once the provider's events are over.
     *
     * @throws ModelError `stream-broken` where they ended too early
     */
    end(): ModelResponse;
    /** What was billed as far as the events said. */
    readonly usage: ModelResponse['usage'] | undefined;
}
/** A request on its way: the provider's events, or its whole answer turned into them. */
export interface Answer<Event> {
    readonly events: AsyncIterable<Event>;
    readonly headers: Headers | undefined;
    readonly requestId: string | null | undefined;
}
export interface ExchangeOptions<Event> {
    readonly open: (options: {
        signal: AbortSignal;
        timeoutMs?: number | undefined;
    }) => Promise<Answer<Event>>;
    readonly fold: Fold<Event>;
    /** Tokens; undefined where nobody knows. */
    readonly windowTokens: number | undefined;
    readonly now: () => number;
    readonly timeoutMs: StreamOptions['timeoutMs'];
}
/** One request from sending to its last event, with every failure normalised and every wait ended by an abort. */
export declare function runExchange<Event>(options: ExchangeOptions<Event>, signal: AbortSignal): AsyncGenerator<ModelEvent, void>;

// stream/model-stream.d.ts
import type { ModelEvent, ModelStream } from '../types.ts';
/** Events of one exchange, the last of which is `response-end`; throws what the exchange fails with. */
export type Exchange = (signal: AbortSignal) => AsyncGenerator<ModelEvent, void>;
/**
 * A stream that is read by need: each `next()` reads one event, `response()` reads the rest, and both see the same ones.
 * After an abort not even events that had arrived are emitted.
 */
export declare function createModelStream(exchange: Exchange, signal?: AbortSignal): ModelStream;

// types.d.ts
import type { Block, Request, StopReason, Usage } from '@varve/messages';
import type { CacheMiss } from './cache-miss.ts';
import type { RateLimit } from './rate-limits.ts';
/** Sends requests to one provider. Everything a provider says differently is normalised here, and its own words are kept. */
export interface ModelClient {
    /** `anthropic`, `openai-chat`, `openai-responses`, or a name of one's own. */
    readonly provider: string;
    /** Prepares a request; it is sent when the stream is first read. */
    stream(request: Request, options?: StreamOptions): ModelStream;
    /**
     * The provider's own count of a request's input, in tokens, after server-side edits.
     *
     * @throws ModelError
     * @throws the signal's reason, an `AbortError` unless one was given
     */
    countTokens?(request: Request, options?: CountTokensOptions): Promise<number>;
}
export interface CountTokensOptions {
    readonly signal?: AbortSignal | undefined;
}
export interface StreamOptions {
    /** Ends the request, which rejects with the reason, an `AbortError` unless one was given; nothing is emitted after. */
    readonly signal?: AbortSignal | undefined;
    /**
     * Longest wait in milliseconds, for an answer to begin (of each attempt, while the SDK retries) and then for each event:
     * `timeout` before the first, `stream-broken` after. @default the SDK's own for the beginning, none between events
     */
    readonly timeoutMs?: number | undefined;
    /**
     * Asks for the provider's cache-miss diagnosis against an earlier response, by its id; `null` opts in on a first turn.
     * Ignored by `openai-chat`, which has none. @default not asked
     */
    readonly compareWith?: string | null | undefined;
}
/**
 * One answer as it arrives. Read it as events, or only wait for `response()`; both is fine, in any order. Leaving the
 * loop early ends the request.
 */
export interface ModelStream extends AsyncIterable<ModelEvent> {
    /**
     * The whole answer; reads what is left of the stream.
     *
     * @throws ModelError
     * @throws the signal's reason, an `AbortError` unless one was given
     */
    response(): Promise<ModelResponse>;
}
/** Blocks are numbered in the order in which they began; `block-end` carries the whole block. */
export type ModelEvent = {
    readonly type: 'response-start';
    readonly id: string;
    readonly model: string;
    /** What is billed however the answer ends, where the provider says so before it: the prompt. */
    readonly usage?: Usage;
} | {
    readonly type: 'block-start';
    readonly index: number;
    readonly blockType: string;
    /** Of a tool call. */
    readonly id?: string;
    readonly name?: string;
} | {
    readonly type: 'text-delta';
    readonly index: number;
    readonly text: string;
} | {
    readonly type: 'thinking-delta';
    readonly index: number;
    readonly text: string;
}
/** A piece of a call's input: JSON that is not whole before `block-end`. */
 | {
    readonly type: 'input-delta';
    readonly index: number;
    readonly json: string;
} | {
    readonly type: 'block-end';
    readonly index: number;
    readonly block: Block;
} | {
    readonly type: 'response-end';
    readonly response: ModelResponse;
};
/** A whole answer. */
export interface ModelResponse {
    readonly id: string;
    readonly model: string;
    readonly content: readonly Block[];
    readonly stopReason: StopReason;
    /** The provider's own word for it. */
    readonly providerStopReason?: string;
    /** What the provider adds to it, of a refusal above all. */
    readonly stopDetails?: unknown;
    readonly usage: Usage;
    readonly requestId?: string;
    /** A tool call that the token limit cut: it is not in `content`, because its input is half JSON. */
    readonly cutCall?: CutCall;
    /** Server-side edits that were applied, as Anthropic's `context_management.applied_edits`. */
    readonly appliedEdits?: readonly unknown[];
    /** What the provider changed in the input before the model saw it, as Anthropic's `input_transformations`. */
    readonly inputTransformations?: readonly unknown[];
    /** Usage per sampling pass; with a server-side compaction the bill is their sum, not `usage`. */
    readonly iterations?: readonly unknown[];
    /** Why the cache missed, in the provider's words; only where `compareWith` asked. */
    readonly cacheMiss?: CacheMiss;
    readonly rateLimits?: readonly RateLimit[];
    /** Signs that the prompt was larger than the window although no error says so. */
    readonly overflow?: SilentOverflow;
}
export interface CutCall {
    readonly id: string;
    readonly name: string;
    readonly json: string;
}
/**
 * `usage-above-window`: more prompt tokens were billed than the window holds. One report can be wrong; check it against
 * an estimate before acting. `no-room-for-output`: the answer ended at its first token with the window full.
 */
export interface SilentOverflow {
    readonly kind: 'usage-above-window' | 'no-room-for-output';
    readonly promptTokens: number;
    readonly windowTokens: number;
}
