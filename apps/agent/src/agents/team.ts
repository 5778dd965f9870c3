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

const _MAIN = 'main';

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
  task(
    input: TaskInput,
    at: { readonly callId: string; readonly signal: AbortSignal },
  ): Promise<ToolOutput>;
  send(input: MailInput): Promise<string>;
  /** Starts a command that nobody waits for. */
  shell(command: BackgroundCommand): Promise<string>;
  /** What a background command printed since the last time, or how an agent does; waits for its end at most so long. */
  output(
    id: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<string>;
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
  readonly later: () => { readonly context: Context; readonly permissions: Permissions };
  readonly permissionsOf: (own: { cwd: string; mode: PermissionMode }) => Permissions;
  readonly storage: ToolStorage | undefined;
  readonly files: FileCache;
  readonly notice: (text: string) => void;
  readonly toolsOf: (
    own: Pick<ToolsOptions, 'cwd' | 'files' | 'emit' | 'team' | 'skills'> & {
      readonly storage: ToolStorage | undefined;
    },
  ) => Tools;
  readonly hooksOf: (
    own: Pick<HooksOptions, 'agent' | 'permissionMode' | 'parse' | 'cwd'> & {
      readonly more: readonly CommandHook[];
    },
  ) => Hooks;
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
