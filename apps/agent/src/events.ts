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
  readonly mcpServers: readonly { readonly name: string; readonly status: string }[];
  readonly isResumed: boolean;
}

/** One item of the list that the model keeps of its work. */
export interface Todo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** All that a user interface sees of the agent. */
export type AgentEvent =
  | ({ readonly kind: 'session' } & SessionFacts)
  /** The answer of the model while it arrives. */
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'thinking-delta'; readonly text: string }
  /** An answer as it stands in the log. */
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'call-start'; readonly call: ToolCall; readonly by: AllowedBy }
  /** What a command printed so far, piece by piece. */
  | { readonly kind: 'call-output'; readonly id: string; readonly text: string }
  /** A file that a call changed, whole; `before` is undefined where there was none. */
  | {
      readonly kind: 'call-change';
      readonly id: string;
      readonly path: string;
      readonly before: string | undefined;
      readonly after: string;
    }
  | {
      readonly kind: 'call-end';
      readonly call: ToolCall;
      readonly output: ToolOutput;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'call-refused';
      readonly call: ToolCall;
      readonly reason: string;
      readonly by: RefusedBy;
    }
  /** Results as they stand in the log: large ones are previews of what was stored. */
  | { readonly kind: 'results'; readonly messages: readonly Message[] }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  /** An agent or a background command begins, says how far it is, and has ended. */
  | { readonly kind: 'task-start' | 'task-progress' | 'task-end'; readonly task: Task }
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
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
  /** What a layer of context management did, or why it did nothing. */
  | { readonly kind: 'layer'; readonly event: ContextEvent }
  /** What happens in the background: notes of the session are taken, memory is tidied. */
  | { readonly kind: 'notes'; readonly event: SessionMemoryEvent }
  | { readonly kind: 'dream'; readonly event: DreamEvent }
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
