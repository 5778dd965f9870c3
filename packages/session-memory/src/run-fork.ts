import type { ToolResultBlock, ToolUseBlock, Usage, View } from '@varve/messages';

/**
 * Runs a child of the conversation that shares its cached prefix, up to its end: `isDone`, or a reply without calls; one
 * without content is an end as well. It rejects or answers `failed` where the child did not come to an end; the notes are
 * then left as they were.
 */
export type RunFork = (fork: NotesFork) => Promise<ForkOutcome>;

export interface NotesFork {
  /** For reports of cost. */
  readonly source: 'session-memory';
  /** Everything the child has to see: the conversation up to now, its last turn included. */
  readonly view: View;
  /** What the child is asked, to be appended as a user message. */
  readonly directive: string;
  /** Asked before every tool call of the child; the tools themselves stay those of the parent, whose prefix they are in. */
  readonly canUseTool: (call: ToolCall) => ToolPermission;
  /** Runs a call that was allowed, in place of the parent's tools. */
  readonly runTool: (call: ToolCall) => ToolOutcome;
  /**
   * To be asked after each round of calls, with the results of all calls of the reply: `true` where nothing was refused and
   * notes were changed. The child has then done what it was asked, and another request would only have it say so.
   */
  readonly isDone: (results: readonly CallResult[]) => boolean;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

/** A `tool_use` block fits. */
export type ToolCall = Pick<ToolUseBlock, 'id' | 'name' | 'input'>;

/** A `tool_result` block fits. */
export type CallResult = Pick<ToolResultBlock, 'is_error'>;

/** The reason goes to the model as the result of the call. */
export type ToolPermission =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: string };

export interface ToolOutcome {
  readonly content: string;
  readonly isError: boolean;
}

export type ForkOutcome =
  | { readonly kind: 'done'; readonly usage?: Usage | undefined }
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: unknown };
