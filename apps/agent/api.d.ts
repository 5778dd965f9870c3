// events.d.ts
import type { ContextEvent } from '@varve/context';
import type { Message } from '@varve/messages';
import type { ToolCall, ToolOutput } from './tools/tool.ts';
/** What a session is, as far as a reader of its events needs to know. */
export interface SessionFacts {
    readonly sessionId: string;
    readonly cwd: string;
    readonly model: string;
    readonly tools: readonly string[];
    readonly permissionMode: string;
    readonly isResumed: boolean;
}
/** One item of the list that the model keeps of its work. */
export interface Todo {
    readonly content: string;
    readonly status: 'pending' | 'in_progress' | 'completed';
}
/** All that a user interface sees of the agent. */
export type AgentEvent = ({
    readonly kind: 'session';
} & SessionFacts)
/** The answer of the model while it arrives. */
 | {
    readonly kind: 'text-delta';
    readonly text: string;
} | {
    readonly kind: 'thinking-delta';
    readonly text: string;
}
/** An answer as it stands in the log. */
 | {
    readonly kind: 'reply';
    readonly message: Message;
} | {
    readonly kind: 'call-start';
    readonly call: ToolCall;
}
/** What a command printed so far, piece by piece. */
 | {
    readonly kind: 'call-output';
    readonly id: string;
    readonly text: string;
} | {
    readonly kind: 'call-end';
    readonly call: ToolCall;
    readonly output: ToolOutput;
    readonly durationMs: number;
} | {
    readonly kind: 'call-refused';
    readonly call: ToolCall;
    readonly reason: string;
}
/** Results as they stand in the log: large ones are previews of what was stored. */
 | {
    readonly kind: 'results';
    readonly messages: readonly Message[];
} | {
    readonly kind: 'todos';
    readonly todos: readonly Todo[];
}
/** A request failed in a way that may pass, and is sent again unchanged; what had arrived of the answer is void. */
 | {
    readonly kind: 'retry';
    readonly attempt: number;
    readonly waitMs: number;
    readonly reason: string;
}
/** What a layer of context management did, or why it did nothing. */
 | {
    readonly kind: 'layer';
    readonly event: ContextEvent;
};
/** Takes an event; it never throws and nothing waits for it. */
export type Emit = (event: AgentEvent) => void;

// hooks/hooks.d.ts
import type { Message } from '@varve/messages';
import type { ToolCall, ToolOutput } from '../tools/tool.ts';
/** What a hook says about a call before it runs. */
export type HookDecision = 'allow' | 'ask' | 'none';
/** Where programs of the user take part in a turn. */
export interface Hooks {
    promptSubmit(prompt: string, signal: AbortSignal): Promise<{
        readonly kind: 'asked';
        readonly context: readonly string[];
    } | {
        readonly kind: 'blocked';
        readonly reason: string;
    }>;
    /** May change the input, decide in place of the person, or refuse. */
    preTool(call: ToolCall, signal: AbortSignal): Promise<{
        readonly kind: 'go-on';
        readonly call: ToolCall;
        readonly decision: HookDecision;
    } | {
        readonly kind: 'denied';
        readonly reason: string;
    }>;
    /** May add to what the model reads of a result; it changes nothing of what ran. */
    postTool(call: ToolCall, output: ToolOutput, signal: AbortSignal): Promise<ToolOutput>;
    /** `go-on` keeps the model working, and says why. */
    stop(reply: Message, at: {
        readonly turn: number;
        readonly signal: AbortSignal;
    }): Promise<{
        readonly kind: 'done';
    } | {
        readonly kind: 'go-on';
        readonly reason: string;
    }>;
}
/** No hooks. */
export declare const noHooks: Hooks;

// index.d.ts
export type { AgentEvent, Emit, SessionFacts, Todo } from './events.ts';
export { type Agent, interrupted, type Limits, runTurn, type TurnEnd } from './loop.ts';
export { connect } from './model.ts';
export { createSession, type Session, type SessionOptions } from './session.ts';

