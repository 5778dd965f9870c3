// agents/create-team.d.ts
import type { Producer } from '../reminders/producers.ts';
import type { Tool } from '../tools/tool.ts';
import { type FoundAgents } from './definitions.ts';
import type { Team, TeamOptions } from './team.ts';
/** The agents of a session and its background work (F6–F10). */
export declare function createTeam(options: TeamOptions): {
    tasks: {
        tell: (owner: string, text: string) => void;
        earlier: {
            id: string;
            what: string;
        }[];
        begin({ name, stop, ...facts }: import("./tasks.ts").TaskStart): Promise<import("./tasks.ts").RunningTask>;
        list: () => readonly import("./tasks.ts").Task[];
        find: (id: string) => import("./tasks.ts").Task | undefined;
        ended: (id: string) => Promise<void>;
        stop(id: string): boolean;
        takeNews(owner: string): string[];
        hasNews: (owner: string) => boolean;
        awaitsAgent: () => boolean;
        watch(watcher: () => void): () => void;
        close(owner?: string): Promise<void>;
    };
    team: Team;
    producer: Producer;
    /** The tools of the session, the agents among them where they are not told by a message. */
    tools(tools: readonly Tool[]): readonly Tool[];
    /** Something of the conversation became something else: perhaps the list did. */
    check(): void;
    found: () => FoundAgents;
    /** Reads the definitions again. */
    refresh(): FoundAgents;
    /** What a person sees of a task: what a command printed last, or an agent did. */
    shown: (id: string) => string;
    hasNews: () => boolean;
    /** Resolves once there is something to tell, or no agent is left that could have something. */
    nextNews(signal: AbortSignal): Promise<boolean>;
    close(): Promise<void>;
};
export type AgentTeam = ReturnType<typeof createTeam>;

// agents/definitions.d.ts
import { type AgentDefinition } from '@varve/fork-agent/definitions';
import type { SettingsLevel } from '../settings/settings.ts';
/** Agents of a settings file, by name. */
export interface AgentSettings {
    readonly level: SettingsLevel;
    readonly path: string;
    readonly value: Readonly<Record<string, unknown>>;
}
export interface FindAgentsOptions {
    readonly cwd: string;
    readonly root: string;
    readonly configDir: string;
    /** Whether files of other tools are read as well. */
    readonly isCompatible: boolean;
    /** @default that of the user */
    readonly home?: string | undefined;
    /** Of the settings that hold. */
    readonly settings?: readonly AgentSettings[] | undefined;
    /** Whether what agents of the project want to run and to allow holds. */
    readonly isTrusted: boolean;
}
/** The agents there are, and what of their definitions was left out. */
export interface FoundAgents {
    readonly definitions: readonly AgentDefinition[];
    readonly problems: readonly {
        readonly path: string;
        readonly text: string;
    }[];
}
/** Finds the agents of files and settings beside the built-in ones; of those with one name the last holds. */
export declare function findAgents(options: FindAgentsOptions): FoundAgents;
/** Names of the tools that start agents. */
export declare const AGENT_TOOLS: string[];
interface AgentFile {
    readonly path: string;
    readonly text: string;
}
/** The files of agents that came with a project. */
export declare function projectAgents({ cwd, root, isCompatible, }: Pick<FindAgentsOptions, 'cwd' | 'root' | 'isCompatible'>): AgentFile[];
/** What a definition wants to run, or to be allowed. */
export declare function wishesOf(definition: AgentDefinition): ('hooks' | 'mcpServers' | 'permissionMode')[];
/** What a definition says that does nothing, in words. */
export declare function unusedIn({ mcpServers, memory, effort }: AgentDefinition): string[];
export {};

// agents/tasks.d.ts
import type { Entry, JsonObject } from '@varve/messages';
import type { Emit } from '../events.ts';
/** What runs beside the conversation, or within a call of it. */
export interface Task {
    readonly id: string;
    readonly kind: 'agent' | 'shell';
    /** A command, or what an agent is to do. */
    readonly what: string;
    /** Who began it: `main`, or the id of an agent. */
    readonly owner: string;
    readonly callId: string;
    readonly isBackground: boolean;
    readonly startedMs: number;
    readonly state: 'running' | 'done' | 'failed' | 'stopped';
    /** What an agent says that it does, or the last line of a command. */
    readonly progress: string;
}
export interface TaskStart extends Pick<Task, 'kind' | 'what' | 'owner' | 'callId' | 'isBackground'> {
    /** What its id begins with. */
    readonly name: string;
    readonly stop: () => void;
}
/** A task for the one who runs it. */
export interface RunningTask {
    readonly id: string;
    progress(text: string): void;
    /** `news` is what its owner is told, once. */
    end(state: 'done' | 'failed' | 'stopped', news?: string): void;
}
export interface TasksOptions {
    readonly emit: Emit;
    /** Notes in the log what was begun. */
    readonly note: (data: JsonObject) => Promise<void>;
    /** The log that is gone on with. */
    readonly entries: readonly Entry[];
}
/** All tasks of a session, those of its agents included. */
export declare function createTasks({ emit, note, entries }: TasksOptions): {
    tell: (owner: string, text: string) => void;
    /** What was begun by an earlier process. */
    earlier: {
        id: string;
        what: string;
    }[];
    begin({ name, stop, ...facts }: TaskStart): Promise<RunningTask>;
    list: () => readonly Task[];
    find: (id: string) => Task | undefined;
    /** Resolves once a task has ended. */
    ended: (id: string) => Promise<void>;
    /** Has a task ended; false where it is not running. */
    stop(id: string): boolean;
    /** What has happened and its owner does not know, once. */
    takeNews(owner: string): string[];
    hasNews: (owner: string) => boolean;
    /** Whether an agent is at work whose answer comes later. */
    awaitsAgent: () => boolean;
    /** Told each time something has happened. The result takes that back. */
    watch(watcher: () => void): () => void;
    /** Ends what runs, of one owner or all of it, and waits for that a moment. */
    close(owner?: string): Promise<void>;
};
export type Tasks = ReturnType<typeof createTasks>;

