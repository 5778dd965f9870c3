import type { Tool } from '@varve/messages';
import type { Workspace } from '../workspace.ts';
import { editTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import { shellTool } from './shell.ts';
import { todoTool } from './todo.ts';
import type { RecorderTool, ToolOutcome } from './tool.ts';
import { writeTool } from './write.ts';

const TOOLS = [readTool, grepTool, globTool, editTool, writeTool, shellTool, todoTool];

/** The tools of a recorded session in the order in which the head lists them. */
export const toolDefinitions: readonly Tool[] = TOOLS.map((tool) => tool.definition);

export interface TimedOutcome extends ToolOutcome {
  /** By the recorded clock, in milliseconds. */
  readonly tookMs: number;
}

/** @throws {RangeError} when no tool has the name. */
export function runTool(workspace: Workspace, name: string, input: unknown): TimedOutcome {
  const tool = TOOLS.find(({ definition }) => definition.name === name) as
    | RecorderTool<unknown>
    | undefined;
  if (tool === undefined) throw new RangeError(`there is no tool ${name}`);
  return { ...tool.run(workspace, input), tookMs: tool.tookMs };
}
