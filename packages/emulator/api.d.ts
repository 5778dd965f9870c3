// cache/account.d.ts
import type { Request } from '@varve/messages';
import { type CachePolicy, type CacheResult } from '@varve/prompt-cache';
import { type Estimator, type ModelInfo } from '@varve/tokens';
/** One organisation's simulated cache of one model. */
export interface Account {
    readonly model: ModelInfo;
    readonly policy: CachePolicy;
    readonly sizeOf: Estimator;
    /** The same request out of objects that an equal request has as well. */
    intern(request: Request): Request;
    intern<Value extends object>(value: Value): Value;
    /** Tokens of the prompt as it was sent, and as the server's own edits leave it. */
    measure(request: Request): {
        readonly sent: number;
        readonly billed: number;
    };
    /** Bills a request, and leaves in the cache what it writes. */
    serve(request: Request, options: ServeOptions): Served;
    /** UTF-16 units of distinct prompt parts kept. */
    readonly size: number;
}
export interface ServeOptions {
    readonly startMs: number;
    readonly firstTokenMs: number;
    readonly outputTokens: number;
    /** A conversation by name; without one it is found by the messages. */
    readonly thread?: string | undefined;
}
export interface Served extends CacheResult {
    readonly thread: string;
}
export interface AccountOptions {
    readonly model: ModelInfo;
    readonly policy: CachePolicy;
}
export declare function createAccount({ model, policy }: AccountOptions): Account;