// agents/team.d.ts
import type { Context } from '@varve/context';
import type { Entry } from '@varve/messages';
import type { ToolStorage } from '@varve/tool-storage';
import type { Emit } from '../events.ts';
import type { CommandHook } from '../hooks/events.ts';
import type { Hooks, HooksOptions } from '../hooks/hooks.ts';
import type { Instructions } from '../instructions/instructions.ts';
import type { ConnectedModel } from '../model.ts';
import type { PermissionMode, Permissions } from '../permissions/permissions.ts';
import type { PromptFacts } from '../prompt/facts.ts';
import type { findSkills } from '../skills/find.ts';
import type { FileCache } from '../tools/files.ts';
import type { ToolOutput, Tools, ToolsOptions } from '../tools/tool.ts';
import type { FoundAgents } from './definitions.ts';
/** What the model says of a task for an agent. */
export interface TaskInput {
    readonly description: string;
    readonly prompt: string;
    readonly subagent_type?: string | undefined;
    readonly run_in_background?: boolean | undefined;
    readonly name?: string | undefined;
}
/** What the model says to another agent. */
export interface MailInput {
    readonly to: string;
    readonly kind: 'text' | 'shutdown' | 'shutdown-answer' | 'plan' | 'plan-answer';
    readonly text?: string | undefined;
    readonly summary?: string | undefined;
    readonly request_id?: string | undefined;
    readonly accept?: boolean | undefined;
}
export interface BackgroundCommand {
    readonly command: string;
    readonly description?: string | undefined;
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>> | undefined;
    readonly callId: string;
}
/** Agents and background work, as the tools of one caller see them. What these throw becomes a failed result. */
export interface Team {
    /** Runs an agent, and gives its answer; in the background it gives what to expect at once. */
    task(input: TaskInput, at: {
        readonly callId: string;
        readonly signal: AbortSignal;
    }): Promise<ToolOutput>;
    send(input: MailInput): Promise<string>;
    /** Starts a command that nobody waits for. */
    shell(command: BackgroundCommand): Promise<string>;
    /** What a background command printed since the last time, or how an agent does; waits for its end at most so long. */
    output(id: string, options: {
        readonly waitMs: number;
        readonly signal: AbortSignal;
    }): Promise<string>;
    stop(id: string): Promise<string>;
}
/** The session that agents are of, and its parts made anew for each of them. */
export interface TeamOptions {
    readonly cwd: string;
    readonly sessionId: string;
    /** Holds what is kept of the session beside its log. */
    readonly folder: string;
    /** The log of the session. */
    readonly logPath: string;
    readonly entries: readonly Entry[];
    readonly emit: Emit;
    readonly facts: PromptFacts;
    readonly find: () => FoundAgents;
    /** How other sessions of the folder call this one. @default they cannot reach it */
    readonly name?: string | undefined;
    /** Mailboxes of all sessions of the folder. */
    readonly mailFolder: string;
    readonly connect: (model: string) => ConnectedModel;
    readonly later: () => {
        readonly context: Context;
        readonly permissions: Permissions;
    };
    readonly permissionsOf: (own: {
        cwd: string;
        mode: PermissionMode;
    }) => Permissions;
    readonly storage: ToolStorage | undefined;
    readonly files: FileCache;
    readonly notice: (text: string) => void;
    readonly toolsOf: (own: Pick<ToolsOptions, 'cwd' | 'files' | 'emit' | 'team' | 'skills'> & {
        readonly storage: ToolStorage | undefined;
    }) => Tools;
    readonly hooksOf: (own: Pick<HooksOptions, 'agent' | 'permissionMode' | 'parse' | 'cwd'> & {
        readonly more: readonly CommandHook[];
    }) => Hooks;
    readonly instructionsOf: (cwd: string) => Instructions;
    /** Where skills are looked for. */
    readonly skillsIn: Parameters<typeof findSkills>[0];
    /** Seconds between summaries of what an agent does; 0 for none. */
    readonly progressSeconds: number;
    /** Whether the agents there are are told by a message, and not by the description of the tool. */
    readonly isListed: boolean;
    /** That may be spent in all. @default no limit */
    readonly dollars?: number | undefined;
    readonly windowTokens?: number | undefined;
    readonly percent?: number | undefined;
}
/** What an agent decides about itself. */
export interface OwnState {
    isDismissed?: boolean;
}

// events.d.ts
import type { CompactionOptions } from '@varve/compact';
import type { ContextEvent } from '@varve/context';
import type { DreamEvent } from '@varve/dream';
import type { Message } from '@varve/messages';
import type { SessionMemoryEvent } from '@varve/session-memory';
import type { Task } from './agents/tasks.ts';
import type { AllowedBy, RefusedBy } from './permissions/permissions.ts';
import type { ToolCall, ToolOutput } from './tools/tool.ts';
/** What a session is, as far as a reader of its events needs to know. */
export interface SessionFacts {
    readonly sessionId: string;
    readonly cwd: string;
    readonly model: string;
    readonly tools: readonly string[];
    readonly permissionMode: string;
    readonly mcpServers: readonly {
        readonly name: string;
        readonly status: string;
    }[];
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
    readonly by: AllowedBy;
}
/** What a command printed so far, piece by piece. */
 | {
    readonly kind: 'call-output';
    readonly id: string;
    readonly text: string;
}
/** A file that a call changed, whole; `before` is undefined where there was none. */
 | {
    readonly kind: 'call-change';
    readonly id: string;
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string;
} | {
    readonly kind: 'call-end';
    readonly call: ToolCall;
    readonly output: ToolOutput;
    readonly durationMs: number;
} | {
    readonly kind: 'call-refused';
    readonly call: ToolCall;
    readonly reason: string;
    readonly by: RefusedBy;
}
/** Results as they stand in the log: large ones are previews of what was stored. */
 | {
    readonly kind: 'results';
    readonly messages: readonly Message[];
} | {
    readonly kind: 'todos';
    readonly todos: readonly Todo[];
}
/** An agent or a background command begins, says how far it is, and has ended. */
 | {
    readonly kind: 'task-start' | 'task-progress' | 'task-end';
    readonly task: Task;
}
/** What an agent does, as the conversation's own events say it. */
 | {
    readonly kind: 'agent-event';
    readonly agent: string;
    /** Of the call that started it. */
    readonly callId: string;
    readonly event: AgentEvent;
}
/** A request failed in a way that may pass, and is sent again unchanged; what had arrived of the answer is void. */
 | {
    readonly kind: 'retry';
    readonly attempt: number;
    /** Attempts in all. */
    readonly most: number;
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
}
/** What happens in the background: notes of the session are taken, memory is tidied. */
 | {
    readonly kind: 'notes';
    readonly event: SessionMemoryEvent;
} | {
    readonly kind: 'dream';
    readonly event: DreamEvent;
}
/** A call for a summary gave none. */
 | {
    readonly kind: 'summary-attempt';
    readonly attempt: Parameters<NonNullable<CompactionOptions['onAttempt']>>[0];
}
/** A program of the settings ran. */
 | {
    readonly kind: 'hook';
    readonly event: string;
    readonly outcome: 'said' | 'blocked' | 'failed';
    readonly durationMs: number;
};
/** Takes an event; it never throws and nothing waits for it. */
export type Emit = (event: AgentEvent) => void;

// hooks/events.d.ts
import { z } from 'zod';
/** When a hook may run. */
export declare const HOOK_EVENTS: readonly ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "InstructionsLoaded", "ConfigChange", "CwdChanged", "FileChanged", "Notification"];
export type HookEvent = (typeof HOOK_EVENTS)[number];
export declare const isHookEvent: (name: string) => name is HookEvent;
/** Why a turn ended with a failed request, in the words that matchers of StopFailure have. */
export declare function failureKind(error: unknown): string;
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
import { type CommandHook, type HookEvent } from './events.ts';
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
    postTool(call: ToolCall, output: ToolOutput, signal: AbortSignal): Promise<void>;
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
    /** Tells that a turn ends because a request failed. Nothing that a hook says changes that. */
    stopFailure(error: unknown, signal: AbortSignal): Promise<void>;
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

