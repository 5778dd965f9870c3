import type { ToolOutput } from '../tools/tool.ts';

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
