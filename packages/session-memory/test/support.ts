import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Block,
  createProjection,
  type Entry,
  type EntryBody,
  type JsonObject,
  type Message,
  type PlanContext,
  type View,
} from '@varve/messages';
import { onTestFinished } from 'vitest';
import {
  createSessionMemory,
  memoryNotes,
  type RunFork,
  type SessionMemoryEvent,
} from '../src/index.ts';
import type { NotesFork } from '../src/run-fork.ts';
import type { SessionMemoryOptions } from '../src/session-memory.ts';
import { DEFAULT_TEMPLATE } from '../src/template.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-session-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Observe = (entry: Entry, view: View) => void;

/** A log that tells somebody of each entry. */
export function createTestLog(...observers: Observe[]) {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  function append(body: EntryBody): Entry {
    const at = '2026-01-31T12:00:00Z';
    const entry: Entry = { id: `e${entries.length}`, at, ...body };
    view = projection.append(entry);
    entries.push(entry);
    for (const observe of observers) observe(entry, view);
    return entry;
  }
  const message = (role: Message['role'], content: readonly Block[], id?: string) =>
    append({
      type: 'message',
      message: { id: id ?? `m${entries.length}`, role, content },
    });
  let calls = 0;
  return {
    entries,
    append,
    message,
    view: () => view,
    user: (text: string, id?: string) => message('user', [{ type: 'text', text }], id),
    reply: (text: string, id?: string) => message('assistant', [{ type: 'text', text }], id),
    /** A call and its result, with thinking before the call where a text is given for it. */
    round(result: string, thinking?: string) {
      const id = `c${calls++}`;
      const thought: Block[] =
        thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: `sig-${id}` }];
      message('assistant', [...thought, { type: 'tool_use', id, name: 'Bash', input: {} }]);
      message('user', [{ type: 'tool_result', tool_use_id: id, content: result }]);
    },
    /** What a compaction of another kind would append: a summary in place of the messages before one. */
    compact(before: number, receipt?: JsonObject): Entry {
      const span = view.messages.slice(0, before);
      const summary: Message = {
        id: `summary${entries.length}`,
        role: 'user',
        content: [{ type: 'text', text: 'earlier work' }],
        origin: { kind: 'summary' },
      };
      const edit = {
        kind: 'replace-span' as const,
        fromId: span[0]?.sources[0] as string,
        toId: span.at(-1)?.sources.at(-1) as string,
        with: [summary],
        then: [],
      };
      return append({
        type: 'edit',
        by: 'compact',
        reason: 'test',
        ...(receipt && { receipt }),
        edit,
      });
    },
  };
}

export type TestLog = ReturnType<typeof createTestLog>;

/** A note taker that writes text under headings of the notes in its directive. */
export function noteTaker(write: (fork: NotesFork) => Record<string, string>): RunFork {
  return async (fork) => {
    for (const [heading, text] of Object.entries(write(fork))) {
      const call = editCall(fork, heading, text);
      if (fork.canUseTool(call).allow) fork.runTool(call);
    }
    return { kind: 'done' };
  };
}

/** An edit that replaces what stands under a heading. */
export function editCall(fork: NotesFork, heading: string, text: string) {
  const notes = notesIn(fork.directive);
  const from = notes.indexOf(`${heading}\n`);
  const after = notes.indexOf('\n# ', from + 1);
  const old = notes.slice(from, after < 0 ? undefined : after).trimEnd();
  const guidance = old.split('\n').slice(0, 2).join('\n');
  const input = {
    file_path: pathIn(fork.directive),
    old_string: old,
    new_string: `${guidance}\n${text}`,
  };
  return { id: 'edit', name: 'Edit', input };
}

/** The file as a directive shows it. */
export const notesIn = (directive: string): string => directive.slice(directive.indexOf('# Title'));

const pathIn = (directive: string): string => /only on (\S+);/.exec(directive)?.[1] ?? '';

/** All text a child sees, in order. */
export const seenText = ({ view }: NotesFork): string =>
  JSON.stringify(view.messages.map(({ content }) => content));

export function createTestMemory(options: Partial<SessionMemoryOptions> = {}) {
  const events: SessionMemoryEvent[] = [];
  const file = options.file ?? memoryNotes('notes.md');
  const runFork = options.runFork ?? noteTaker(() => ({ '# Current state': 'working' }));
  const memory = createSessionMemory({
    file,
    runFork,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  return { memory, events, file, log: createTestLog(memory.observe) };
}

/** The default template with text under some headings. */
export function notesWith(sections: Record<string, string>): string {
  return Object.entries(sections).reduce(
    (notes, [heading, text]) =>
      notes.replace(new RegExp(`(${heading}\\n_.*_\\n)`), (found) => `${found}${text}\n`),
    DEFAULT_TEMPLATE,
  );
}

export const planContext = (given: Partial<PlanContext> = {}): PlanContext => ({
  nowMs: 1_800_000_000_000,
  atUserTurn: true,
  contextTokens: 170_000,
  limits: { windowTokens: 200_000, effectiveTokens: 180_000, autocompactTokens: 167_000 },
  sizeOf: (message) => Math.ceil(JSON.stringify(message.content).length / 4),
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
  ...given,
});

/** Text of about so many tokens, one line each ten. */
export const words = (tokens: number, name = 'word'): string =>
  Array.from({ length: Math.ceil(tokens / 10) }, (_, line) =>
    `${name} ${line} `.padEnd(39, 'x'),
  ).join('\n');

/** A promise and its ends. */
export function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
