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
/** For the person, never for the model: what went wrong beside the work, or what a hook wants to say. */
 | {
    readonly kind: 'notice';
    readonly level: 'info' | 'warning';
    readonly text: string;
}
/** What a layer of context management did, or why it did nothing. */
 | {
    readonly kind: 'layer';
    readonly event: ContextEvent;
};
/** Takes an event; it never throws and nothing waits for it. */
export type Emit = (event: AgentEvent) => void;

// hooks/events.d.ts
import { z } from 'zod';
/** When a hook may run. */
export declare const HOOK_EVENTS: readonly ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "InstructionsLoaded", "ConfigChange", "CwdChanged", "FileChanged", "Notification"];
export type HookEvent = (typeof HOOK_EVENTS)[number];
export declare const isHookEvent: (name: string) => name is HookEvent;
/** A program of the user for an event. */
export interface CommandHook {
    readonly event: HookEvent;
    /** Of a tool, a source, a trigger: what the event has. Empty fits all. */
    readonly matcher: string;
    readonly command: string;
    readonly timeoutMs: number;
    /** Nothing waits for it, and it decides nothing. */
    readonly isAsync: boolean;
}
/** Reads the `hooks` of a settings file. What cannot be read is named, and the rest holds. */
export declare function readHooks(value: unknown): {
    readonly hooks: readonly CommandHook[];
    readonly problems: readonly string[];
};
/** What a hook may print as JSON. Fields that are not known are left alone. */
export declare const hookOutputSchema: z.ZodObject<{
    continue: z.ZodOptional<z.ZodBoolean>;
    stopReason: z.ZodOptional<z.ZodString>;
    systemMessage: z.ZodOptional<z.ZodString>;
    decision: z.ZodOptional<z.ZodEnum<{
        allow: "allow";
        approve: "approve";
        ask: "ask";
        block: "block";
        deny: "deny";
    }>>;
    reason: z.ZodOptional<z.ZodString>;
    hookSpecificOutput: z.ZodOptional<z.ZodObject<{
        permissionDecision: z.ZodOptional<z.ZodEnum<{
            allow: "allow";
            ask: "ask";
            deny: "deny";
        }>>;
        permissionDecisionReason: z.ZodOptional<z.ZodString>;
        updatedInput: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
        additionalContext: z.ZodOptional<z.ZodString>;
        decision: z.ZodOptional<z.ZodObject<{
            behavior: z.ZodEnum<{
                allow: "allow";
                deny: "deny";
            }>;
            message: z.ZodOptional<z.ZodString>;
        }, z.core.$loose>>;
    }, z.core.$loose>>;
}, z.core.$loose>;
export type HookOutput = z.infer<typeof hookOutputSchema>;