// loop.d.ts
import { type Context } from '@varve/context';
import { type Message } from '@varve/messages';
import type { Emit } from './events.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { Rounds } from './rounds.ts';
/** What a turn needs; `createSession` puts one together. */
export interface Agent {
    readonly context: Context;
    readonly hooks: Hooks;
    readonly rounds: Rounds;
    readonly limits: Limits;
    readonly emit: Emit;
    /** What the agent tells the model by itself before a request. */
    readonly reminders: {
        collect(at: {
            readonly signal: AbortSignal;
        }): Promise<readonly string[]>;
    };
    /** What a person typed while the turn ran. */
    readonly steering: {
        take(): readonly string[];
    };
}
/** Where a turn ends although the model would go on. */
export interface Limits {
    /** Requests of one turn. @default no limit */
    readonly turns?: number | undefined;
    /** Dollars of the session, earlier turns included. @default no limit */
    readonly dollars?: number | undefined;
}
/** How a turn ended. */
export type TurnEnd = {
    readonly kind: 'done';
    readonly text: string;
} | {
    readonly kind: 'blocked';
    readonly reason: string;
}
/** The model refused to answer. */
 | {
    readonly kind: 'refused';
    readonly text: string;
} | {
    readonly kind: 'turn-limit' | 'cost-limit';
};
/** One turn: from what a person said to the answer, with all the rounds of tools in between. */
export declare function runTurn(agent: Agent, prompt: string, signal: AbortSignal): Promise<TurnEnd>;
/** After an abort: ends the calls that will get no result, so that the next prompt can follow. */
export declare const interrupted: (context: Context) => Promise<readonly Message[]>;
export declare const textOf: ({ content }: Message) => string;

// model.d.ts
import type { CallModel } from '@varve/context';
import type { JsonObject } from '@varve/messages';
import { type ModelClient } from '@varve/models';
import type { Emit } from './events.ts';
export interface ModelOptions {
    readonly model: string;
    readonly anthropicKey?: string | undefined;
    readonly openaiKey?: string | undefined;
    /** Another server that speaks the wire format of the model's provider. @default what the SDK reads of the environment */
    readonly baseUrl?: string | undefined;
}
/** A client, and the parameters that its requests need. */
export interface ConnectedModel {
    readonly client: ModelClient;
    readonly params: JsonObject;
}
/**
 * The client of a model by its id: Messages for those of Anthropic, Responses for those of OpenAI, Chat Completions for all
 * others. Failed requests are sent again by `createCall`, where they are shown, and not by the SDK.
 */
export declare function connect({ model, anthropicKey, openaiKey, baseUrl }: ModelOptions): ConnectedModel;
export interface CallOptions {
    readonly client: ModelClient;
    readonly emit: Emit;
    /** Whether what arrives is shown; not of a summary. @default true */
    readonly isShown?: boolean | undefined;
}
/**
 * Calls a model and shows its answer while it arrives. What may pass (network, rate, overload) is sent again unchanged, after
 * the pause that the provider asks for; a request that is too long is the business of the context.
 */
export declare function createCall({ client, emit, isShown }: CallOptions): CallModel;

// permissions/permissions.d.ts
import type { HookDecision } from '../hooks/hooks.ts';
import type { ToolCall } from '../tools/tool.ts';
export declare const PERMISSION_MODES: readonly ['default', 'acceptEdits', 'bypassPermissions'];
export type PermissionMode = (typeof PERMISSION_MODES)[number];
/** Whether a call may run. */
export interface Permissions {
    /** Why a rule forbids the call, whatever a hook or a person says. */
    denied(call: ToolCall): string | undefined;
    decide(call: ToolCall, options: {
        readonly hook: HookDecision;
        readonly signal: AbortSignal;
    }): Promise<{
        readonly kind: 'allowed';
    } | {
        readonly kind: 'refused';
        readonly reason: string;
    }>;
}
/**
 * Permissions where no person can be asked: what only reads may run, edits of files with `acceptEdits`, everything with
 * `bypassPermissions`.
 */
export declare function unattendedPermissions(mode: PermissionMode): Permissions;

// rounds.d.ts
import type { ToolUseBlock } from '@varve/messages';
import type { Emit } from './events.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { Permissions } from './permissions/permissions.ts';
import type { ToolOutput, Tools } from './tools/tool.ts';
export interface RoundsOptions {
    readonly tools: Tools;
    readonly permissions: Permissions;
    readonly hooks: Hooks;
    readonly emit: Emit;
}
/** The result of a call, for the context. */
export interface RoundOutput extends ToolOutput {
    readonly toolUseId: string;
}
/** Runs the calls of an answer. */
export interface Rounds {
    /**
     * Gives results in the order of the calls, as soon as they are there, so that what ran is in the log before anything else
     * runs. Calls that only read run beside each other, others alone. After an abort it gives what had ended, and rejects.
     */
    run(calls: readonly ToolUseBlock[], signal: AbortSignal): AsyncGenerator<RoundOutput[]>;
}
export declare function createRounds(options: RoundsOptions): Rounds;

