import type { Message, Tool, ToolUseBlock, Usage } from '@varve/messages';

/**
 * Runs a child that has these tools and no others, up to its end. It rejects or answers `failed` where the child did not come to an
 * end; the memory is then left as it was. It keeps no transcript of the child anywhere. `agentFork` of `@varve/dream/agent` is one.
 */
export type RunFork = (fork: DreamFork) => Promise<ForkOutcome>;

export interface DreamFork {
  /** For reports of cost, and so that nothing of it is taken for a session. */
  readonly source: 'auto_dream';
  /** What the child is asked: all it has to know. */
  readonly directive: string;
  readonly tools: readonly Tool[];
  /** Asked before every call. */
  readonly canUseTool: (call: ToolCall) => ToolPermission;
  /** Runs a call that was allowed. Calls come one after the other. */
  readonly runTool: (call: ToolCall) => Promise<ToolOutcome>;
  /** To be told each message of the child once it is whole, for progress. */
  readonly onMessage: (message: Pick<Message, 'role' | 'content'>) => void;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

/** A `tool_use` block fits. */
export type ToolCall = Pick<ToolUseBlock, 'id' | 'name' | 'input'>;

export interface ToolPermission {
  readonly allow: boolean;
  /** Goes to the model as the result of a call that is not allowed. */
  readonly reason?: string;
}

export interface ToolOutcome {
  readonly content: string;
  readonly isError: boolean;
}

export type ForkOutcome =
  | { readonly kind: 'done'; readonly usage?: Usage | undefined }
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: unknown };
