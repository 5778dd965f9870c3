import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemdir, inMemoryFolder, type MemoryFolder } from '@varve/memdir';
import { onTestFinished } from 'vitest';
import type { DreamOptions } from '../src/dream.ts';
import { createDream, type DreamEvent, type RunFork, type Said } from '../src/index.ts';
import type { DreamFork } from '../src/run-fork.ts';
import type { DreamSessions } from '../src/sessions.ts';

export const NOW = Date.parse('2026-11-30T12:00:00Z');
export const DAY_MS = 86_400_000;

/** A folder of its own that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-dream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A memory file as text. */
export const fileText = (
  name: string,
  body: string,
  {
    type = 'project',
    description = `About ${name}`,
    modified = '2026-11-20T12:00:00Z',
    more = '',
  } = {},
): string =>
  `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\nmodified: ${modified}\n${more}---\n\n${body}\n`;

/** A call of the child, as a model would make it. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** What came of the calls of a child, in order. */
export interface Answer {
  readonly content: string;
  readonly isError: boolean;
}

/** A child that makes these calls one after the other, each in a turn of its own, and ends. */
export function child(calls: readonly Call[] | ((fork: DreamFork) => readonly Call[])) {
  const answers: Answer[] = [];
  const forks: DreamFork[] = [];
  const runFork: RunFork = async (fork) => {
    forks.push(fork);
    for (const [at, call] of (typeof calls === 'function' ? calls(fork) : calls).entries()) {
      fork.signal.throwIfAborted();
      const block = { type: 'tool_use' as const, id: `c${at}`, ...call };
      fork.onMessage({ role: 'assistant', content: [{ type: 'text', text: `turn ${at}` }, block] });
      const allowed = fork.canUseTool(block);
      answers.push(
        allowed.allow
          ? await fork.runTool(block)
          : { content: allowed.reason ?? '', isError: true },
      );
    }
    return { kind: 'done' };
  };
  return { runFork, answers, forks };
}

/** Sessions as lists of what was said; each touched an hour after the other. */
export function sessionsOf(
  said: Readonly<Record<string, readonly (string | Said)[]>>,
): DreamSessions {
  return {
    path: '/sessions',
    list: async ({ sinceMs }) =>
      Object.keys(said)
        .map((id, at) => ({ id, touchedMs: NOW - (at + 1) * 3_600_000 }))
        .filter(({ touchedMs }) => touchedMs > sinceMs),
    read: async (id) =>
      (said[id] ?? []).map((each) =>
        typeof each === 'string' ? { by: 'user', text: each, atMs: NOW - 3_600_000 } : each,
      ),
  };
}

export const quote = (source: string, text: string) => ({ source, quote: text });
export const removal = (text: string, source: string, by: string) => ({ quote: text, source, by });

/** A dream over files in memory, or over a folder that is given. */
export function testDream(
  files: Readonly<Record<string, string>> | MemoryFolder,
  options: Partial<DreamOptions> = {},
) {
  const folder =
    typeof files.list === 'function'
      ? (files as MemoryFolder)
      : inMemoryFolder(files as Record<string, string>);
  const clock = { nowMs: NOW };
  const memory = createMemdir({ folder, now: () => clock.nowMs });
  const events: DreamEvent[] = [];
  const dream = createDream({
    memory,
    now: () => clock.nowMs,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const textOf = async (path: string) => (await folder.read(path))?.text;
  /** All that a person sees as memory, with what writers need, as one text. */
  async function visible(): Promise<string> {
    const { files: listed } = await folder.list('');
    const paths = [
      ...listed.map(({ path }) => path).sort(),
      '.tombstones.jsonl',
      '.index-lines.json',
    ];
    const texts = await Promise.all(
      paths.map(async (path) => `${path}\n${(await textOf(path)) ?? ''}`),
    );
    return texts.join('\n');
  }
  const inbox = async () => (await folder.list('.inbox')).files.map(({ path }) => path);
  return { folder, clock, memory, dream, events, textOf, visible, inbox };
}