// core/http.d.ts
import type { WireFault } from '../faults/fault.ts';
/** One HTTP request with its exact bytes. Header names are lower case. */
export interface HttpRequest {
    readonly method: string;
    /** Path with its query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: Uint8Array;
}
/** What is answered: a body, or the server-sent events of a stream in their order. */
export interface HttpReply {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Present for a stream: each one is a whole event with its blank line, and `body` is empty. */
    readonly events?: readonly string[] | undefined;
    /** What is done to the bytes on their way; the in-process caller sees it as data. */
    readonly wire?: WireFault | undefined;
}
export declare function jsonReply(status: number, value: unknown, headers?: Readonly<Record<string, string>>): HttpReply;
export declare function eventReply(events: readonly string[], headers?: Readonly<Record<string, string>>): HttpReply;

// core/rate-limits.d.ts
import type { ProviderName } from '../replies/reply.ts';
/** Limits that are reported, never enforced: refusals are faults. */
export interface RateLimits {
    readonly requestsPerMinute: number;
    readonly inputTokensPerMinute: number;
    readonly outputTokensPerMinute: number;
}
export interface Spent {
    readonly inputTokens: number;
    readonly outputTokens: number;
}
/** Headers that say what is left of the current minute, in the words of each provider. */
export declare function createRateLimitHeaders(limits: RateLimits): (organisation: string, provider: ProviderName, nowMs: number, spent: Spent) => Record<string, string>;

// emulator.d.ts
import type { HttpReply, HttpRequest } from './core/http.ts';
import { type RecordedRequest } from './log/exchange.ts';
import { type EmulatorReport } from './log/report.ts';
import { type EmulatorOptions } from './options.ts';
/** A provider without a socket. */
export interface Emulator {
    /** Answers one request. What a reply function throws is an answer of status 500; rejects only where a fault's matcher throws. */
    handle(request: HttpRequest): Promise<HttpReply>;
    /** The latest requests with their exact bytes, oldest first. */
    readonly requests: readonly RecordedRequest[];
    /** Hit rate, dollars and breaks of everything so far. */
    report(): EmulatorReport;
    /**
     * The gate for CI. Throws `hit-rate-too-low` where less of all prompt tokens was read from the cache than this share,
     * and says what was lost to what.
     */
    expectHitRate(atLeast: number): void;
}
/** Creates a provider as a function from request to response; `startEmulator` puts it behind a port. */
export declare function createEmulator(options?: EmulatorOptions): Emulator;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `bad-options`: an option is not what it has to be. `not-loopback`: an address other machines can reach was asked for
 * without `allowRemote`. `cannot-listen`: the port is taken or not allowed. `script-ended`: more replies were asked for
 * than the script has. `no-recorded-reply`: a recorded session has no model's replies, or no more of them.
 * `hit-rate-too-low`: less of the prompts was read from the cache than a gate asks for.
 */
export type EmulatorErrorCode = 'bad-options' | 'not-loopback' | 'cannot-listen' | 'script-ended' | 'no-recorded-reply' | 'hit-rate-too-low';
/** What this package throws: used against its contract, or a gate that did not hold. Messages quote no prompt. */
export declare class EmulatorError extends VarveError<EmulatorErrorCode> {
    get name(): 'EmulatorError';
    /** Recognises the error across duplicate copies of the package. */
    static is(value: unknown): value is EmulatorError;
}

// faults/fault.d.ts
/** What goes wrong with a reply on demand. Times in milliseconds. */
export type FaultKind = 
/** Nothing is answered for so long, then as usual. */
{
    readonly kind: 'latency';
    readonly ms: number;
}
/** An error in place of the reply, in the provider's own shape: 429, 500, 529, … */
 | {
    readonly kind: 'status';
    readonly status: number;
    readonly retryAfterMs?: number | undefined;
    readonly message?: string | undefined;
}
/** The refusal of a prompt larger than the window, whatever its size. */
 | {
    readonly kind: 'prompt-too-long';
    readonly actualTokens?: number | undefined;
    readonly limitTokens?: number | undefined;
}
/** The connection is cut after so many events of a stream, or bytes of the body. */
 | {
    readonly kind: 'cut';
    readonly afterEvents?: number | undefined;
    readonly afterBytes?: number | undefined;
}
/** The event at this position is no JSON. */
 | {
    readonly kind: 'malformed-event';
    readonly atEvent: number;
}
/** The stream reports an error in place of the event at this position, after a status of 200. */
 | {
    readonly kind: 'error-event';
    readonly atEvent: number;
    readonly status?: number | undefined;
}
/** The reply comes in pieces of so many bytes with a pause before each. */
 | {
    readonly kind: 'slow-loris';
    readonly bytes: number;
    readonly delayMs: number;
}
/** Nothing more comes after so many events, and the connection stays open. Without `afterEvents` nothing comes at all. */
 | {
    readonly kind: 'hang';
    readonly afterEvents?: number | undefined;
};
export declare const FAULT_KINDS: readonly FaultKind['kind'][];
/** Which request a matcher is asked about. */
export interface FaultCall {
    /** Requests are counted from 0, those that failed included. */
    readonly index: number;
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
}
/** A fault and when it happens. */
export type Fault = FaultKind & {
    /**
     * The request's number, several of them, or a function.
     * @default every request
     */
    readonly when?: number | readonly number[] | ((call: FaultCall) => boolean) | undefined;
    /**
     * How often at most.
     * @default no limit
     */
    readonly times?: number | undefined;
};
/** Faults that act on bytes, left to whoever writes them. */
export type WireFault = Extract<FaultKind, {
    kind: 'latency' | 'cut' | 'slow-loris' | 'hang';
}>;
/** The first fault in the list that applies to a request and has not happened often enough. */
export declare function createFaultPicker(faults: readonly Fault[]): (call: FaultCall) => Fault | undefined;
export declare function isWireFault(fault: FaultKind): fault is WireFault;

// index.d.ts
export { createEmulator } from './emulator.ts';
export { EmulatorError } from './error.ts';
export type { Fault } from './faults/fault.ts';
export { extractiveSummary } from './replies/extractive-summary.ts';
export { recorded } from './replies/recorded.ts';
export type { ReplyLike } from './replies/reply.ts';
export { startEmulator } from './server/start.ts';

// log/exchange.d.ts
import type { Served } from '../cache/account.ts';
import type { HttpReply, HttpRequest } from '../core/http.ts';
import type { Fault } from '../faults/fault.ts';
import type { ProviderName } from '../replies/reply.ts';
/** One request as it came in, what was answered, and what the cache did. */
export interface RecordedRequest {
    /** Counted from 0, failures included. */
    readonly index: number;
    readonly provider: ProviderName;
    readonly method: string;
    readonly path: string;
    /** Names are lower case. Keys are as they were sent. */
    readonly headers: Readonly<Record<string, string | undefined>>;
    /** The exact bytes. */
    readonly body: Uint8Array;
    /** The body as a value; undefined where it is no JSON object. Parsed when asked for. */
    readonly json: unknown;
    readonly startMs: number;
    readonly status: number;
    readonly reply: HttpReply;
    readonly model?: string | undefined;
    /** What was billed, a compaction's own pass before the reply's; empty where nothing was. */
    readonly billed: readonly Served[];
    readonly outputTokens: number;
    /** The fault that was injected. */
    readonly fault?: Fault['kind'] | undefined;
}
export type RecordedFields = Omit<RecordedRequest, 'method' | 'path' | 'headers' | 'body' | 'json' | 'status'>;
export declare function recordRequest(http: HttpRequest, fields: RecordedFields): RecordedRequest;
/** The latest requests within both limits; the report counts all of them. */
export declare function createRequestLog(maxRequests: number, maxBytes: number): {
    kept: readonly RecordedRequest[];
    add(request: RecordedRequest): void;
};

// log/report.d.ts
import type { CacheBreak } from '@varve/prompt-cache';
import type { RecordedRequest } from './exchange.ts';
type BreakCause = CacheBreak['cause'];
/** One loss of cached tokens. */
export interface ReportedBreak {
    readonly requestIndex: number;
    /** The conversation it happened in. */
    readonly thread: string;
    readonly cause: BreakCause;
    readonly lostTokens: number;
    /** The first message that differs, where that is the cause. */
    readonly messageIndex?: number | undefined;
    /** The parameter that changed, where that is the cause. */
    readonly param?: string | undefined;
}
/** What an agent's requests came to. Tokens and dollars are simulated, from estimated sizes. */
export interface EmulatorReport {
    readonly requests: number;
    /** Requests that were billed. */
    readonly billed: number;
    /** Requests that were refused for a rule they break. */
    readonly refused: number;
    /** Faults that were injected. */
    readonly faults: number;
    readonly promptTokens: number;
    readonly readTokens: number;
    readonly writtenTokens: number;
    readonly outputTokens: number;
    /** Read tokens as a share of prompt tokens; undefined where nothing was billed. */
    readonly hitRate: number | undefined;
    /** Of everything with a known price. */
    readonly dollars: number;
    readonly unpricedTokens: number;
    readonly conversations: number;
    /** The latest ones where there are many. */
    readonly breaks: readonly ReportedBreak[];
    /** Lost tokens by cause, of all breaks. */
    readonly lostTokens: Readonly<Partial<Record<BreakCause, number>>>;
    /** How often a simulated cache was emptied to stay within its memory. */
    readonly cacheResets: number;
}
/** Adds requests up as they come. */
export declare function createReport(resets: () => number): {
    add(request: RecordedRequest): void;
    read: () => EmulatorReport;
};
/** Throws `hit-rate-too-low` where less of the prompts was read than this share, and says what was lost to what. */
export declare function requireHitRate(report: EmulatorReport, atLeast: number): void;
export {};

// options.d.ts
import type { ModelInfo } from '@varve/tokens';
import type { RateLimits } from './core/rate-limits.ts';
import { EmulatorError } from './error.ts';
import { type Fault } from './faults/fault.ts';
import type { RecordedRequest } from './log/exchange.ts';
import type { Replies, ReplyLike } from './replies/reply.ts';
export interface EmulatorOptions {
    /**
     * Who writes the replies: a function, or a list in its order (`script`), after which requests fail.
     * @default the text `OK.` every time
     */
    readonly replies?: Replies | readonly ReplyLike[] | undefined;
    /**
     * Who writes the summaries of compactions on the provider's side.
     * @default extractiveSummary()
     */
    readonly summarize?: Replies | undefined;
    /**
     * What goes wrong, and when. The first that applies to a request happens.
     * @default []
     */
    readonly faults?: readonly Fault[] | undefined;
    /**
     * Models of one's own; they win over the table.
     * @default []
     */
    readonly models?: readonly ModelInfo[] | undefined;
    /**
     * Keys that are accepted. Every key is an organisation with a cache of its own.
     * @default any
     */
    readonly apiKeys?: readonly string[] | undefined;
    /**
     * Milliseconds since 1970. Lifetimes of cache entries are counted by it.
     * @default Date.now
     */
    readonly now?: (() => number) | undefined;
    /**
     * Milliseconds the simulation adds until a reply begins, before which nobody reads what the request wrote.
     * @default 0
     */
    readonly firstTokenDelayMs?: number | undefined;
    /**
     * UTF-16 units of a text delta in a stream.
     * @default 64
     */
    readonly deltaCharacters?: number | undefined;
    /**
     * `enforced`: models that bind thinking to what came before refuse it behind an edit, as for accounts from
     * 2026-08-31 on. `when-asked`: only requests with `block_binding` are checked.
     * @default 'enforced'
     */
    readonly thinkingBinding?: 'enforced' | 'when-asked' | undefined;
    /**
     * Thinking that this emulator did not write: as the provider, which knows its own, or taken as it is (for histories
     * recorded elsewhere).
     * @default 'refused'
     */
    readonly foreignThinking?: 'refused' | 'accepted' | undefined;
    /**
     * Limits that rate-limit headers report; they are not enforced.
     * @default 4,000 requests, 2,000,000 input and 400,000 output tokens a minute
     */
    readonly rateLimits?: RateLimits | undefined;
    /** Told of each request once it is answered, before its reply goes out. */
    readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
    /**
     * How many requests `requests` keeps, the latest ones; the report counts all.
     * @default 10_000
     */
    readonly keepRequests?: number | undefined;
    /**
     * Bytes of request and reply bodies that `requests` keeps.
     * @default 256 MiB
     */
    readonly keepBytes?: number | undefined;
    /**
     * UTF-16 units of distinct prompt parts a simulated cache keeps; one that has more starts again empty.
     * @default 256 * 2 ** 20
     */
    readonly maxPromptCharacters?: number | undefined;
}
/** Throws `bad-options` for numbers and faults that are none. */
export declare function checkOptions(options: EmulatorOptions): void;
export declare const badOption: (name: string, expected: string, value: unknown) => EmulatorError;

// replies/extractive-summary.d.ts
import type { Replies } from './reply.ts';
export interface ExtractiveSummaryOptions {
    /**
     * Characters a summary has at most.
     * @default 4_000
     */
    readonly maxCharacters?: number | undefined;
}
/**
 * Summarises without a model: the first line of what each message says, what each call was named, oldest first, and in
 * full nothing. The same messages give the same words, so what a compaction keeps can be tested.
 */
export declare function extractiveSummary(options?: ExtractiveSummaryOptions): Replies;

// replies/recorded.d.ts
import type { Entry } from '@varve/messages';
import type { ImportedSession } from '@varve/transcript/import';
import type { Replies } from './reply.ts';
/** A recorded session, or the entries of a log. */
export type Recording = Pick<ImportedSession, 'threads'> | readonly Entry[];
/**
 * Replies with what the model said in a recorded session, turn after turn: of the main thread where there are several.
 * Stop reason and output tokens are the recorded ones. Throws `no-recorded-reply` for a session without any, and when
 * there are no more.
 */
export declare function recorded(recording: Recording): Replies;

// replies/reply.d.ts
import type { Block, JsonObject, Request, StopReason } from '@varve/messages';
/** Whose wire format a request speaks. */
export type ProviderName = 'anthropic' | 'openai-chat' | 'openai-responses';
/** One call for words: the request as every package here knows it, and as it came. */
export interface ReplyCall {
    readonly provider: ProviderName;
    /** `compaction`: a summary of the messages is asked for, not the next one. */
    readonly purpose: 'message' | 'compaction';
    readonly request: Request;
    /** The parsed body. */
    readonly body: JsonObject;
    /** Counts replies of this emulator from 0; compactions are counted apart. */
    readonly index: number;
}
export interface ReplyMessage {
    /** Blocks of the Messages API; `id` of a call and `signature` of thinking may be left out. */
    readonly content: readonly Block[];
    /** @default `tool_use` where a call is among the blocks, else `end_turn` */
    readonly stopReason?: StopReason | undefined;
    /** Tokens. @default an estimate */
    readonly outputTokens?: number | undefined;
}
/** A text, or blocks. */
export type ReplyLike = string | ReplyMessage;
/** Who writes the replies. */
export type Replies = (call: ReplyCall) => ReplyLike | Promise<ReplyLike>;
export declare function toReplyMessage(reply: ReplyLike): ReplyMessage;

// server/listen.d.ts
import { type IncomingMessage, type ServerResponse } from 'node:http';
export interface ListenOptions {
    /**
     * 0: any free one.
     * @default 0
     */
    readonly port?: number | undefined;
    /**
     * An address of this machine's loopback, unless `allowRemote` is set.
     * @default '127.0.0.1'
     */
    readonly host?: string | undefined;
    /**
     * Lets other machines reach the server: it speaks without encryption and takes any key.
     * @default false
     */
    readonly allowRemote?: boolean | undefined;
}
export interface Listening {
    readonly port: number;
    /** Without a slash at the end; SDKs of OpenAI want `/v1` behind it. */
    readonly url: string;
    /** Cuts every connection and resolves when no socket is left. Again is fine. */
    close(): Promise<void>;
}
export type Serve = (message: IncomingMessage, response: ServerResponse, signal: AbortSignal) => Promise<void>;
/** Opens a port. Throws `not-loopback`, `cannot-listen` or `bad-options`. */
export declare function listen(serve: Serve, options: ListenOptions): Promise<Listening>;

// server/start.d.ts
import { type Emulator } from '../emulator.ts';
import type { EmulatorOptions } from '../options.ts';
import { type Listening, type ListenOptions } from './listen.ts';
export interface StartOptions extends EmulatorOptions, ListenOptions {
    /**
     * Milliseconds between the events of a stream.
     * @default 0
     */
    readonly eventDelayMs?: number | undefined;
}
export type RunningEmulator = Omit<Emulator, 'handle'> & Listening & {
    /** The same as `close`. */
    [Symbol.asyncDispose](): Promise<void>;
};
/**
 * Starts a provider on this machine's loopback. Point any SDK's base URL at `url`. Throws `not-loopback`,
 * `cannot-listen` or `bad-options`.
 */
export declare function startEmulator(options?: StartOptions): Promise<RunningEmulator>;
