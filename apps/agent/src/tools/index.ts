import { bashTool } from './bash.ts';
import { readTool } from './read.ts';
import type { Tool } from './tool.ts';

export { storedTool } from './stored.ts';

/** The tools of every session, in the order in which the provider is told of them. */
export const TOOLS: readonly Tool[] = [readTool, bashTool];