// session.d.ts
import type { Emit } from './events.ts';
import type { Agent, Limits } from './loop.ts';
import { type ConnectedModel } from './model.ts';
import type { PermissionMode } from './permissions/permissions.ts';
export interface SessionOptions {
    readonly cwd: string;
    /** Holds the logs and stored results of all projects. */
    readonly configDir: string;
    readonly model: string;
    readonly connected: ConnectedModel;
    readonly emit: Emit;
    readonly shell: string;
    readonly permissionMode: PermissionMode;
    /** The session to go on with, by its id. @default a new one */
    readonly resume?: string | undefined;
    /** Goes on in a new session, and leaves the one that is resumed as it is. @default false */
    readonly fork?: boolean | undefined;
    readonly limits?: Limits | undefined;
    readonly ownPrompt?: string | undefined;
    readonly appended?: string | undefined;
    /** Tokens, for a window that is smaller than that of the model. */
    readonly windowTokens?: number | undefined;
    /** Of the window, to compact earlier. */
    readonly compactPercent?: number | undefined;
}
/** A conversation over a log on disk, and how to end it. */
export interface Session {
    readonly id: string;
    readonly agent: Agent;
    close(): Promise<void>;
}
export declare function createSession(options: SessionOptions): Promise<Session>;
/** Where the sessions of a project are. */
export declare const sessionFolder: ({ configDir, cwd, }: Pick<SessionOptions, 'configDir' | 'cwd'>) => string;
/** Ids of the sessions of a folder in which something was said, the newest first. */
export declare function listSessions(folder: string): Promise<string[]>;

// tools/files.d.ts
/** The files that the model has seen. */
export interface FileCache {
    /** Notes a file as it is now: it was read whole, or written. */
    see(path: string): Promise<void>;
    /** Throws where a file that exists was not read since it was changed last. */
    requireSeen(path: string): Promise<void>;
    /** What was read is no longer before the model. */
    clear(): void;
}
export declare function createFileCache(): FileCache;
/** Where a path leads: through links, or the path itself where nothing is there yet. */
export declare const realPath: (path: string) => Promise<string>;
/** A path as a model writes it: absolute, from the home folder, or from the folder of the session. */
export declare function pathIn(cwd: string, path: string): string;

// tools/tool.d.ts
import type { Block, Tool as ToolDefinition, ToolUseBlock } from '@varve/messages';
import { z } from 'zod';
import type { AgentEvent } from '../events.ts';
import type { FileCache } from './files.ts';
/** What a tool gives: text, blocks, or the bytes that a command printed. */
export interface ToolOutput {
    readonly content: string | readonly Block[] | Uint8Array;
    readonly isError?: boolean | undefined;
}
/** What a call may do beyond reading what is in the folder. */
export type Risk = 'edits' | 'runs' | 'fetches';
export interface ToolOptions {
    readonly signal: AbortSignal;
    readonly cwd: string;
    readonly files: FileCache;
    readonly callId: string;
    readonly emit: (event: AgentEvent) => void;
}
/** A tool of the agent. What `run` throws becomes a failed result, but for an abort. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
    readonly name: string;
    readonly description: string;
    readonly input: Input;
    /** Whether calls change nothing, so that they may run beside each other. */
    readonly reads: boolean | ((input: z.infer<Input>) => boolean);
    /** @default none */
    readonly risk?: Risk | undefined;
    run(input: z.infer<Input>, options: ToolOptions): Promise<ToolOutput | string>;
}
/** Keeps the type of a tool's input within its definition. */
export declare const defineTool: <Input extends z.ZodType>(tool: Tool<Input>) => Tool;
/** A call with its input read by the tool's schema. */
export interface ToolCall {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
    readonly reads: boolean;
    readonly risk?: Risk | undefined;
}
export type ParsedCall = {
    readonly kind: 'call';
    readonly call: ToolCall;
} | {
    readonly kind: 'refused';
    readonly call: ToolCall;
    readonly reason: string;
};
/** The tools of a session. */
export interface Tools {
    /** What the provider is told; their bytes are part of every cached prefix. */
    readonly definitions: readonly ToolDefinition[];
    parse(block: ToolUseBlock): ParsedCall;
    /** Rejects with the reason of an abort only. */
    run(call: ToolCall, signal: AbortSignal): Promise<ToolOutput>;
}
export interface ToolsOptions extends Omit<ToolOptions, 'signal' | 'callId'> {
    readonly tools: readonly Tool[];
    /** Tools that the context adds to a request by itself. */
    readonly added?: readonly Tool[] | undefined;
}
export declare function createTools({ tools, added, ...options }: ToolsOptions): Tools;
export declare function definitionOf({ name, description, input }: Tool): ToolDefinition;
