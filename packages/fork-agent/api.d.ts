// agent.d.ts
import { type Head, type JsonObject, type Tool } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import type { AgentDefinition } from './definitions/definition.ts';
import { type ForkOptions } from './fork.ts';
import type { ForkResult, RunOptions, ToolRunner } from './types.ts';
export interface AgentOptions<State = undefined> extends Pick<ForkOptions<State>, 'state' | 'cloneState' | 'agentTools' | 'models' | 'policy'> {
    readonly client: ModelClient;
    readonly definition: AgentDefinition;
    /** The parent's model, for a definition that inherits it. */
    readonly model: string;
    /** All tools there are; the definition chooses among them. */
    readonly offered: readonly Tool[];
    readonly tools?: ToolRunner<State> | undefined;
    /** Thinking configuration, betas and other parameters of its requests. @default {} */
    readonly params?: JsonObject | undefined;
    /** Tokens of one reply. */
    readonly maxOutputTokens: number;
}
/** A fresh agent: no context of its parent's, own system prompt and tools, hence a cache of its own. */
export interface Agent<State = undefined> {
    /** As `run` of a fork. The directive is all it knows, so it has to be a whole briefing. */
    run(options: RunOptions<State>): Promise<ForkResult<State>>;
    readonly head: Head;
}
/**
 * An agent as its definition says. Equal definitions have equal heads, so several of a kind share a cache.
 *
 * @throws TypeError for a model without a name, and for tools without a name or with the same one
 */
export declare function createAgent<State = undefined>(options: AgentOptions<State>): Agent<State>;

// child-prefix.d.ts
import { type Message, type Request } from '@varve/messages';
import type { OwnModels } from './known-model.ts';
/** A reply to the parent's last request; a `ModelResponse` fits. Blank text, which no provider takes back, is left out. */
export interface ParentReply {
    readonly content: Message['content'];
    readonly id?: string | undefined;
}
/** What every child of a parent begins with. */
export interface ChildPrefix {
    /** The parent's own request, as it was sent: it ends before an assistant message. */
    readonly sent: Request;
    /** The parent's messages with its last reply, all by reference. */
    readonly messages: readonly Message[];
    /** Calls of the last reply, which the child answers with placeholders. */
    readonly openCalls: readonly string[];
}
/**
 * The parent's messages and reply as the prefix of its children. Nothing is copied but the list of pointers.
 *
 * @throws ForkError `empty-parent`, `nested-fork`, `open-round`
 */
export declare function childPrefix(parent: Request, reply: ParentReply | undefined, models: OwnModels): ChildPrefix;
/** Whether a history is that of a fork: its directive carries the mark. */
export declare function isForkHistory(messages: readonly Message[]): boolean;
/** Field of a directive's `origin`. */
export declare const FORK_MARK = "forkOf";

// definitions.d.ts
export { createAgent } from './agent.ts';
export { builtInAgents } from './definitions/built-in.ts';
export type { AgentDefinition } from './definitions/definition.ts';
export { agentListMessage, mergeDefinitions } from './definitions/merge-definitions.ts';
export { parseAgentDefinition, parseAgentSettings } from './definitions/parse-definition.ts';
export { onlyTools, toolsOf } from './definitions/tools-of.ts';

// definitions/built-in.d.ts
import type { AgentDefinition } from './definition.ts';
export interface BuiltInNames {
    /** Tools that change files. */
    readonly editTools: readonly string[];
    /** Tools that start agents. */
    readonly agentTools: readonly string[];
}
/** `general`, `explore` and `plan`; the last two get none of the tools that change files or start agents. */
export declare function builtInAgents(names: BuiltInNames): readonly AgentDefinition[];

