import { sendMessageTool, taskOutputTool, taskStopTool, taskTool } from './agent.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { fetchTool } from './fetch.ts';
import { notebookTool } from './notebook.ts';
import { planTool } from './plan.ts';
import { readTool } from './read.ts';
import { globTool, grepTool, lsTool } from './search.ts';
import { skillTool } from './skill.ts';
import { todoTool } from './todo.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write.ts';

export { storedTool } from './stored.ts';

/** The tools of every session, in the order in which the provider is told of them. */
export const TOOLS: readonly Tool[] = [
  readTool,
  editTool,
  writeTool,
  notebookTool,
  globTool,
  grepTool,
  lsTool,
  bashTool,
  fetchTool,
  todoTool,
  skillTool,
  planTool,
  taskTool,
  sendMessageTool,
  taskOutputTool,
  taskStopTool,
];
