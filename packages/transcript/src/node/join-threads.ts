import { recordOf } from '@varve/guards';
import { type Entry, isText, toolUses } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import type { ImportedSession, ImportedThread } from '../import/types.ts';

/** A sub-agent's session, with what its thread is called and what started it. */
export interface Agent {
  readonly id: string;
  readonly callId: string | undefined;
  readonly session: ImportedSession;
}

/** A session with the threads of its sub-agents behind its own; what was wrong in their files keeps their names. */
export function withAgents(main: ImportedSession, agents: readonly Agent[]): ImportedSession {
  if (agents.length === 0) return main;
  const calls = callsByPrompt(main.threads);
  const unused = new Map(Object.entries(main.unused));
  const threads = [...main.threads];
  const problems = [...main.problems];
  for (const { id, callId, session } of agents) {
    for (const [kind, count] of Object.entries(session.unused)) {
      unused.set(kind, (unused.get(kind) ?? 0) + count);
    }
    problems.push(...session.problems.map((problem) => ({ ...problem, file: session.name })));
    for (const [index, thread] of session.threads.entries()) {
      const parentCallId = callId ?? calls.get(promptOf(thread))?.shift();
      threads.push({
        ...thread,
        id: index === 0 ? id : `${id}/${thread.id}`,
        kind: 'sub-agent',
        ...(index > 0 || parentCallId === undefined ? {} : { parentCallId }),
      });
    }
  }
  const sorted = [...unused].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...main, threads, unused: Object.fromEntries(sorted), problems };
}

/** Calls whose input holds a prompt: a sub-agent's first message repeats it word for word. */
function callsByPrompt(threads: readonly ImportedThread[]): Map<string, string[]> {
  const calls = new Map<string, string[]>();
  for (const message of threads.flatMap(messagesOf)) {
    for (const { id, input } of toolUses(message)) {
      const { prompt } = recordOf(input);
      if (typeof prompt !== 'string') continue;
      calls.set(prompt.trim(), [...(calls.get(prompt.trim()) ?? []), id]);
    }
  }
  return calls;
}

const promptOf = (thread: ImportedThread): string =>
  (messagesOf(thread)[0]?.content.find(isText)?.text ?? '').trim();

const messagesOf = ({ entries }: ImportedThread) =>
  entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));

/** A session whose main thread began with what another one had seen so far. */
export function withPrefix(own: ImportedSession, seen: ImportedSession): ImportedSession {
  const [before, after] = [seen.threads[0], own.threads[0]];
  if (before === undefined || after === undefined) return own;
  const offset = before.entries.length;
  const entries = [...before.entries, ...after.entries.filter(isKept).map(renumber(offset))];
  const thread = { ...after, startsMidSession: before.startsMidSession, entries };
  return { ...own, threads: [thread, ...own.threads.slice(1)] };
}

/** What was before is there now. */
const isKept = (entry: Entry): boolean =>
  entry.type !== 'note' || recordOf(entry.data).kind !== 'starts-mid-session';

/** Importers number the entries of a log; what refers to one by its number moves along. */
function renumber(offset: number): (entry: Entry) => Entry {
  const moved = (id: string): string => `i${Number(id.slice(1)) + offset}`;
  return (entry) => {
    const id = moved(entry.id);
    if (entry.type === 'head')
      return { ...entry, id, head: { ...entry.head, id: `${entry.head.id}-of-agent` } };
    if (entry.type !== 'edit' || entry.edit.kind !== 'undo') return { ...entry, id };
    return { ...entry, id, edit: { ...entry.edit, entryId: moved(entry.edit.entryId) } };
  };
}

/** A sub-agent that nothing was asked of has a file without a message. */
export const unlessEmpty = (
  session: Promise<ImportedSession>,
): Promise<ImportedSession | undefined> =>
  session.catch((error) => {
    if (TranscriptError.is(error) && EMPTY.has(error.code)) return undefined;
    throw error;
  });

const EMPTY: ReadonlySet<string> = new Set(['no-messages', 'empty', 'unknown-format']);