// hooks/hooks.d.ts
import type { Message } from '@varve/messages';
import type { Emit } from '../events.ts';
import type { Answer } from '../permissions/permissions.ts';
import type { ToolCall, ToolOutput } from '../tools/tool.ts';
import type { CommandHook, HookEvent } from './events.ts';
/** What a hook says about a call before it runs. */
export type HookDecision = 'allow' | 'ask' | 'none';
/** Where programs of the user take part in a turn. */
export interface Hooks {
    promptSubmit(prompt: string, signal: AbortSignal): Promise<{
        readonly kind: 'asked';
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
    /** May add to what the model reads behind a result; it changes nothing of what ran. */
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
    /** Answers a question in place of the person; undefined where no hook does. */
    permissionRequest(call: ToolCall, signal: AbortSignal): Promise<Answer | undefined>;
    /** Tells of any other event, and gives why a hook blocks it. `name` is what matchers are about, such as a trigger. */
    tell(event: HookEvent, name: string, fields: object, signal?: AbortSignal): Promise<string | undefined>;
    /** What hooks want the model to know, once. */
    takeContext(): readonly string[];
    /** Why a hook wants the agent to stop, once. */
    takeHalt(): string | undefined;
    /** Waits a moment for hooks that nothing waits for. */
    close(): Promise<void>;
}
export interface HooksOptions {
    readonly hooks: readonly CommandHook[];
    readonly cwd: string;
    /** The folder that holds the project's settings. */
    readonly projectDir: string;
    readonly env: NodeJS.ProcessEnv;
    readonly sessionId: string;
    readonly transcriptPath: string;
    readonly permissionMode: () => string;
    /** Reads a changed input as its tool would. */
    readonly parse: (call: ToolCall, input: object) => ToolCall | string;
    readonly emit: Emit;
    /** Of a child, in each of its events. */
    readonly agent?: {
        readonly agent_id: string;
        readonly agent_type: string;
    } | undefined;
}
/** Runs the hooks that fit an event, one after the other in the order of their settings. The first that blocks ends it. */
export declare function createHooks(options: HooksOptions): Hooks;

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
/**
 * After an abort: ends the calls that will get no result, so that the next prompt can follow, and keeps what had arrived of an
 * answer, which a person may have read.
 */
export declare function interrupted(context: Context, arrived?: string): Promise<void>;
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
    /** Asked before each call: the model may be another one by then. */
    readonly client: () => ModelClient;
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
export declare const PERMISSION_MODES: readonly ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];
/** What may run without asking; `plan` only reads, and `dontAsk` refuses what it would have to ask for. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];
/** What a person is asked before a call runs. */
export interface Question {
    readonly call: ToolCall;
    /**
     * Rules that a person may allow for the session or for always, the narrowest first, e.g. `Bash(git diff:*)` and `Bash(git:*)`.
     * Of a line with several commands those of the first that needs it: the others are asked next. Empty where no rule is wise.
     */
    readonly rules: readonly string[];
    /** Why it is asked, where that is not plain. */
    readonly reason?: string | undefined;
}
/** What a person says to it. */
export type Answer = {
    readonly kind: 'once';
}
/** For this session, or for always: written to the local settings. */
 | {
    readonly kind: 'session' | 'always';
    readonly rule: string;
}
/** With what the model is told. */
 | {
    readonly kind: 'no';
    readonly reason: string;
};
/** Asks a person. Rejects with the reason of an abort. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;
export type Decision = {
    readonly kind: 'allowed';
} | {
    readonly kind: 'refused';
    readonly reason: string;
};
/** Whether a call may run. */
export interface Permissions {
    readonly mode: PermissionMode;
    /** Holds for calls from now on. */
    setMode(mode: PermissionMode): void;
    /** Why a rule forbids the call, whatever a hook or a person says. */
    denied(call: ToolCall): Promise<string | undefined>;
    /** Whether the call changes nothing, so that it may run beside others. */
    reads(call: ToolCall): Promise<boolean>;
    decide(call: ToolCall, options: {
        readonly hook: HookDecision;
        readonly signal: AbortSignal;
    }): Promise<Decision>;
}

// permissions/rules.d.ts
import type { SimpleCommand } from './shell-line.ts';
/** A line of `allow`, `ask` or `deny`, read. */
export interface Rule {
    /** As it was written. */
    readonly text: string;
    readonly tool: string;
    readonly specifier?: string | undefined;
    /** What a path with one slash in front starts from: the folder that the settings are of. */
    readonly base: string;
}
/** A rule, or why it could never fit. */
export type ReadRule = {
    readonly kind: 'rule';
    readonly rule: Rule;
} | {
    readonly kind: 'useless';
    readonly reason: string;
};
/** What a rule with a path says of one kind of access, it says of all tools with it. */
export declare const READERS: Set<string>;
export declare const EDITORS: Set<string>;
/** Reads `Tool` or `Tool(specifier)`. */
export declare function readRule(text: string, base: string, tools?: readonly string[]): ReadRule;
/** Whether a rule is about a tool, whatever it is called with. */
export declare function isAbout({ tool }: Rule, name: string): boolean;
/** Whether a pattern of a path, as git reads it, fits a path. `//` is absolute, `~/` of the home, `/` of the settings, else of `cwd`. */
export declare function fitsPath({ specifier, base }: Rule, path: string, cwd: string): boolean;
/** A rule with a path as a pattern for a search from `cwd`; undefined where it is about nothing there. */
export declare function searchGlob({ specifier, base }: Rule, cwd: string): string | undefined;
/** Whether `domain:name` is the host of an address or above it. */
export declare function fitsDomain({ specifier }: Rule, address: string): boolean;
/**
 * How a rule for commands fits: `never`, `maybe` where a word is not known before it runs, or `yes`. `git diff:*` fits by words,
 * with anything behind; a `*` elsewhere stands for any text, and ` *` at the end also for none; without either all is the same.
 */
export declare function fitsCommand({ specifier }: Rule, { words }: SimpleCommand): 'never' | 'maybe' | 'yes';

