import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext } from '@varve/context';
import { anthropicProfile, checkRequest, createProjection, type Entry } from '@varve/messages';
import { openLog } from '@varve/transcript/node';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../src/bundle-program.ts';
import { isWhole, seed } from '../src/share.ts';
import { smallContext, WAYS, type Way } from './killed-context.ts';

/** 40 of each way are for `pnpm soak`. */
const KILLS = process.env.VARVE_SOAK ? 40 : isWhole ? 12 : 5;
/** A kill and a new process take up to two seconds where the machine is busy. */
const TIMEOUT_MS = KILLS * 12_000;

const program = await bundleProgram(join(import.meta.dirname, 'programs', 'context-killed.ts'));
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs the program until it has begun so many summaries, and kills it a little later. */
async function runAndKill(args: readonly string[], begun: number, afterMs: number) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const ended = new Promise<string>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? `${code}`)),
  );
  const lines = () => printed.split('\n').slice(0, -1);
  const beginnings = () => lines().filter((line) => line === 'begun').length;
  while (beginnings() < begun && child.exitCode === null) await pause(1);
  await pause(afterMs);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL'); // it never ends by itself
  return lines();
}

/** Opens the log as the next process would, which repairs its end. */
async function reload(path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const log = await openLog(path, { onEntry: (entry) => void entries.push(entry) });
  await log.close();
  return entries;
}

/** Nothing leaves the view but what an edit took the place of, all of it, and what that brought is shown. */
function expectWhole(entries: readonly Entry[]): void {
  const projection = createProjection();
  let before: readonly (readonly string[])[] = [];
  for (const entry of entries) {
    const { messages } = projection.append(entry);
    const shown = new Set(messages.flatMap(({ id, sources }) => [id, ...sources]));
    const gone = before.flatMap((ids) => ids.filter((id) => !shown.has(id)));
    if (entry.type === 'edit' && entry.edit.kind === 'replace-span') {
      const { fromId, toId, with: put, then } = entry.edit;
      const from = before.findIndex((ids) => ids.includes(fromId));
      const to = before.findIndex((ids) => ids.includes(toId));
      const span = new Set(before.slice(from, to + 1).flat());
      const brought = [...put, ...then].map(({ id }) => id);
      expect(gone.filter((id) => !span.has(id))).toEqual([]);
      expect(brought.filter((id) => !shown.has(id))).toEqual([]);
      expect([...span].filter((id) => shown.has(id) && !brought.includes(id))).toEqual([]);
    } else {
      expect(gone).toEqual([]);
    }
    before = messages.map(({ id, sources }) => [...new Set([id, ...sources])]);
  }
}

/** The next request of a process that goes on is valid, and every attempt has come to its end; nothing of it is written. */
async function expectSendable(way: Way, entries: readonly Entry[]): Promise<void> {
  const text = '<summary>The tests were run one by one; none of them failed.</summary>';
  const summarize = async () => ({ content: [{ type: 'text', text }] });
  const context = createContext({ ...smallContext(way, summarize), entries });
  const kinds = context
    .entries()
    .flatMap((entry) => (entry.type === 'note' && entry.by === 'compact' ? [entry.data] : []))
    .map((data) => (data as { readonly kind?: unknown }).kind);
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  const made = entries.filter((entry) => entry.type === 'edit' && entry.by === 'compact');
  expect(count('compaction-started')).toBe(count('compaction-ended') + made.length);
  await context.closeRound('killed');
  await context.user('Go on.');
  const request = await context.request();
  expect(checkRequest(request, anthropicProfile({ thinking: 'prefix-bound' }))).toEqual([]);
}

/** Numbers from 0 up to 1, the same for the same seed. */
function randomNumbers(state: number): () => number {
  let last = state;
  return () => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0;
    return last / 2 ** 32;
  };
}

test.each(WAYS)(
  `%s: ${KILLS} SIGKILLs at random moments leave a conversation wholly before or after, lose nothing, and it goes on`,
  async (way) => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-context-kills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'log.jsonl');
    const random = randomNumbers(seed);
    let earlier: readonly Entry[] = [];
    let underWay = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const [begun, afterMs] = [1 + Math.floor(random() * 8), random() * 16];
      const lines = await runAndKill([path, way, `${kill}`], begun, afterMs);
      underWay += Number(lines.lastIndexOf('begun') > lines.lastIndexOf('done'));
      const entries = await reload(path);
      expect(entries.slice(0, earlier.length)).toEqual(earlier);
      const ids = new Set(entries.map(({ id }) => `entry ${id}`));
      const acknowledged = lines.filter((line) => line.startsWith('entry '));
      expect(acknowledged.filter((line) => !ids.has(line))).toEqual([]);
      expectWhole(entries);
      await expectSendable(way, entries);
      earlier = entries;
    }
    const by = way === 'collapse' ? 'collapse' : 'compact';
    const edits = earlier.filter((entry) => entry.type === 'edit' && entry.by === by);
    expect(edits.length).toBeGreaterThan(KILLS / 3);
    expect(underWay).toBeGreaterThan(KILLS / 8);
  },
  TIMEOUT_MS,
);