// instructions/instructions.d.ts
export type InstructionLevel = 'managed' | 'user' | 'project' | 'local';
export type LoadReason = 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
/** A file whose text the model gets. */
export interface InstructionFile {
    readonly path: string;
    readonly level: InstructionLevel;
    readonly reason: LoadReason;
    readonly text: string;
}
export interface InstructionOptions {
    readonly cwd: string;
    /** The project: of it, nothing outside is read. */
    readonly root: string;
    readonly configDir: string;
    /** Whether files of other tools are read as well. */
    readonly isCompatible: boolean;
    /** @default that of the user */
    readonly home?: string | undefined;
    /** @default those of the system */
    readonly managed?: readonly string[] | undefined;
    /** Whether a rule forbids to read a file. @default none does */
    readonly isDenied?: ((path: string) => boolean) | undefined;
    /** Has what was named and not read. */
    readonly onSkip?: ((path: string, why: string) => void) | undefined;
}
/** Finds instruction files, from what holds everywhere to what holds here; the later ones win. */
export declare function createInstructions(options: InstructionOptions): {
    /** All that holds from the start; again after `forget`. */
    initial(reason?: 'session_start' | 'compact'): InstructionFile[];
    /** What holds for a file that work has got to, and was not given yet. */
    touch(path: string): InstructionFile[];
    /** What was given is no longer before the model. */
    forget(): void;
};
export type Instructions = ReturnType<typeof createInstructions>;
export declare const isOfProject: (level: InstructionLevel) => boolean;
/** For sessions without any. */
export declare const NO_INSTRUCTIONS: Instructions;
/** Whether a text of the conversation gives instruction files. */
export declare const isInstruction: (text: string) => boolean;
/** What the model is told of instruction files. */
export declare function instructionText(files: readonly InstructionFile[], date?: string): string | undefined;

// layers.d.ts
import type { Context, ContextOptions } from '@varve/context';
import type { Dream } from '@varve/dream';
import type { Entry } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import type { SessionMemory } from '@varve/session-memory';
import { type ToolStorage } from '@varve/tool-storage';
import type { Emit } from './events.ts';
import type { InstructionFile } from './instructions/instructions.ts';
import { type MemoryPlace, type ProjectMemory } from './memory/memory.ts';
import { type ConnectedModel } from './model.ts';
import type { Settings } from './settings/settings.ts';
import { type ReadSwitches, type Switches } from './switches.ts';
type Compaction = NonNullable<ContextOptions['compaction']>;
/** What of a session's options is about its layers. */
export interface LayerOptions extends MemoryPlace {
    readonly model: string;
    readonly connect: (model: string) => ConnectedModel;
    readonly emit: Emit;
    /** Of `--layer`, and of the environment. */
    readonly layerFlags?: Readonly<Record<string, unknown>> | undefined;
    readonly layerEnvironment?: Readonly<Record<string, unknown>> | undefined;
    /** Neither memory nor instruction files, and no word of them in the prompt. @default false */
    readonly simple?: boolean | undefined;
    /** It ends with its first turn, so that no dream begins. @default false */
    readonly isOneTurn?: boolean | undefined;
    /** Prompts of so many tokens are not sent. @default the window alone */
    readonly blockingLimit?: number | undefined;
    /** Of what a conversation can fill, in percent: to compact earlier. */
    readonly compactPercent?: number | undefined;
    readonly windowTokens?: number | undefined;
}
export interface OpenLayersOptions {
    readonly options: LayerOptions;
    readonly settings: Settings;
    readonly sessionId: string;
    /** Holds the logs of the project. */
    readonly folder: string;
    readonly entries: readonly Entry[];
    /** Sessions that this one was forked from. */
    readonly bases: readonly string[];
    readonly client: () => ModelClient;
    readonly context: () => Context;
    /** Files of instructions that a session of the project is given. */
    readonly instructions: () => readonly InstructionFile[];
}
/** The layers of a session, as its switches have them, and what of them has to be begun and ended. */
export interface Layers {
    readonly read: ReadSwitches;
    readonly switches: Switches;
    /** Undefined where results go in as they are. */
    readonly storage: ToolStorage | undefined;
    /** What a context takes, beside `storage`. */
    readonly context: Pick<ContextOptions, 'layers' | 'snip' | 'memory' | 'blockingLimitTokens'>;
    readonly compaction: Omit<Compaction, 'summarize'>;
    /** Undefined where there is none. */
    readonly memory: ProjectMemory | undefined;
    readonly dream: Dream | undefined;
    readonly notes: SessionMemory;
    /** The file of the notes. */
    readonly notesPath: string;
    /** Has the log hold what the prompt depends on. */
    begin(): Promise<void>;
    /** After a turn; nothing waits for what it starts. */
    turnDone(): void;
    close(): Promise<void>;
}
export declare function openLayers(given: OpenLayersOptions): Promise<Layers>;
export {};

