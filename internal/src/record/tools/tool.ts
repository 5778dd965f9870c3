import type { Tool } from '@varve/messages';
import type { Workspace } from '../workspace.ts';

/** What a tool gave back. An expected failure is a result with `isError`, as a coding agent shows it to its model. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

export interface RecorderTool<Input> {
  readonly definition: Tool;
  /** How long the recorded clock says a call takes, in milliseconds. */
  readonly tookMs: number;
  run(workspace: Workspace, input: Input): ToolOutcome;
}

export const succeeded = (text: string): ToolOutcome => ({ text, isError: false });

export const failed = (text: string): ToolOutcome => ({ text, isError: true });
