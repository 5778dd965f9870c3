import type { ToolClass } from './tool-class.ts';

/** What a shell command is about, by its first program: it reads a file, searches, or runs something. */
export function commandClass(input: unknown): Extract<ToolClass, 'read' | 'search'> | undefined {
  const command = commandOf(input);
  if (command === undefined) return undefined;
  const bare = command.slice(0, READ_CHARACTERS).replace(CHANGE_FOLDER, '').trimStart();
  if (READS.test(bare)) return 'read';
  return SEARCHES.test(bare) ? 'search' : undefined;
}

function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { command, cmd } = input as { readonly command?: unknown; readonly cmd?: unknown };
  const given = command ?? cmd;
  const last = Array.isArray(given) ? given.at(-1) : given;
  return typeof last === 'string' ? last : undefined;
}

const READ_CHARACTERS = 400;
const CHANGE_FOLDER = /^\s*cd\s+[^&;|\n]*(?:&&|;)\s*/;
const READS = /^(?:awk|bat|cat|head|less|nl|sed\s+-n|tail)\b/;
const SEARCHES = /^(?:fd|find|git\s+(?:grep|log|ls-files|status)|grep|ls|rg|tree|wc)\b/;
