import type { AssistantStep, Call, UserStep } from './recording.ts';
import type { TodoItem } from './tools/todo.ts';
import { SHOWN_ROOT } from './workspace.ts';

const SECOND_MS = 1_000;

export const seconds = (count: number): number => count * SECOND_MS;

export const minutes = (count: number): number => count * 60 * SECOND_MS;

/** A message of the user; by default 40 seconds after the assistant was done. */
export function user(text: string, { after = seconds(40) } = {}): UserStep {
  return { kind: 'user', text, afterMs: after };
}

/** What the assistant says, with the calls it makes. Without calls the turn ends. */
export function say(text: string, ...calls: readonly Call[]): AssistantStep {
  return { kind: 'assistant', text, calls };
}

/** Puts a thinking block in front. */
export function thinking(thought: string, step: AssistantStep): AssistantStep {
  return { ...step, thinking: thought };
}

/** The user says something while the calls of the step run; it arrives after that many results. */
export function steered(step: AssistantStep, afterResults: number, text: string): AssistantStep {
  return { ...step, steering: { text, afterResults } };
}

/** The user stops the calls of the step from an index on. */
export function interrupted(step: AssistantStep, from = 0): AssistantStep {
  return { ...step, interruptedFrom: from };
}

/** The call is expected to fail. */
export function fails(call: Call, ...shows: readonly string[]): Call {
  return { ...call, fails: true, shows: [...call.shows, ...shows] };
}

/** The result is expected to hold these strings. */
export function shows(call: Call, ...strings: readonly string[]): Call {
  return { ...call, shows: [...call.shows, ...strings] };
}

/** The call took this long by the recorded clock. */
export function lasting(call: Call, tookMs: number): Call {
  return { ...call, tookMs };
}

const call = (name: string, input: Call['input']): Call => ({
  name,
  input,
  fails: false,
  shows: [],
});

const shown = (path: string) => `${SHOWN_ROOT}/${path}`;

/** `read('lib/a.js', 20, 80)` shows 80 lines from line 20 on. */
export function read(path: string, offset?: number, limit?: number): Call {
  return call('read', {
    path: shown(path),
    ...(offset === undefined ? {} : { offset }),
    ...(limit === undefined ? {} : { limit }),
  });
}

interface GrepOptions {
  readonly path?: string;
  readonly glob?: string;
  readonly context?: number;
  readonly mode?: 'lines' | 'files' | 'count';
  readonly ignore_case?: boolean;
  readonly limit?: number;
}

export function grep(pattern: string, { path, ...options }: GrepOptions = {}): Call {
  return call('grep', {
    pattern,
    ...(path === undefined ? {} : { path: shown(path) }),
    ...options,
  });
}

export function glob(pattern: string, path?: string): Call {
  return call('glob', { pattern, ...(path === undefined ? {} : { path: shown(path) }) });
}

export function edit(path: string, before: string, after: string): Call {
  return call('edit', { path: shown(path), old_string: before, new_string: after });
}

export function editAll(path: string, before: string, after: string): Call {
  return call('edit', {
    path: shown(path),
    old_string: before,
    new_string: after,
    replace_all: true,
  });
}

export function write(path: string, content: string): Call {
  return call('write', { path: shown(path), content });
}

export function shell(command: string, timeoutSeconds?: number): Call {
  return call('shell', {
    command,
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
  });
}

/** The todo list: how many items are done, and, unless all are, the next one is in progress. */
export function todo(texts: readonly string[], done: number): Call {
  const status = (index: number): TodoItem['status'] =>
    index < done ? 'done' : index === done ? 'in-progress' : 'open';
  return call('todo', { items: texts.map((text, index) => ({ text, status: status(index) })) });
}
