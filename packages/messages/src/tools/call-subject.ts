import { stringIn } from './input.ts';
import type { ToolCall } from './read-call.ts';
import { commandKey } from './shell.ts';

/**
 * What a call is about in the words of its input and never as JSON: its command on one line, its files, else what it is
 * called by (a title, an address, a prompt). Empty where nothing of that stands in it.
 */
export function callSubject(call: ToolCall): string {
  switch (call.kind) {
    case 'shell':
      return commandKey(call.command);
    case 'edit':
    case 'write':
      return call.path ?? '';
    case 'patch':
      return call.files.map(({ path }) => path).join(' ');
    case 'read':
      return call.paths.join(' ');
    default:
      return stringIn(call.input, TITLES) ?? '';
  }
}

const TITLES = ['title', 'subject', 'name', 'description', 'id', 'url', 'query', 'prompt'];

/**
 * All texts of an input, however deep they stand in it, without the names of its fields. Objects nested deeper than 100 are
 * left out.
 */
export function inputTexts(input: unknown): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      for (const inner of Object.values(value)) walk(inner, depth + 1);
    }
  };
  walk(input, 0);
  return found;
}

/** What is nested deeper than this names nothing that anybody looks for. */
const MAX_DEPTH = 100;