// definitions/definition.d.ts
import type { JsonObject } from '@varve/messages';
/** Where a definition came from, weakest first: of two with one name the later source wins. */
export type DefinitionSource = 'built-in' | 'plugin' | 'user' | 'project' | 'command-line' | 'policy';
export declare const SOURCES: readonly DefinitionSource[];
/** A kind of agent. What this package does not act on (from `effort` on) is read, checked and handed to the host. */
export interface AgentDefinition {
    /** Lower case, digits and dashes. */
    readonly name: string;
    /** When to choose it; the model decides by this alone. */
    readonly description: string;
    /** Its system prompt. */
    readonly prompt: string;
    readonly source: DefinitionSource;
    /** Names of its tools; all when left out. */
    readonly tools?: readonly string[];
    /** Taken away from `tools`, or from all. */
    readonly disallowedTools?: readonly string[];
    /** Left out: the parent's. */
    readonly model?: string;
    readonly maxTurns?: number;
    /** Stands before the directive in its first message. */
    readonly initialPrompt?: string;
    readonly effort?: string;
    readonly memory?: string;
    readonly color?: string;
    readonly background?: boolean;
    readonly isolation?: string;
    readonly permissionMode?: string;
    readonly skills?: readonly string[];
    readonly mcpServers?: JsonObject;
    readonly hooks?: JsonObject;
}
/** A field that was not taken, and why; or, without a field, what is wrong with the whole. */
export interface DefinitionProblem {
    readonly reason: 'bad-front-matter' | 'bad-json' | 'bad-name' | 'bad-value' | 'missing' | 'no-front-matter' | 'unknown-field';
    readonly field?: string;
    readonly text: string;
}
/** `invalid`: it cannot be used. Otherwise `problems` lists what was left out of it. */
export type ParsedDefinition = {
    readonly kind: 'definition';
    readonly definition: AgentDefinition;
    readonly problems: readonly DefinitionProblem[];
} | {
    readonly kind: 'invalid';
    readonly problems: readonly DefinitionProblem[];
};

// definitions/merge-definitions.d.ts
import { type Message } from '@varve/messages';
import { type AgentDefinition } from './definition.ts';
/**
 * One definition a name, sorted by name: of two the one with the stronger source (built-in < plugin < user < project <
 * command line < policy), of equal sources the later.
 */
export declare function mergeDefinitions(definitions: readonly AgentDefinition[]): readonly AgentDefinition[];
/**
 * The agents there are as a message, not as part of a tool's description: agents come and go, and the tool definitions
 * before every cached prefix stay the same bytes. The same list gives the same message.
 */
export declare function agentListMessage(definitions: readonly AgentDefinition[]): Message;

// definitions/parse-definition.d.ts
import type { DefinitionSource, ParsedDefinition } from './definition.ts';
export interface ParseDefinitionOptions {
    /** @default 'project' */
    readonly source?: DefinitionSource | undefined;
}
/** An agent from Markdown: YAML front matter, and the body as its system prompt. Never throws. */
export declare function parseAgentDefinition(markdown: string, { source }?: ParseDefinitionOptions): ParsedDefinition;
/** Agents from settings: an object of definitions by name, each with a `prompt`. Never throws. */
export declare function parseAgentSettings(json: string, { source }?: ParseDefinitionOptions): readonly ParsedDefinition[];

// definitions/tools-of.d.ts
import type { Tool } from '@varve/messages';
import type { ToolGate } from '../types.ts';
import type { AgentDefinition } from './definition.ts';
/** Which of the tools an agent has, in the order given. `*` in `tools` is all of them. */
export declare function toolsOf(definition: AgentDefinition, offered: readonly Tool[]): readonly Tool[];
/** A gate that lets only these tools pass: for forks, whose tool list has to stay their parent's. */
export declare function onlyTools<State = undefined>(names: readonly string[]): ToolGate<State>;
/** A gate by a definition, before one of the caller's own. */
export declare function gateOf<State>(definition: AgentDefinition, next: ToolGate<State> | undefined): ToolGate<State>;

// differences.d.ts
import { type Head, type JsonObject, type Message, type ThinkingRule } from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
/** Fields of the head a fork is asked to have in place of its parent's. */
export interface HeadOverride {
    readonly model?: string | undefined;
    readonly system?: Head['system'] | undefined;
    readonly tools?: Head['tools'] | undefined;
    /** Whole, thinking configuration and betas included. */
    readonly params?: JsonObject | undefined;
}
/** One thing in which a fork would differ from its parent, and the first part of the prefix that is lost by it. */
export interface PrefixDifference {
    readonly part: 'model' | 'tools' | 'system' | 'params';
    /** Of `params`: the field, e.g. `thinking`. */
    readonly param?: string;
    /** `nothing`: the cache is keyed without it. A field no policy names counts as losing everything. */
    readonly loses: Exclude<CachePolicy['invalidators']['images'], 'none'> | 'nothing';
}
/** The parent's head, by reference where nothing differs, so that not even the order of keys can. */
export declare function overrideHead(parent: Head, override: HeadOverride): Head;
/** Everything in which two heads differ, as far as requests carry it. */
export declare function headDifferences(parent: Head, head: Head, policy: CachePolicy): readonly PrefixDifference[];
/** A change of what thinking is bound to makes the provider refuse the thinking, whatever it costs. */
export declare function breaksThinking(differences: readonly PrefixDifference[], messages: readonly Message[], rule: ThinkingRule): boolean;