// permissions/shell-line.d.ts
/** A word of a command as far as it is known before the command runs. */
export interface Word {
    /** Its value without quotes; of a word that is not fixed, the text as it was written. */
    readonly text: string;
    /** Whether the value is known: no variable, no substitution, no pattern. */
    readonly isFixed: boolean;
    /** A pattern that the shell makes file names of, and nothing else that is not known. */
    readonly isPattern: boolean;
    /** A substitution and nothing else that is not known; what it runs is a command of the line. */
    readonly isSubstitution: boolean;
}
export interface Redirect {
    readonly operator: string;
    readonly target: Word;
}
/** One command of a line, wherever in the line it stands. */
export interface SimpleCommand {
    readonly words: readonly Word[];
    /** Names of the variables that are set for it, or by it. */
    readonly assigned: readonly string[];
    readonly redirects: readonly Redirect[];
    readonly text: string;
}
/** What a line would run, or why that is not certain. */
export type ShellLine = {
    readonly kind: 'commands';
    readonly commands: readonly SimpleCommand[];
} | {
    readonly kind: 'unclear';
    readonly reason: string;
};
/** Reads lines of bash. */
export type ReadShellLine = (line: string) => ShellLine;
/** The grammar is loaded with the first line that is read, once a process. */
export declare function loadShellReader(): Promise<ReadShellLine>;

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
import { type ToolStorage } from '@varve/tool-storage';
import type { Emit } from './events.ts';
import { type Agent, type Limits } from './loop.ts';
import { type ConnectedModel } from './model.ts';
import type { Ask, PermissionMode, Permissions } from './permissions/permissions.ts';
import { type LoadSettingsOptions } from './settings/load.ts';
export interface SessionOptions {
    readonly cwd: string;
    /** Holds the logs and stored results of all projects. */
    readonly configDir: string;
    readonly model: string;
    /** The client of a model; asked again where another one is chosen. */
    readonly connect: (model: string) => ConnectedModel;
    readonly emit: Emit;
    readonly shell: string;
    /** @default that of the settings, or `default` */
    readonly permissionMode?: PermissionMode | undefined;
    /** Trusts what the settings of the folder want to run and to allow, as they are now. @default false */
    readonly trusts?: boolean | undefined;
    /** Where other tools keep the settings of a person. @default the home folder */
    readonly home?: string | undefined;
    /** Asks whether to trust them. @default they are left out */
    readonly askTrust?: LoadSettingsOptions['askTrust'];
    /** More settings, above those of the project and of the person. */
    readonly flagSettings?: Readonly<Record<string, unknown>> | undefined;
    /** Asks a person before a call runs. @default nobody can be asked */
    readonly ask?: Ask | undefined;
    /** What a person typed while a turn ran. @default nothing */
    readonly steering?: Agent['steering'] | undefined;
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
    readonly permissions: Permissions;
    readonly storage: ToolStorage;
    /** Goes on with another model. */
    setModel(model: string): Promise<void>;
    close(): Promise<void>;
}
export declare function createSession(options: SessionOptions): Promise<Session>;
/** Where the sessions of a project are. */
export declare const sessionFolder: ({ configDir, cwd, }: Pick<SessionOptions, 'configDir' | 'cwd'>) => string;
/** Ids of the sessions of a folder in which something was said, the newest first. */
export declare function listSessions(folder: string): Promise<string[]>;

// settings/load.d.ts
import { type FindSettingsOptions, type Settings, type SettingsProblem } from './settings.ts';
import { type Untrusted } from './trust.ts';
export interface LoadSettingsOptions extends FindSettingsOptions {
    /** Names of all tools, for rules. */
    readonly tools: readonly string[];
    /** Trusts what the project wants without asking. @default false */
    readonly trusts?: boolean | undefined;
    /** Asks a person whether to trust it. @default nobody can be asked */
    readonly askTrust?: ((untrusted: Untrusted) => Promise<boolean>) | undefined;
}
export interface LoadedSettings {
    readonly settings: Settings;
    readonly problems: readonly SettingsProblem[];
    readonly root: string;
    readonly isCompatible: boolean;
    /** What the project wants and does not get; undefined where it gets all. */
    readonly untrusted?: Untrusted | undefined;
    /** Trusts the project as it is now: after a change that was made for a person. */
    trustNow(): void;
}
/** The settings that hold. Nothing that a project wants to run or allow is among them before it is trusted. Throws `SettingsError`. */
export declare function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings>;