// loop.d.ts
import { type Context } from '@varve/context';
import { type Block, type Message } from '@varve/messages';
import type { Emit } from './events.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { Reminder, ReminderTime } from './reminders/producers.ts';
import type { Rounds } from './rounds.ts';
/** What a person says: text, or text with images and files. */
export type Prompt = string | readonly Block[];
/** What a turn needs; `createSession` puts one together. */
export interface Agent {
    readonly context: Context;
    readonly hooks: Hooks;
    readonly rounds: Rounds;
    readonly limits: Limits;
    readonly emit: Emit;
    /** What the agent tells the model by itself before a request. */
    readonly reminders: {
        collect(at: ReminderTime): Promise<readonly Reminder[]>;
    };
    /** What a person typed while the turn ran. */
    readonly steering: {
        take(): readonly Prompt[];
    };
    /** What goes on behind a turn, and never throws. */
    readonly background?: {
        turnDone(): void;
    } | undefined;
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
/**
 * One turn: from what a person said to the answer, with all the rounds of tools in between; without a prompt, from what the
 * reminders have to say, such as the answer of an agent.
 */
export declare function runTurn(agent: Agent, prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd>;
/**
 * After an abort: ends the calls that will get no result, so that the next prompt can follow, and keeps what had arrived of an
 * answer, which a person may have read.
 */
export declare function interrupted(context: Context, arrived?: string): Promise<void>;
export declare const textOf: ({ content }: Pick<Message, 'content'>) => string;

// mcp/config.d.ts
/** How to reach an MCP server, with what the environment holds put in. */
export type ServerConfig = {
    readonly name: string;
    /** Milliseconds of a call without a sign of progress. */
    readonly timeoutMs?: number | undefined;
} & ({
    readonly kind: 'stdio';
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string | undefined;
} | {
    readonly kind: 'http' | 'sse';
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
});
type Environment = Readonly<Record<string, string | undefined>>;
/** Reads `mcpServers` as people have it. What cannot be read is a problem and no server. */
export declare function readServers(found: unknown, env: Environment): {
    servers: ServerConfig[];
    problems: string[];
};
/** The servers one by one for a person who is to trust them, without what headers and variables keep secret. */
export declare const shownServers: (found: unknown) => string[];
export {};

// mcp/connect.d.ts
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Tool as ToolDefinition } from '@varve/messages';
import type { ServerConfig } from './config.ts';
/** A tool as its server has it now. */
export interface ServerTool {
    /** `mcp__server__tool` */
    readonly name: string;
    readonly ownName: string;
    /** What a provider is told. */
    readonly definition: ToolDefinition;
    /** The server says that it changes nothing. */
    readonly reads: boolean;
}
export type ServerStatus = 'connecting' | 'connected' | 'left' | 'failed';
/** An MCP server, whether it is there or not. */
export interface McpServer {
    readonly name: string;
    readonly status: ServerStatus;
    /** Why it is not there; of tools that are left out, why. */
    readonly problem: string;
    readonly instructions: string;
    readonly tools: readonly ServerTool[];
    /** From its start to the list of its tools, in milliseconds. */
    readonly startMs: number | undefined;
    /** Once the first attempt came to an end, whichever. */
    readonly tried: Promise<void>;
    /** Rejects with why there is no result. */
    call(ownName: string, input: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>;
    /** Tries now, whatever it waited for. */
    reconnect(): Promise<void>;
    close(): Promise<void>;
}
export interface CallOptions {
    readonly signal: AbortSignal;
    readonly onProgress: (text: string) => void;
}
export interface StartOptions {
    readonly cwd: string;
    /** What the settings add to the environment of programs. */
    readonly env: Readonly<Record<string, string>>;
    /** Told of each change of the status. */
    readonly onStatus: (server: McpServer) => void;
    /** How long the attempts to have a server back wait, in milliseconds. */
    readonly backoffMs?: readonly number[];
}
/** Starts a server and keeps it: one that leaves is asked back a few times. Nothing of it is waited for here. */
export declare function startServer(config: ServerConfig, options: StartOptions): McpServer;
/** Why a tool of a server cannot be called now. */
export declare const absent: ({ name, status, problem }: McpServer) => string;

// mcp/mcp.d.ts
import type { Context } from '@varve/context';
import type { Entry } from '@varve/messages';
import type { Emit } from '../events.ts';
import type { WriteNote } from '../notes.ts';
import type { Producer } from '../reminders/producers.ts';
import { type Tool } from '../tools/tool.ts';
import type { ServerConfig } from './config.ts';
import { type McpServer } from './connect.ts';
export interface McpOptions {
    readonly servers: readonly ServerConfig[];
    readonly cwd: string;
    /** What the settings add to the environment of programs. */
    readonly env: Readonly<Record<string, string>>;
    readonly entries: readonly Entry[];
    /** Asked once there is one. */
    readonly context: () => Context;
    readonly emit: Emit;
    readonly note: WriteNote;
}
/** The MCP servers of a session. */
export interface Mcp {
    readonly servers: readonly McpServer[];
    /** Tools that are in every request. */
    readonly tools: readonly Tool[];
    /** A tool of a server by its name, whether the server is there or not. */
    find(name: string): Tool | undefined;
    /** Brings the head of the next request up to date, and tells what is new of the servers. */
    readonly producer: Producer;
    /** What there is to say of the servers behind a summary. */
    afterSummary(): Promise<readonly string[]>;
    /** Something of the conversation became something else, by a layer or a command. */
    check(by: string): void;
    close(): Promise<void>;
}
/** Starts the servers; nothing waits for them. */
export declare function createMcp({ servers: configs, cwd, env, ...given }: McpOptions): Mcp;

// memory/memory.d.ts
import type { ContextOptions } from '@varve/context';
import { type Memdir } from '@varve/memdir';
import type { ConnectedModel } from '../model.ts';
import { type Rule } from '../permissions/rules.ts';
import type { Switches } from '../switches.ts';
type ContextMemory = NonNullable<ContextOptions['memory']>;
export interface MemoryPlace {
    readonly cwd: string;
    /** Holds what is kept of all projects. */
    readonly configDir: string;
    /** The memory folder itself. @default that of the project below `configDir` */
    readonly memoryDir?: string | undefined;
    /** A run on another machine: nothing is kept by itself; a folder is where memory is kept between runs. @default this is none */
    readonly remote?: true | string | undefined;
}
export interface MemoryOptions extends MemoryPlace {
    readonly switches: Switches;
    /** Whether a session that began now would have memory: what one began with stands in its prompt for good. */
    readonly isWanted: boolean;
    /** Of the session. */
    readonly model: string;
    /** Of extraction and dreams. @default the small model of the provider */
    readonly smallModel?: string | undefined;
    readonly connect: (model: string) => ConnectedModel;
}
/** Long-term memory of the project that a session is in. */
export interface ProjectMemory {
    readonly memory: Memdir;
    readonly path: string;
    /** What a context takes. */
    readonly option: ContextMemory;
    /** The model of extraction and dreams. */
    readonly model: string;
    /** Whether anything of it may run in the background. */
    readonly isOn: boolean;
}
/** The memory folder and what a context is to do with it. The folder is made once a session with memory begins. */
export declare function openMemory(options: MemoryOptions): ProjectMemory;
/** Where the memory of a project is: one folder for all worktrees of a repository. */
export declare function memoryFolder({ cwd, configDir, memoryDir, remote }: MemoryPlace): string;
/** Rules that let the model read and change memory without asking: its folder lies outside of the project. */
export declare function memoryAccess(path: string, cwd: string): Rule[];
export {};

// model.d.ts
import type { CallModel } from '@varve/context';
import type { JsonObject, Usage } from '@varve/messages';
import { type ModelClient, type ModelResponse } from '@varve/models';
import { type ModelInfo } from '@varve/tokens';
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
    readonly client: AddressedClient;
    readonly params: JsonObject;
}
/** A client that says where its requests go, for the words of a failure. */
interface AddressedClient extends ModelClient {
    readonly address?: string;
}
/**
 * The client of a model by its id: Messages for those of Anthropic, Responses for those of OpenAI, Chat Completions for all
 * others. Failed requests are sent again by `createCall`, where they are shown, and not by the SDK. An SDK is loaded with the first
 * request, so that the program is there before.
 */
export declare function connect({ model, anthropicKey, openaiKey, baseUrl }: ModelOptions): ConnectedModel;
export declare const EFFORTS: readonly ['low', 'medium', 'high'];
/** How much a model thinks before it answers. */
export type Effort = (typeof EFFORTS)[number];
export declare const isEffort: (word: string | undefined) => word is Effort;
/** Whether it can be said of a model how much it thinks. */
export declare const takesEffort: (model: string) => boolean;
/** The parameters that say so; undefined where there are none. */
export declare function effortParams(model: string, effort: Effort | undefined): JsonObject | undefined;
/** What parameters say of it. */
export declare const effortOf: ({ output_config, reasoning }: JsonObject) => Effort | undefined;
/** How long an answer may be, in tokens: a long file that the model writes fits, and in a small window the prompt still does. */
export declare function answerTokens(model: string, windowTokens?: number): number;
/** The entry of a model whose window was said to be another, e.g. to compact earlier. */
export declare function modelsOf(model: string, windowTokens: number | undefined): readonly ModelInfo[] | undefined;
export interface CallOptions {
    /** Asked before each call: the model may be another one by then. */
    readonly client: () => AddressedClient;
    readonly emit: Emit;
    /** Told what an answer was billed that came to no end. @default nobody is */
    readonly onLost?: OnLost | undefined;
    /** Whether what arrives is shown; not of a summary. @default true */
    readonly isShown?: boolean | undefined;
    /**
     * The answer before, by the provider's id, for its own diagnosis of the cache; null where there is none. It is given the last
     * answer of these calls, if there was one. @default not asked
     */
    readonly compareWith?: ((last: ModelResponse | undefined) => string | null) | undefined;
}
/** Who called, in the bill of answers that came to no end. */
export declare const INTERRUPTED = "interrupted";
/** The prompt as the provider said or as an estimate, and what had arrived as an estimate; `isTold` where the error that is thrown says the same. */
export type OnLost = (model: string, usage: Usage, how: {
    readonly isTold: boolean;
}) => void;
/**
 * A client that sends again what may pass (network, rate, overload), unchanged and after the pause that the provider asks for; a
 * request that is too long is the business of the context. Events of an attempt that failed are void.
 */
export declare function retrying({ client, emit, onLost }: CallOptions): ModelClient;
/** Calls a model as `retrying` does, and shows its answer while it arrives. */
export declare function createCall(options: CallOptions): CallModel;
export {};

// notes.d.ts
import type { Entry, JsonObject } from '@varve/messages';
/** What the agent keeps in a log beside what is said. No model sees it. */
export type AgentNote = JsonObject & {
    readonly kind: string;
};
/** Writes one. */
export type WriteNote = (data: AgentNote) => Promise<void>;
/** What a note of the agent says; empty where an entry is none. */
export declare const noteOf: (entry: Entry) => Readonly<Record<string, unknown>>;
/** What the notes of a kind say, in order. */
export declare const notesOf: (entries: readonly Entry[], kind: string) => Readonly<Record<string, unknown>>[];

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
    /** What the file holds that would be written anew; undefined where there is none yet. */
    readonly before?: string | undefined;
    /** The agent that wants it, where it is not the conversation itself. */
    readonly agent?: string | undefined;
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
    readonly by: AllowedBy;
} | {
    readonly kind: 'refused';
    readonly reason: string;
    readonly by: RefusedBy;
};
/** Who let a call run; `rule`: a rule of the settings, or it is of a kind that nobody needs to be asked about. */
export type AllowedBy = 'rule' | 'hook' | 'mode' | 'person';
/** Who did not let a call run; `nobody`: it needed a permission, and nobody could be asked for it. */
export type RefusedBy = 'rule' | 'hook' | 'mode' | 'person' | 'nobody';
/** Whether a call may run. */
export interface Permissions {
    readonly mode: PermissionMode;
    /** Holds for calls from now on. */
    setMode(mode: PermissionMode): void;
    /** Why a rule forbids the call, whatever a hook or a person says. */
    denied(call: ToolCall): Promise<string | undefined>;
    /** Whether the call changes nothing, so that it may run beside others. */
    reads(call: ToolCall): Promise<boolean>;
    /** Whether a rule for its host allows an address of the web. */
    names(address: string): boolean;
    decide(call: ToolCall, options: DecideOptions): Promise<Decision>;
}
export interface DecideOptions {
    /** What a hook said before the call. */
    readonly hook: HookDecision;
    readonly signal: AbortSignal;
    /** Answers in place of the person, where it does. @default nothing does */
    readonly askHooks?: ((call: ToolCall, signal: AbortSignal) => Promise<Answer | undefined>) | undefined;
    /** Whose call it is. @default the conversation's */
    readonly agent?: string | undefined;
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
/** Rules with commas or blanks between them, each as it was written: what is left open is one rule to the end, which `faultOfRule` names. */
export declare function splitRules(text: string): string[];
/** What is wrong with the form of a rule, whichever tools there are; undefined where nothing is. */
export declare function faultOfRule(text: string): string | undefined;
/** Whether a rule is about a tool, whatever it is called with. */
export declare function isAbout({ tool }: Rule, name: string): boolean;
/** The same for a rule that forbids or asks: one with a path is about all tools with that kind of access. */
export declare const forbidsTool: (rule: Rule, name: string) => boolean;
/** Whether a pattern of a path, as git reads it, fits a path. `//` is absolute, `~/` of the home, `/` of the settings, else of `cwd`. */
export declare function fitsPath({ specifier, base }: Rule, path: string, cwd: string): boolean;
/** Whether a rule forbids a file, by its path or by where that leads. */
export declare const forbidsFile: (rule: Rule, path: string, cwd: string) => boolean;
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
    /** In a loop, so that it may run more than once. */
    readonly isRepeated: boolean;
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

// plan/plan.d.ts
import type { Entry } from '@varve/messages';
import type { AgentEvent } from '../events.ts';
import { type WriteNote } from '../notes.ts';
import type { PermissionMode, Permissions } from '../permissions/permissions.ts';
import type { Producer } from '../reminders/producers.ts';
export interface Plan {
    readonly text: string;
    readonly isApproved: boolean;
}
export interface PlanOptions {
    readonly permissions: () => Permissions;
    /** In which the session began; the one that an approved plan is carried out in. */
    readonly mode: PermissionMode;
    /** Of the session that is gone on with. */
    readonly entries: readonly Entry[];
    readonly note: WriteNote;
    /** Whether a text stands in the conversation as the model sees it. */
    readonly isThere: (text: string) => boolean;
}
/** Plan mode: what the model was told of it, and the plan that was made. */
export declare function createPlan({ permissions, mode, entries, note, isThere }: PlanOptions): {
    producer: Producer;
    isOn: () => boolean;
    current: () => Plan | undefined;
    /** `off` goes back to the mode that the session began in. */
    set(state: 'on' | 'off'): void;
    /** A plan that was refused is kept, too: it is what is spoken about. */
    seen(event: AgentEvent): void;
    /** Something of the conversation became something else: perhaps what was said of plan mode did. */
    check(): void;
    /** The person approved the plan. Throws where plan mode is not on. */
    approve(text: string): Promise<string>;
    /** What of it the model must know behind a summary. */
    toRestore(): string | undefined;
};

// prompt/facts.d.ts
import type { Entry, JsonObject } from '@varve/messages';
/** What the system prompt says of the surroundings. Taken once a session and kept in its log, so that its bytes stay. */
export interface PromptFacts {
    readonly cwd: string;
    readonly platform: string;
    readonly shell: string;
    /** YYYY-MM-DD. */
    readonly date: string;
    /** What git says of the folder; empty where it is no repository. */
    readonly git: string;
    /** The output style of the settings. @default none */
    readonly style?: string | undefined;
}
export declare function takeFacts(cwd: string, shell: string, now: number): Promise<PromptFacts>;
/** The note that keeps facts in the log. */
export declare const factsNote: (facts: PromptFacts) => {
    by: string;
    data: JsonObject;
};
/** The facts of a session that is gone on with. */
export declare function factsOf(entries: readonly Entry[]): PromptFacts | undefined;

// reminders/producers.d.ts
import type { Limits } from '../loop.ts';
/** When reminders are asked for. */
export interface ReminderTime {
    /** What the person said, once for each time that they say something. */
    readonly prompt?: string | undefined;
    /** The request of the turn that comes next, counted from 1. */
    readonly turn: number;
    /** Where the turn ends. */
    readonly limits: Limits;
    readonly signal: AbortSignal;
}
/** One message that the agent puts behind the conversation by itself. */
export interface Reminder {
    readonly text: string;
    /** Once it stands there: so that nothing is lost where it was left out. */
    readonly told?: (() => unknown) | undefined;
}
/** Looks for one kind of thing that the model should know. */
export interface Producer {
    readonly name: string;
    /** Is waited for however long it takes. @default false */
    readonly isNeeded?: boolean | undefined;
    collect(at: ReminderTime): readonly Reminder[] | Promise<readonly Reminder[]>;
}
/** Asks all at once. One that fails or is late is left out; reminders stand in the order of the list. */
export declare function askProducers(producers: readonly Producer[], at: ReminderTime, { mostMs, onFailure }?: {
    mostMs?: number;
    onFailure?: (failure: Failure) => void;
}): Promise<Reminder[]>;
export interface Failure {
    readonly name: string;
    readonly cause: unknown;
}

// reminders/work.d.ts
import type { Context } from '@varve/context';
import type { Entry } from '@varve/messages';
import type { AgentEvent } from '../events.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { WriteNote } from '../notes.ts';
import type { PermissionMode, Permissions } from '../permissions/permissions.ts';
import type { FindSettingsOptions } from '../settings/settings.ts';
import type { FileCache } from '../tools/files.ts';
import type { Producer } from './producers.ts';
export interface WorkOptions {
    readonly settings: FindSettingsOptions;
    readonly root: string;
    readonly isCompatible: boolean;
    /** In which the session begins. */
    readonly mode: PermissionMode;
    readonly files: FileCache;
    /** Of the session that is gone on with. */
    readonly entries: readonly Entry[];
    readonly note: WriteNote;
    readonly notice: (text: string) => void;
    /** What is made later, and asked only once it is there. */
    readonly later: () => {
        readonly hooks: Hooks;
        readonly permissions: Permissions;
        readonly context: Context;
    };
}
/** What the agent knows of the work beside what was said: skills, plan, list, files, settings. All of it outlasts a compaction. */
export declare function createWork({ later, ...options }: WorkOptions): {
    skills: {
        producer: Producer;
        all: () => readonly import("../skills/find.ts").Skill[];
        problems: () => import("../skills/find.ts").FoundSkills['problems'];
        called: () => readonly import("../skills/skills.ts").CalledSkill[];
        isCall: (text: string) => boolean;
        call(name: string, args: string): Promise<string>;
        check(): void;
        names(): string | undefined;
    };
    plan: {
        producer: Producer;
        isOn: () => boolean;
        current: () => import("../plan/plan.ts").Plan | undefined;
        set(state: 'on' | 'off'): void;
        seen(event: AgentEvent): void;
        check(): void;
        approve(text: string): Promise<string>;
        toRestore(): string | undefined;
    };
    todos: {
        producer: Producer;
        list: () => readonly import("../events.ts").Todo[];
        seen(event: AgentEvent): void;
        toRestore(): string | undefined;
    };
    producers: readonly Producer[];
    /** Settings were changed by the agent itself. */
    settingsSaved: () => void;
    seen(event: AgentEvent): void;
    /** Something of the conversation became something else. */
    check(): void;
    /** What stands behind a summary, for `restore` of `@varve/compact`. */
    toRestore(): {
        skills: readonly import("../skills/skills.ts").CalledSkill[];
        plan: string | undefined;
        todos: string | undefined;
        skillListing: string | undefined;
    };
};
export type Work = ReturnType<typeof createWork>;

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
    /** The agent whose calls they are. @default the conversation's own */
    readonly agent?: string | undefined;
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
import { type CallModel } from '@varve/context';
import type { ToolStorage } from '@varve/tool-storage';
import { type AgentTeam } from './agents/create-team.ts';
import { type LayerOptions, type Layers } from './layers.ts';
import { type Agent, type Limits } from './loop.ts';
import type { Mcp } from './mcp/mcp.ts';
import { type Effort } from './model.ts';
import type { Ask, PermissionMode, Permissions } from './permissions/permissions.ts';
import { type Work } from './reminders/work.ts';
import { type LoadedSettings, type LoadSettingsOptions } from './settings/load.ts';
import { type OnTelemetry } from './telemetry.ts';
import { type OpenFiles } from './tools/files.ts';
export interface SessionOptions extends LayerOptions {
    readonly shell: string;
    /** Whether `model` is what was asked for; else settings may name another. @default true */
    readonly isModelGiven?: boolean | undefined;
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
    /** The editor that has files open. @default there is none */
    readonly editor?: OpenFiles | undefined;
    /** Told what layers, permissions and hooks did. @default a file, where there is one */
    readonly onTelemetry?: OnTelemetry | undefined;
    readonly telemetryFile?: string | undefined;
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
    /** How other sessions of the folder call this one in messages. @default they cannot */
    readonly name?: string | undefined;
    /** Whether somebody watches what agents do, so that they are asked for it from time to time. @default false */
    readonly isWatched?: boolean | undefined;
}
/** A conversation over a log on disk, and how to end it. */
export interface Session {
    readonly id: string;
    readonly agent: Agent;
    readonly permissions: Permissions;
    /** Undefined where results go in as they are. */
    readonly storage: ToolStorage | undefined;
    readonly layers: Layers;
    readonly settings: LoadedSettings;
    /** Writes summaries of what a person has folded. */
    readonly summarize: CallModel;
    /** Skills, plan and list of the session. */
    readonly work: Work;
    readonly mcp: Mcp;
    readonly agents: AgentTeam;
    /** Goes on with another model. */
    setModel(model: string): Promise<void>;
    /** How much the model thinks from now on; undefined for what it does by itself. */
    setEffort(effort: Effort | undefined): Promise<void>;
    close(): Promise<void>;
}
export declare function createSession(given: SessionOptions): Promise<Session>;
/** Where the sessions of a project are. */
export declare const sessionFolder: ({ configDir, cwd, }: Pick<SessionOptions, 'configDir' | 'cwd'>) => string;
export declare const logPath: (folder: string, id: string) => string;
/** Ids of the sessions of a folder in which something was said, or was to be when a kill came, the newest first. */
export declare function listSessions(folder: string): Promise<string[]>;

// settings/load.d.ts
import { type FindSettingsOptions, type Settings, type SettingsProblem } from './settings.ts';
import { type Untrusted } from './trust.ts';
export interface LoadSettingsOptions extends FindSettingsOptions {
    /** Names of all tools, for rules. */
    readonly tools: readonly string[];
    /** Trusts what the project wants without asking. @default false */
    readonly trusts?: boolean | undefined;
    /** Files of the project that the model reads all the same, for the question. @default none */
    readonly sentOf?: ((project: ProjectPlace) => readonly string[]) | undefined;
    /** Asks a person whether to trust it. @default nobody can be asked */
    readonly askTrust?: ((untrusted: Untrusted) => Promise<boolean>) | undefined;
}
type ProjectPlace = Pick<LoadedSettings, 'root' | 'isCompatible'>;
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
export {};

// settings/settings.d.ts
import type { AgentSettings } from '../agents/definitions.ts';
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
    /** As they were found, by name. */
    readonly mcpServers: Readonly<Record<string, unknown>>;
    /** Agents by name, of each file. */
    readonly agents: readonly AgentSettings[];
    /** Of our own part: how often agents at work are asked what they do, in seconds; 0 for never. */
    readonly progressSeconds?: number | undefined;
    /** Of our own part: the switches of layers, as they stand there, and the model of small work. */
    readonly layers: Readonly<Record<string, unknown>>;
    readonly smallModel?: string | undefined;
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
/** Reads a file of settings. */
export declare function readSettingsFile(path: string, within?: string): ReadFile;
type ReadText = {
    readonly kind: 'text';
    readonly text: string;
} | {
    readonly kind: 'none';
} | {
    readonly kind: 'broken';
    readonly reason: string;
};
/** The text of a small file. One of a project that leads out of it is not read. */
export declare function readText(path: string, within?: string): ReadText;
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
import { type FoundSettings, type SettingsFile } from './settings.ts';
/** What of a project's settings nobody but the project asked for, and that runs or allows something. */
export interface Untrusted {
    /** What a person is shown: the file, and what it wants. */
    readonly items: readonly {
        readonly path: string;
        readonly text: string;
    }[];
    readonly hash: string;
    /** Files that the model reads all the same. */
    readonly sent?: readonly string[] | undefined;
}
/** What is to be trusted before it holds; undefined where there is nothing of the kind. */
export declare function untrustedOf({ root, cwd, isCompatible, files, }: FoundSettings & {
    readonly cwd: string;
}): Untrusted | undefined;
/** Files without what is not trusted: what forbids and asks holds from the start. */
export declare function withoutUntrusted(files: readonly SettingsFile[]): SettingsFile[];
/** What a person trusts, kept in one file of theirs: of a folder the hash of what it wants. */
export declare function createTrust(configDir: string): {
    isTrusted: (root: string, { hash }: Untrusted) => boolean;
    trust(root: string, { hash }: Untrusted): void;
};

// skills/find.d.ts
import { type SkillText } from './read-skill.ts';
/** A skill, or a command of a file: a skill that only a person calls. */
export interface Skill extends SkillText {
    readonly path: string;
    readonly kind: 'skill' | 'command';
    readonly level: 'user' | 'project';
}
export interface FindSkillsOptions {
    readonly cwd: string;
    /** The project: of it, nothing outside is read. */
    readonly root: string;
    readonly configDir: string;
    /** Whether files of other tools are read as well. */
    readonly isCompatible: boolean;
    /** @default that of the user */
    readonly home?: string | undefined;
}
export interface FoundSkills {
    /** By name; of two with one name the nearer. */
    readonly skills: ReadonlyMap<string, Skill>;
    /** What was refused or changed, and why. */
    readonly problems: readonly {
        readonly path: string;
        readonly why: string;
    }[];
}
/** Finds skills of the project and of the person. The project's win over the person's, the nearer over the farther, ours over others'. */
export declare function findSkills(options: FindSkillsOptions): FoundSkills;

// skills/read-skill.d.ts
/** What a skill file says. */
export interface SkillText {
    readonly name: string;
    /** On one line, without signs that are not seen. */
    readonly description: string;
    /** What may stand behind its name. */
    readonly hint?: string | undefined;
    readonly isForModel: boolean;
    readonly isForPerson: boolean;
    readonly text: string;
}
export type ReadSkill = {
    readonly kind: 'skill';
    readonly skill: SkillText;
    readonly problem?: string | undefined;
} | {
    readonly kind: 'refused';
    readonly why: string;
};
/** Reads a skill. `fallback` is its name where it gives none that can be typed: that of its folder or file. */
export declare function readSkill(whole: string, fallback: string): ReadSkill;

// skills/skills.d.ts
import { type Entry } from '@varve/messages';
import { type WriteNote } from '../notes.ts';
import type { Producer } from '../reminders/producers.ts';
import type { FoundSkills, Skill } from './find.ts';
/** A skill whose text the model was given. */
export interface CalledSkill {
    readonly name: string;
    readonly path: string;
    /** As it was given, arguments included. */
    readonly text: string;
    /** Which agent called it. */
    readonly agent: string;
}
export interface SkillsOptions {
    /** Looks for skills, whenever a person says something. */
    readonly find: () => FoundSkills;
    /** Of the session that is gone on with. */
    readonly entries: readonly Entry[];
    readonly note: WriteNote;
    readonly notice: (text: string) => void;
    /** What messages say in the conversation as the model sees it. */
    readonly said: () => readonly string[];
    /** @default main */
    readonly agent?: string | undefined;
}
/** The skills of a session: which there are, which the model was told of, and what those said that were called. */
export declare function createSkills(options: SkillsOptions): {
    producer: Producer;
    all: () => readonly Skill[];
    problems: () => FoundSkills['problems'];
    /** The skills that were called, the last one at the end. */
    called: () => readonly CalledSkill[];
    /** Whether a person calls a skill with this text. */
    isCall: (text: string) => boolean;
    /** A call by the model: its text comes as the next message. Throws where there is no such skill for it. */
    call(name: string, args: string): Promise<string>;
    /** Something of the conversation became something else: perhaps the list of skills did. */
    check(): void;
    /** Names alone, for behind a summary: the whole list is not announced again. */
    names(): string | undefined;
};

// switches.d.ts
import type { Entry } from '@varve/messages';
import { z } from 'zod';
import { type AgentNote } from './notes.ts';
/** What each switch takes, and what it is where nobody says otherwise. */
declare const SWITCHES: {
    /** Large results are stored, and the model reads them back piece by piece. */
    readonly toolStorage: {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly 'toolStorage.thresholds': {
        readonly type: z.ZodUnion<readonly [z.ZodUnion<readonly [z.ZodNumber, z.ZodNull]>, z.ZodRecord<z.ZodString, z.ZodUnion<readonly [z.ZodNumber, z.ZodNull]>>]>;
        readonly default: Thresholds;
    };
    /** Old results are cleared after an hour of silence, by their count, or once keeping them has cost more than clearing them. */
    readonly 'clear.time': {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    readonly 'clear.count': {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    readonly 'clear.rent': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    /** Anthropic clears in place of the agent; or results are deleted in its cache, which no public provider takes. */
    readonly 'clear.server': {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    readonly 'clear.cacheEdits': {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    /** Oldest rounds are dropped without a summary. */
    readonly snip: {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    /** Old stretches are folded one by one before a compaction is due. */
    readonly collapse: {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    /** A request that was refused as too long is made smaller and sent again; `reactiveOnly`: nothing is compacted before. */
    readonly reactive: {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly reactiveOnly: {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    /** Compaction as a whole, by hand as well; `auto`: the one that comes by itself. */
    readonly compact: {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly 'compact.auto': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly 'compact.sharePrefix': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly 'compact.verify': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    /**
     * Notes are taken while the session goes on, and stand in for a summary. Off: each is a call that reads the whole conversation. Every
     * 5,000 tokens they cost from a third to two fifths more than the session without them in a replay of 36 recorded sessions; here it is every 20,000.
     */
    readonly notes: {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    readonly 'notes.asSummary': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly 'notes.thresholds': {
        readonly type: z.ZodObject<{
            firstTokens: z.ZodOptional<z.ZodNumber>;
            growthTokens: z.ZodOptional<z.ZodNumber>;
            toolCalls: z.ZodOptional<z.ZodNumber>;
        }, z.core.$strict>;
        readonly default: NotesThresholds;
    };
    /** Long-term memory: its rules, its index, and what is recalled. Nothing of it calls a model. */
    readonly memory: {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    /** A pass of a small model behind an answer, which takes out what later sessions should know. */
    readonly 'memory.extract': {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    readonly 'memory.extractEvery': {
        readonly type: z.ZodNumber;
        readonly default: 1;
    };
    readonly 'memory.index': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    readonly 'memory.recall': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    /** Memory is tidied by itself, once a day at most. */
    readonly dream: {
        readonly type: z.ZodBoolean;
        readonly default: false;
    };
    /** The agents are listed in a message, and not in the definition of a tool. */
    readonly 'agentList.asMessage': {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
    /** AGENTS.md, CLAUDE.md and rules. */
    readonly instructions: {
        readonly type: z.ZodBoolean;
        readonly default: true;
    };
};
type Thresholds = number | null | Readonly<Record<string, number | null>>;
interface NotesThresholds {
    readonly firstTokens?: number | undefined;
    readonly growthTokens?: number | undefined;
    readonly toolCalls?: number | undefined;
}
export type SwitchName = keyof typeof SWITCHES;
/** The value of each switch. */
export type Switches = {
    readonly [Name in SwitchName]: (typeof SWITCHES)[Name]['default'] extends boolean ? boolean : (typeof SWITCHES)[Name]['default'] extends number ? number : (typeof SWITCHES)[Name]['default'];
};
export declare const SWITCH_NAMES: readonly SwitchName[];
/** Who may set switches, the strongest first. */
export type SwitchSource = 'session' | 'flag' | 'environment' | 'feature' | 'settings' | 'default';
export interface SwitchSources {
    /** Of `--layer`. */
    readonly flags?: Readonly<Record<string, unknown>> | undefined;
    readonly environment?: Readonly<Record<string, unknown>> | undefined;
    /** Of a provider of feature flags. */
    readonly features?: Readonly<Record<string, unknown>> | undefined;
    /** `varve.layers` of the settings. */
    readonly settings?: Readonly<Record<string, unknown>> | undefined;
    /** What a session that is gone on with began with: what stands in its prompt stays as it is. */
    readonly start?: SessionStart | undefined;
}
export interface ReadSwitches {
    readonly values: Switches;
    /** The same for a session that would begin now. */
    readonly asked: Switches;
    /** Who set those that are not as they come. */
    readonly from: Readonly<Partial<Record<SwitchName, SwitchSource>>>;
    /** What was said and does nothing, in words. */
    readonly problems: readonly string[];
}
/** The value of every switch: what a session began with, then flag, environment, feature flag, settings, default. */
export declare function readSwitches(sources: SwitchSources): ReadSwitches;
/** `clear.time=on`, `memory.extractEvery=5`, `toolStorage.thresholds={"Bash":20000}` as a name and a value. */
export declare function parseSwitch(text: string): readonly [string, unknown];
export declare function parseValue(text: string): unknown;
/** What the prompt of a session depends on. */
export interface SessionStart {
    /** Switches by their names. */
    readonly values: Readonly<Record<string, unknown>>;
    /** Nothing of memory stands in the prompt, not even that there is none. */
    readonly isBare: boolean;
    /** The folder that the rules of memory name. */
    readonly memoryDir?: string | undefined;
}
/** The note that keeps it in the log. */
export declare function startNote(values: Switches, { isBare, memoryDir }: Omit<SessionStart, 'values'>): AgentNote;
/** What a session that is gone on with began with; undefined where its log does not say. */
export declare function startOf(entries: readonly Entry[]): SessionStart | undefined;
/**
 * What a provider of OpenFeature says of `varve.<switch>`, where `@openfeature/server-sdk` is installed and a provider was set in
 * this process, e.g. by `NODE_OPTIONS=--import ./flags.mjs`.
 */
export declare function featureSwitches(): Promise<Readonly<Record<string, unknown>>>;
export {};

// telemetry.d.ts
import type { Context } from '@varve/context';
import type { JsonObject } from '@varve/messages';
import type { Emit } from './events.ts';
import type { Switches } from './switches.ts';
/** What a layer, a permission or a hook did, for whoever counts it: figures and reasons, and never what was said. */
export interface TelemetryEvent {
    readonly name: `varve.${'compaction' | 'compaction.retry' | 'cache.break' | 'gate' | 'clear' | 'notes' | 'memory' | 'dream' | 'permission' | 'hook'}`;
    readonly fields: JsonObject;
}
/** Takes an event; what it throws is its own. */
export type OnTelemetry = (event: TelemetryEvent) => void;
interface TelemetryOptions {
    readonly onTelemetry: OnTelemetry;
    readonly context: () => Context;
    readonly sharesPrefix: boolean;
    /** Of permissions, as it is now. */
    readonly mode: () => string;
}
/** Who is told of a session; undefined where nobody is. */
export declare function telemetryOf({ onTelemetry, telemetryFile: path }: Wanted, { switches, context, mode }: Watched): Emit | undefined;
interface Watched extends Pick<TelemetryOptions, 'mode'> {
    readonly switches: Switches;
    readonly context: Context;
}
interface Wanted {
    readonly onTelemetry?: OnTelemetry | undefined;
    readonly telemetryFile?: string | undefined;
}
export {};

// tools/files.d.ts
/** Lines of a file, both counted from 1 and included. */
export interface LineRange {
    readonly from: number;
    readonly to: number;
}
/** What was read of a file, so that an edit is known to start from what is there. */
interface SeenFile {
    readonly mtimeMs: number;
    readonly hash: string;
    /** Lines that were shown, where not all of them were. */
    readonly part?: readonly LineRange[] | undefined;
    /** How it was found changed, and the model was told. */
    readonly told?: string | undefined;
}
/** A file that is not as the model saw it. */
export interface FileChange {
    readonly path: string;
    readonly isGone: boolean;
    /** What it looks like now. */
    readonly mark: string;
}
/** An editor that has files open: what stands there counts, saved or not. */
export interface OpenFiles {
    /** The text of a file; undefined where the editor does not have it. */
    read(path: string): Promise<string | undefined>;
    /** Puts a text in place; false where the editor does not take it. */
    write(path: string, text: string): Promise<boolean>;
}
/** The files of the disk or of an editor, and which of them the model has seen. */
export interface FileCache {
    /** The text of a file in the editor; undefined where it is not there. */
    open(path: string): Promise<string | undefined>;
    /** The text of a file, of the editor before that of the disk. */
    read(path: string): Promise<string>;
    /** Puts a text in place, at once. */
    write(path: string, text: string): Promise<void>;
    /** Notes a file as it is now: it was written, or read, of `lines` in all those of `shown`. */
    see(path: string, read?: {
        readonly shown: LineRange;
        readonly lines: number;
    }): Promise<void>;
    /** Notes a file after an edit of it: what was not seen of it before is not seen now. */
    seeEdited(path: string): Promise<void>;
    /** Throws where a file that exists was not read since it was changed last; to write it anew, all of it has to be read. */
    requireSeen(path: string, how?: 'in-part' | 'whole'): Promise<void>;
    /** Real paths, the one seen last at the end. */
    paths(): readonly string[];
    /** Files that are not as they were seen, and of which the model was not told. */
    changed(): Promise<readonly FileChange[]>;
    /** The model was told of these. */
    told(changes: readonly FileChange[]): void;
    /** Of what was seen, only these files are before the model still, and whole. */
    keep(paths: readonly string[]): void;
    /** The same files for somebody who has seen them too, and goes on by himself. */
    clone(): FileCache;
}
export interface FileCacheOptions {
    /** @default there is no editor */
    readonly editor?: OpenFiles | undefined;
    /** What was seen by somebody else. @default nothing */
    readonly known?: Iterable<readonly [string, SeenFile]> | undefined;
}
export declare function createFileCache({ editor, known }?: FileCacheOptions): FileCache;
/** Where a path leads: through links, or the path itself where nothing is there yet. */
export declare const realPath: (path: string) => Promise<string>;
/** The text of a file; undefined where there is none. */
export declare const readIfThere: (path: string) => Promise<string | undefined>;
/** A path as a model writes it: absolute, from the home folder, or from the folder of the session. */
export declare function pathIn(cwd: string, path: string): string;
export {};

// tools/tool.d.ts
import type { Block, Tool as ToolDefinition, ToolUseBlock } from '@varve/messages';
import { z } from 'zod';
import type { Team } from '../agents/team.ts';
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
    /** Whether a name may lead into the own machine or network. @default none may */
    readonly mayReachOwn?: ((url: URL) => boolean) | undefined;
    readonly files: FileCache;
    readonly callId: string;
    /** Gives the text of a skill to the model, or throws why not. */
    readonly skills?: {
        call(name: string, args: string): Promise<string>;
    } | undefined;
    /** Takes a plan that was approved. */
    readonly plan?: {
        approve(text: string): Promise<string>;
    } | undefined;
    /** Agents and background work. @default there are none here */
    readonly team?: Team | undefined;
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
    /** Tools that come and go, such as those of MCP servers. @default none */
    readonly find?: ((name: string) => Tool | undefined) | undefined;
}
export declare function createTools({ tools, added, find, ...options }: ToolsOptions): Tools;
export declare function definitionOf({ name, description, input }: Tool): ToolDefinition;