// error.d.ts
import { VarveError } from '@varve/guards';
import type { ForkPlan } from './fork-price.ts';
/** Why a fork, an agent or a mailbox refused; each is explained in the README. */
export type ForkErrorCode = 'bad-mail' | 'bound-thinking' | 'cold-prefix' | 'empty-parent' | 'inbox-locked' | 'inbox-lost' | 'mailbox-failed' | 'message-too-large' | 'nested-fork' | 'open-round';
export interface ForkErrorOptions {
    readonly cause?: unknown;
    /** Of `cold-prefix`: what differs, and the price both ways. */
    readonly plan?: ForkPlan;
}
/** The one error this package throws, apart from the reason of an abort. Its message never holds text of a conversation. */
export declare class ForkError extends VarveError<ForkErrorCode> {
    readonly plan?: ForkPlan;
    constructor(code: ForkErrorCode, message: string, { cause, plan }?: ForkErrorOptions);
    get name(): 'ForkError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is ForkError;
}

// fan-out.d.ts
import type { Fork } from './fork.ts';
import type { ForkResult, RunOptions } from './types.ts';
export interface FanOutOptions<State = undefined> extends Omit<RunOptions<State>, 'directive' | 'id' | 'onMessage' | 'onEvent'> {
    /** Most children at once. @default 8 */
    readonly concurrency?: number | undefined;
    /** Waits for the first event of one child before the others start, so that they read what it wrote. @default true */
    readonly warmUp?: boolean | undefined;
    /** What differs from child to child, e.g. its sink; asked for all before the first starts. The signal of all ends it too. */
    readonly optionsOf?: ((index: number) => Partial<RunOptions<State>>) | undefined;
}
/**
 * What came of one child: its result, which may say `failed`, or what it threw, such as the abort of its own signal or
 * `message-too-large`.
 */
export type FanOutResult<State = undefined> = {
    readonly kind: 'done';
    readonly result: ForkResult<State>;
} | {
    readonly kind: 'failed';
    readonly error: unknown;
};
/**
 * One child a directive, results in the order of the directives. A child that fails fails alone; an abort ends all, and
 * rejects once none is left running.
 *
 * @throws ForkError `cold-prefix`, `bound-thinking`, before anything is sent
 * @throws TypeError for a blank directive, RangeError for limits that are no positive integers, before anything is sent
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export declare function fanOut<State = undefined>(fork: Fork<State>, directives: readonly string[], options?: FanOutOptions<State>): Promise<readonly FanOutResult<State>[]>;

// fork-price.d.ts
import type { Request } from '@varve/messages';
import { type CachePolicy, type placeMarkers } from '@varve/prompt-cache';
import type { PrefixDifference } from './differences.ts';
/** What one request would cost, from estimated sizes. */
export interface RequestPrice {
    readonly readTokens: number;
    readonly writtenTokens: number;
    /** Neither read nor written. */
    readonly plainTokens: number;
    readonly promptTokens: number;
    /** Of the prompt alone; undefined where no price is known. */
    readonly dollars: number | undefined;
}
/** What the first request of a fork would cost, before anything is sent. */
export interface ForkPlan {
    readonly differs: readonly PrefixDifference[];
    /** Whether all of the parent's prefix can be read: nothing that differs loses any of it. */
    readonly isShared: boolean;
    /** As the fork is set up. */
    readonly asAsked: RequestPrice;
    /** The same directive without anything that differs. */
    readonly asParent: RequestPrice;
    /** `asAsked` less `asParent`; undefined where either is unknown. */
    readonly extraDollars: number | undefined;
}
export interface PlanOptions {
    /** The parent's request, as it was sent. */
    readonly sent: Request;
    /** The fork's first request, and that of a fork that differs in nothing. */
    readonly asked: Request;
    readonly shared: Request;
    readonly policy: CachePolicy;
    readonly askedPolicy: CachePolicy;
    readonly differs: readonly PrefixDifference[];
    /** Milliseconds between the parent's request and the fork's. */
    readonly idleMs: number;
}
/** Prices a fork both ways. Reads the whole prompt once: for a decision, not for every turn. */
export declare function forkPlan(options: PlanOptions): ForkPlan;
/** The differences that lose any of the prefix. */
export declare const losing: (differs: readonly PrefixDifference[]) => readonly PrefixDifference[];
/** What a request costs after another on the same cache, or on an empty one. */
export declare function priceOf(before: Request | undefined, request: ReturnType<typeof placeMarkers<Request>>, { policy, idleMs }: {
    readonly policy: CachePolicy;
    readonly idleMs: number;
}): RequestPrice;