// settings/settings.d.ts
import { type CommandHook } from '../hooks/events.ts';
import { type PermissionMode } from '../permissions/permissions.ts';
import { type Rule } from '../permissions/rules.ts';
/** Whose a settings file is; a later one wins. */
export type SettingsLevel = 'user' | 'project' | 'local' | 'flags' | 'managed';
/** A settings file as it was found. */
export interface SettingsFile {
    readonly level: SettingsLevel;
    readonly path: string;
    /** What a path of a rule with one slash in front starts from. */
    readonly base: string;
    readonly values: Readonly<Record<string, unknown>>;
}
/** What all files say together. */
export interface Settings {
    readonly allow: readonly Rule[];
    readonly ask: readonly Rule[];
    readonly deny: readonly Rule[];
    readonly mode?: PermissionMode | undefined;
    readonly folders: readonly string[];
    readonly hooks: readonly CommandHook[];
    readonly env: Readonly<Record<string, string>>;
    readonly model?: string | undefined;
    readonly outputStyle?: string | undefined;
    /** Our own part. */
    readonly varve: Readonly<Record<string, unknown>>;
}
/** What `/doctor` says of settings: nothing of it is silent. */
export interface SettingsProblem {
    readonly path: string;
    readonly text: string;
    /** `unknown` keys are kept and do nothing; of a `broken` file nothing holds, its deny rules included. */
    readonly kind: 'unknown' | 'useless' | 'broken';
}
export interface FoundSettings {
    /** Whether files of `.claude` are read as well. */
    readonly isCompatible: boolean;
    readonly files: readonly SettingsFile[];
    readonly problems: readonly SettingsProblem[];
    /** The folder whose settings are the project's. */
    readonly root: string;
}
export interface FindSettingsOptions {
    readonly cwd: string;
    readonly configDir: string;
    /** @default that of the user */
    readonly home?: string | undefined;
    /** Folders with settings that nobody can override. @default those of the system */
    readonly managed?: readonly string[] | undefined;
    /** Of `--settings`. */
    readonly flags?: Readonly<Record<string, unknown>> | undefined;
}
/** Reads the settings files that there are, those of `.claude` too unless `compat` is false. */
export declare function findSettings(options: FindSettingsOptions): FoundSettings;
type ReadFile = {
    readonly kind: 'values';
    readonly values: Readonly<Record<string, unknown>>;
} | {
    readonly kind: 'none';
} | {
    readonly kind: 'broken';
    readonly reason: string;
};
/** A file of a project that leads out of it is not read. */
export declare function readSettingsFile(path: string, within?: string): ReadFile;
/** Keys that are read from a file. Those of others that do nothing here are named as unknown. */
export declare const KNOWN: ReadonlySet<string>;
export declare const KNOWN_PERMISSIONS: ReadonlySet<string>;
/** Puts files together: lists join, of anything else the later file wins. */
export declare function mergeSettings(files: readonly SettingsFile[], tools?: readonly string[]): {
    readonly settings: Settings;
    readonly problems: readonly SettingsProblem[];
};
export {};

// settings/trust.d.ts
import { type SettingsFile } from './settings.ts';
/** What of a project's settings nobody but the project asked for, and that runs or allows something. */
export interface Untrusted {
    /** What a person is shown: the file, and what it wants. */
    readonly items: readonly {
        readonly path: string;
        readonly text: string;
    }[];
    readonly hash: string;
}
/** What is to be trusted before it holds; undefined where there is nothing of the kind. */
export declare function untrustedOf(root: string, files: readonly SettingsFile[]): Untrusted | undefined;
/** Files without what is not trusted: what forbids and asks holds from the start. */
export declare function withoutUntrusted(files: readonly SettingsFile[]): SettingsFile[];
/** What a person trusts, kept in one file of theirs: of a folder the hash of what it wants. */
export declare function createTrust(configDir: string): {
    isTrusted: (root: string, { hash }: Untrusted) => boolean;
    trust(root: string, { hash }: Untrusted): void;
};

// tools/files.d.ts
/** The files that the model has seen. */
export interface FileCache {
    /** Notes a file as it is now: it was read whole, or written. */
    see(path: string): Promise<void>;
    /** Throws where a file that exists was not read since it was changed last. */
    requireSeen(path: string): Promise<void>;
    /** Real paths, the one seen last at the end. */
    paths(): readonly string[];
    /** Of what was seen, only these files are before the model still. */
    keep(paths: readonly string[]): void;
}
export declare function createFileCache(): FileCache;
/** Where a path leads: through links, or the path itself where nothing is there yet. */
export declare const realPath: (path: string) => Promise<string>;
/** The text of a file; undefined where there is none. */
export declare const readIfThere: (path: string) => Promise<string | undefined>;
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
    /** What the settings add to the environment of programs. */
    readonly env?: Readonly<Record<string, string>> | undefined;
    /** Patterns of files that a search leaves out, as ripgrep reads them. */
    readonly hidden?: readonly string[] | undefined;
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