// fork.d.ts
import type { Request } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import type { CachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { type ParentReply } from './child-prefix.ts';
import { type HeadOverride } from './differences.ts';
import { type ForkPlan } from './fork-price.ts';
import type { ForkResult, RunOptions, ToolRunner } from './types.ts';
export interface ForkOptions<State = undefined> {
    readonly client: ModelClient;
    /** The parent's latest request, as it was sent. It is read, passed on by reference, and never changed. */
    readonly parent: Request;
    /** What the model answered to it, where it is not yet among its messages. */
    readonly reply?: ParentReply | undefined;
    /**
     * Prompt tokens of all that, as the parent knows them (`size()` of a context): the window's room is reckoned from them, as
     * long as model, system prompt and tools are the parent's. @default its messages are counted, by estimate
     */
    readonly parentTokens?: number | undefined;
    /** Runs the calls of children. @default every call is refused */
    readonly tools?: ToolRunner<State> | undefined;
    /** Names of tools that start forks or agents: they stay in the list, and calling them is refused. @default ['agent'] */
    readonly agentTools?: readonly string[] | undefined;
    /** Asks for another model, system prompt, tool list or parameters. Whatever differs may cost the whole prefix. */
    readonly override?: HeadOverride | undefined;
    /** Sends requests that differ from the parent's prefix all the same, at full price. @default false */
    readonly allowColdPrefix?: boolean | undefined;
    /**
     * Tokens of one reply; no part of the prefix. Where that is less than the thinking budget, the budget comes on top, because
     * a provider refuses a reply that its thinking fills; less where the window has no room for it. @default the parent's
     */
    readonly maxOutputTokens?: number | undefined;
    /** Entries of one's own; they win over the model table, which says how large the window is. @default the table alone */
    readonly models?: readonly ModelInfo[] | undefined;
    /** @default that of the model, none where it is unknown */
    readonly policy?: CachePolicy | undefined;
    /** Each child gets a copy of its own. */
    readonly state?: State | undefined;
    /** @default structuredClone */
    readonly cloneState?: ((state: State) => State) | undefined;
}
/** A parent ready to have children. */
export interface Fork<State = undefined> {
    /**
     * Runs one child to its end. Failures of the model are in the result.
     *
     * @throws ForkError `cold-prefix`, `bound-thinking`, `message-too-large`, before anything is sent
     * @throws RangeError for limits that are no positive integers
     * @throws TypeError for a blank directive
     * @throws the signal's reason, an `AbortError` unless one was given; the parent is as it was
     */
    run(options: RunOptions<State>): Promise<ForkResult<State>>;
    /** What the first request would cost, and in what it differs from the parent's. Sends nothing. */
    price(options: PriceOptions): ForkPlan;
    /** The first request, as `run` would send it. The same directive gives the same bytes. */
    request(options: Pick<RunOptions<State>, 'directive' | 'id'>): Request;
}
export interface PriceOptions {
    readonly directive: string;
    /** Milliseconds since the parent's request; a number below zero counts as zero. @default 0 */
    readonly idleMs?: number | undefined;
}
/**
 * Children that begin with the bytes of their parent: model, parameters, tools, system prompt and messages are passed on by
 * reference, and only what follows them differs.
 *
 * @throws ForkError `empty-parent`, `nested-fork`, `open-round`
 * @throws TypeError for a model without a name, and for tools of an override without a name or with the same one
 * @throws RangeError for `parentTokens` that are no number of tokens
 */
export declare function createFork<State = undefined>(options: ForkOptions<State>): Fork<State>;
export declare const A_MODEL: {
    what: string;
};
export declare const DEFAULT_AGENT_TOOLS: readonly string[];
export declare function copyState<State>(options: Pick<ForkOptions<State>, 'state' | 'cloneState'>): State;

// hand-back.d.ts
import type { Message, ToolResultBlock } from '@varve/messages';
import type { ForkResult } from './types.ts';
/** What the parent needs of a result. */
type HandedBack = Pick<ForkResult, 'id' | 'text' | 'stopReason'>;
interface HandBackOptions {
    /** UTF-16 units of the text; the middle of a longer one is cut. @default 20_000 */
    readonly maxUnits?: number | undefined;
}
/**
 * A child's answer as the result of the call that started it: one block of data with its origin, bounded, never its log.
 * The id is the handle under which the host keeps the child's messages.
 *
 * @throws RangeError for a bound that is no non-negative integer
 */
export declare function forkResultBlock(callId: string, result: HandedBack, options?: HandBackOptions): ToolResultBlock;
/**
 * The same as a message of its own, for a child that ran in the background and whose call was answered long ago.
 *
 * @throws RangeError as `forkResultBlock`
 */
export declare function forkNotification(result: HandedBack, options?: HandBackOptions): Message;
export {};

// index.d.ts
export { ForkError } from './error.ts';
export { fanOut } from './fan-out.ts';
export { createFork } from './fork.ts';
export { createWarmUp } from './pool.ts';
export type { ForkResult } from './types.ts';

// known-model.d.ts
import { type CachePolicy } from '@varve/prompt-cache';
import { type ModelInfo } from '@varve/tokens';
export type OwnModels = readonly ModelInfo[] | undefined;
/** The caller's own entry of a model, or that of the table; undefined where there is none. */
export declare function knownModel(id: string, models: OwnModels): ModelInfo | undefined;
/** The policy of a known model; none where it is unknown, so that no marker is set that a provider may refuse. */
export declare function policyFor(id: string, models: OwnModels): CachePolicy;

// mail.d.ts
export { mailBlocks } from './mail/mail-blocks.ts';
export { createMailboxes } from './mail/mailbox.ts';
export { createMailRouter } from './mail/router.ts';

// mail/mail-blocks.d.ts
import type { TextBlock } from '@varve/messages';
import type { Mail } from './mail.ts';
/** Mail as blocks of a user message: each inside a tag that says who wrote it, as data. */
export declare function mailBlocks(mails: readonly Mail[]): TextBlock[];

// mail/mail.d.ts
/** What agents say to each other. Requests carry ids of their own mail; responses name them. */
export type MailBody = {
    readonly kind: 'text';
    readonly text: string;
    readonly summary: string;
}
/** Asks for an orderly end. */
 | {
    readonly kind: 'shutdown-request';
    readonly reason?: string;
} | {
    readonly kind: 'shutdown-response';
    readonly requestId: string;
    readonly accepted: boolean;
    readonly reason?: string;
} | {
    readonly kind: 'plan-approval-request';
    readonly plan: string;
} | {
    readonly kind: 'plan-approval-response';
    readonly requestId: string;
    readonly approved: boolean;
    readonly feedback?: string;
};
/** One message from one agent to another. */
export interface Mail {
    /** Unique; a delivery that is tried again keeps it. */
    readonly id: string;
    readonly from: string;
    readonly to: string;
    readonly body: MailBody;
}

// mail/mailbox.d.ts
import type { Mail } from './mail.ts';
/** Where the mail of one agent waits. */
export interface Inbox {
    /** Mail that waits, in the order in which it came; it waits until it is acknowledged. */
    receive(): Promise<readonly Mail[]>;
    /** Takes mail out, once what came of it is safe. Unknown ids are fine. */
    acknowledge(ids: readonly string[]): Promise<void>;
    close(): Promise<void>;
}
/** A way to reach agents. */
export interface MailRoute {
    /** Stands in reports. */
    readonly name: string;
    /** Whom it reaches now. */
    names(): Promise<readonly string[]>;
    /** False where it does not reach the recipient. Throws `bad-mail` for what is no mail. */
    deliver(mail: Mail): Promise<boolean>;
}
/** The agents of one process. */
export interface Mailboxes extends MailRoute {
    /** Opens the inbox of an agent; mail can be sent to it from then on. */
    open(name: string): Inbox;
}
/** Mailboxes in memory, for agents in the same process. */
export declare function createMailboxes(): Mailboxes;
/** Hands out what waits, each mail once, and takes the mail before out of the inbox. */
export declare function drain(inbox: Pick<Inbox, 'receive' | 'acknowledge'>): () => Promise<readonly Mail[]>;

// mail/router.d.ts
import type { MailBody } from './mail.ts';
import type { MailRoute } from './mailbox.ts';
export interface RouterOptions {
    /** Who sends. */
    readonly from: string;
    /** In the order in which they are tried: the same process, the team, other sessions. */
    readonly routes: readonly MailRoute[];
    /** Gives each mail an id nobody else gives. */
    readonly newId: () => string;
}
/** Which recipients were reached by which route, and which by none. */
export interface SendReport {
    readonly id: string;
    readonly delivered: readonly {
        readonly to: string;
        readonly route: string;
    }[];
    /** A route that throws is passed over; what it threw is kept, under `*` where it could not tell whom it reaches. */
    readonly failed: readonly {
        readonly to: string;
        readonly reason: 'unknown-recipient' | 'route-failed';
        readonly cause?: unknown;
    }[];
}
export interface MailRouter {
    /**
     * Sends to one agent, or to `*`: everybody any route reaches, but the sender.
     *
     * @throws ForkError `bad-mail` for text without a summary, for requests to all, and for what is no mail
     */
    send(to: string, body: MailBody): Promise<SendReport>;
}
/** Delivers by the first route that reaches the recipient. */
export declare function createMailRouter({ from, routes, newId }: RouterOptions): MailRouter;

// node/file-mailboxes.d.ts
import type { Mail } from '../mail/mail.ts';
import type { Inbox, MailRoute } from '../mail/mailbox.ts';
/** The agents of a team, each perhaps in a process of its own. */
export interface FileMailboxes extends MailRoute {
    /**
     * Delivers a mail: it is in the inbox whole, or not at all.
     *
     * @throws ForkError `mailbox-failed` where the system refuses, on a full disk say, or where the inbox is a symbolic link;
     * `bad-mail` for what `parseMail` would not read back
     */
    deliver(mail: Mail): Promise<boolean>;
    /**
     * Opens the inbox of an agent, for one process at a time. An inbox whose process died is taken over, with its mail. Where
     * it fails, the folders it made are gone again.
     *
     * @throws ForkError `inbox-locked` where another process has it, or had it less than 60 minutes ago and cannot be asked;
     * `mailbox-failed` as `deliver`
     * @throws RangeError for a name that could lead out of the folder
     */
    open(name: string): Promise<FileInbox>;
}
/**
 * Its functions throw `mailbox-failed` as well, and `inbox-lost` once it is closed or another process has taken it over;
 * mail that was not acknowledged stays.
 */
export interface FileInbox extends Inbox {
    /** Names of files that hold no mail; they lie in the folder `bad` of the inbox. */
    problems(): Promise<readonly string[]>;
}
/**
 * Mailboxes in a folder, `<folder>/<name>/new/<mail>`, for their owner only. A mail is written beside its place, flushed and
 * moved there, so it is there whole or not at all, and it lies there until it is acknowledged: a kill loses none. Sending
 * takes no lock.
 */
export declare function fileMailboxes(folder: string): FileMailboxes;

// node/index.d.ts
export { fileMailboxes } from './file-mailboxes.ts';

// pool.d.ts
export interface PoolOptions<Result> {
    readonly count: number;
    readonly concurrency: number;
    /** Whether the others wait until one has given a sign. */
    readonly warmUp: boolean;
    /** Starts one. A rejection is one for the pool; the others run on. */
    readonly start: (index: number, onFirstSign: () => void) => Promise<Result>;
}
/** Runs all, so many at once; with `warmUp` as `createWarmUp` says. */
export declare function runPool<Result>(options: PoolOptions<Result>): Promise<Result[]>;
/** Starts a child, which calls `onFirstEvent` with its first event, or more often. */
type StartWarm = <Result>(start: (onFirstEvent: () => void) => Promise<Result>) => Promise<Result>;
/**
 * For children of one parent that are started one by one, as calls of one reply are: one runs alone until its first event, by
 * which it has written what all of them share; then the others start. Where it ends without one, the next is tried in its
 * place. `fanOut` does it by itself.
 */
export declare function createWarmUp(): StartWarm;
export {};

// progress.d.ts
export { createProgress } from './progress/progress.ts';

// progress/progress.d.ts
import type { Usage } from '@varve/messages';
import { type ModelClient } from '@varve/models';
import type { ModelInfo } from '@varve/tokens';
import { type ProgressState } from './requests.ts';
export interface ProgressOptions {
    /** The client of the child's own model. */
    readonly client: ModelClient;
    /** A cheaper model for short tails, and its client where it is another. */
    readonly cheap: {
        readonly model: string;
        readonly client?: ModelClient | undefined;
    };
    /** Milliseconds of one clock. */
    readonly now: () => number;
    /** Least milliseconds between two summaries. @default 30_000 */
    readonly intervalMs?: number | undefined;
    /** UTF-16 units of the tail. @default 2_000 */
    readonly tailUnits?: number | undefined;
    /** Entries of one's own; they win over the model table. */
    readonly models?: readonly ModelInfo[] | undefined;
}
export type ProgressResult = {
    readonly kind: 'summary';
    readonly text: string;
    readonly via: 'fork' | 'tail';
    readonly usage: Usage;
} | {
    readonly kind: 'none';
    readonly reason: 'too-soon' | 'nothing-new' | 'no-text';
} | {
    readonly kind: 'failed';
    readonly cause: unknown;
};
export interface Progress {
    /**
     * A few words about what a child is doing; `none` where it is too soon or nothing is new. Failures are returned.
     *
     * @throws the signal's reason, an `AbortError` unless one was given
     */
    summarize(state: ProgressState, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<ProgressResult>;
}
/** Progress summaries of one child, by whichever way is cheaper at that moment; by its tail where its window is full. */
export declare function createProgress(options: ProgressOptions): Progress;

// progress/requests.d.ts
import { type Message, type Request } from '@varve/messages';
import { type OwnModels } from '../known-model.ts';
/** A child as it stands: its latest request, and the messages that came since. */
export interface ProgressState {
    readonly sent: Request;
    /** When `sent` was sent, by the same clock. */
    readonly sentMs: number;
    readonly since: readonly Message[];
}
/** The child's own prefix, tools included, which it is only asked not to use. */
export declare function forkRequest({ sent, since }: ProgressState, models: OwnModels): Request;
export interface TailOptions {
    readonly model: string;
    readonly tailUnits: number | undefined;
}
/** A short text of the newest steps for a model that knows nothing of the rest. */
export declare function tailRequest({ sent, since }: ProgressState, options: TailOptions): Request;

// types.d.ts
import type { Block, Message, StopReason, ToolResultBlock, ToolUseBlock, Usage } from '@varve/messages';
import type { ModelEvent } from '@varve/models';
import type { Inbox } from './mail/mailbox.ts';
/** What a tool gave: a text, or the content of its result. */
export type ToolOutcome = string | {
    readonly content: string | readonly Block[];
    readonly isError?: boolean | undefined;
};
/** What gates and runners get beside the call. */
export interface ToolContext<State> {
    /** The child's own copy of the caller's state. */
    readonly state: State;
    /** Aborted when the child is aborted or has ended. */
    readonly signal: AbortSignal;
    /** Requests sent so far, the one that made the call included. */
    readonly turn: number;
}
/** Runs one tool call. What it throws becomes an error result, unless the child was aborted. */
export type ToolRunner<State = undefined> = (call: ToolUseBlock, context: ToolContext<State>) => ToolOutcome | Promise<ToolOutcome>;
/** `true`: run it. A reason is told to the model. */
export type GateAnswer = boolean | {
    readonly allow: boolean;
    readonly reason?: string;
};
/** Decides about one call before it runs; one that throws denies. */
export type ToolGate<State = undefined> = (call: ToolUseBlock, context: ToolContext<State>) => GateAnswer | Promise<GateAnswer>;
/**
 * Shortens a child's own messages before a request; the same reference means nothing to do. The prefix it shares with its
 * parent is not among them. A directive that is missing from the outcome is added again. Where the parent ends with a system
 * message the directive is one as well, and what follows it has to begin with an assistant message.
 */
export type CompactChild = (messages: readonly Message[], options: {
    readonly signal: AbortSignal;
    readonly usage: Usage;
}) => readonly Message[] | Promise<readonly Message[]>;
export interface RunOptions<State = undefined> {
    /** What the child is to do. */
    readonly directive: string;
    /** Stands in the ids of the child's messages. @default derived from the parent's last message and the directive */
    readonly id?: string | undefined;
    /** @default every call of a tool the runner has */
    readonly canUseTool?: ToolGate<State> | undefined;
    /** Most requests. @default 20 */
    readonly maxTurns?: number | undefined;
    /** Tokens of all replies together, after which no further request is sent. @default unlimited */
    readonly maxTotalOutputTokens?: number | undefined;
    /** UTF-16 units of `text`; the middle of a longer one is cut, `content` stays whole. @default 20_000 */
    readonly maxTextUnits?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Longest wait in milliseconds for an answer to begin, and then for each event. @default the client's own */
    readonly timeoutMs?: number | undefined;
    /**
     * Each message of the child once it is whole, in order: its transcript. Left out, nothing is kept outside the result. One
     * that fails ends the child as `failed`.
     */
    readonly onMessage?: ((message: Message) => void | Promise<void>) | undefined;
    readonly onEvent?: ((event: ModelEvent) => void) | undefined;
    /**
     * The child's inbox: asked after each round of tools, and once more before the child ends. Each mail is handed out once, and
     * acknowledged when what was made of it stands in the child's messages.
     */
    readonly mail?: Pick<Inbox, 'receive' | 'acknowledge'> | undefined;
    /**
     * Asked after each round of tools, with their results; what was not allowed has an error as its result. `true` ends the
     * child as `end`, without a request that only says so; mail that came is answered first. @default it goes on
     */
    readonly isDone?: ((results: readonly ToolResultBlock[]) => boolean) | undefined;
    /**
     * Asked when the child is done and no mail waits, with its last reply: a text sends it on as another message of a user, as far
     * as the limits allow. @default it ends
     */
    readonly goOn?: ((reply: Message) => string | undefined | Promise<string | undefined>) | undefined;
    /**
     * Whether a call changes nothing: such calls of one reply that follow each other run at once, ten at most. One that throws
     * says no. @default calls run one after the other
     */
    readonly reads?: ((call: ToolUseBlock) => boolean | Promise<boolean>) | undefined;
    readonly compact?: CompactChild | undefined;
}
/**
 * Why a child ended. `end`: it was done. `turn-limit`, `output-limit`: its own limits. `cut`: the token limit of one reply.
 * `context-full`: the window, as the model said or before it was asked. `failed`: the model, a compaction or a sink failed, see `error`. `empty`: a reply without content.
 */
export type ChildStop = 'end' | 'turn-limit' | 'output-limit' | 'cut' | 'context-full' | 'refusal' | 'empty' | 'failed';
/** A call that was not run. */
export interface Denial {
    readonly callId: string;
    readonly toolName: string;
    readonly reason: string;
}
/** What came of a child. The parent needs `text`; the rest is for logs and bills. */
export interface ForkResult<State = undefined> {
    readonly id: string;
    /** The last text the child wrote, at most `maxTextUnits` long; empty where it wrote none. */
    readonly text: string;
    readonly isTextCut: boolean;
    /** The last reply as it came. */
    readonly content: readonly Block[];
    readonly stopReason: ChildStop;
    /** The model's own reason for the last reply. */
    readonly modelStop?: StopReason;
    /** Requests sent, failed ones included. */
    readonly turns: number;
    /** Billed tokens of all replies. */
    readonly usage: Usage;
    /** Tokens read from the cache as a share of all prompt tokens; undefined where nothing was billed. */
    readonly cachedShare: number | undefined;
    /** The child's own messages, from the directive on: a valid continuation of the shared prefix. */
    readonly messages: readonly Message[];
    readonly denials: readonly Denial[];
    /** The child's copy of the caller's state, as its tools left it. */
    readonly state: State;
    /** Of `failed`, and of `context-full` where the window was full before the model was asked. */
    readonly error?: unknown;
}
