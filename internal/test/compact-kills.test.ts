import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anthropicProfile,
  checkRequest,
  closeRound,
  createProjection,
  type Entry,
  isText,
  type Message,
  project,
  type View,
} from '@varve/messages';
import { openLog, readLog } from '@varve/transcript/node';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../src/bundle-program.ts';
import { isWhole, someUpTo } from '../src/share.ts';

const program = await bundleProgram(join(import.meta.dirname, 'programs', 'compact-killed.ts'));
const RANDOM_KILLS = isWhole ? 20 : 4;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-compact-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(...args: readonly string[]) {
  const child = spawn('node', [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  const first = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      resolve();
    });
  });
  const ended = new Promise<string>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? String(code))),
  );
  return { child, first, ended, acknowledged: () => printed.split('\n').slice(0, -1) };
}

/** Opens the log as the next process would, which repairs its end. */
async function reload(path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const log = await openLog(path, { onEntry: (entry) => void entries.push(entry) });
  await log.close();
  const read: Entry[] = [];
  for await (const { entry } of readLog(path)) read.push(entry);
  expect(read).toEqual(entries);
  return entries;
}

/** The next request after a person has spoken is one the provider takes. */
function expectSendable(entries: readonly Entry[]): void {
  const projection = createProjection();
  let view: View = project([]);
  for (const entry of entries) view = projection.append(entry);
  const at = '2026-02-01T00:00:00.000Z';
  const say = (message: Message) => {
    view = projection.append({ id: `later-${message.id}`, at, type: 'message', message });
  };
  for (const message of view.open ? closeRound(view.open, { reason: 'killed', at }) : []) {
    say(message);
  }
  say({ id: 'go-on', role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
  const { head, messages } = view;
  if (!head) throw new Error('the log has no head');
  const request = { head, messages, markers: [], maxOutputTokens: 1_000 };
  expect(checkRequest(request, anthropicProfile({ thinking: 'free' }))).toEqual([]);
}

const isCompaction = (entry: Entry) =>
  entry.type === 'edit' && entry.by === 'compact' && entry.edit.kind === 'replace-span';

const bytesOf = (entries: readonly Entry[]) => JSON.stringify(project(entries));

/** A log before a compaction, and the same behind one that nothing stopped. */
interface Prepared {
  readonly log: Buffer;
  readonly before: readonly Entry[];
  readonly whole: readonly Entry[];
  /** Of the file system, for the compaction. */
  readonly calls: number;
}

async function prepare(): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-compact-'));
  try {
    const path = join(folder, 'base.jsonl');
    expect(await start(path, 'build').ended).toBe('0');
    const before = await reload(path);
    const log = readFileSync(path);
    const run = start(path, 'once');
    expect(await run.ended).toBe('0');
    const whole = await reload(path);
    expect(whole.slice(0, -1)).toEqual(before);
    return { log, before, whole, calls: Number.parseInt(run.acknowledged().at(-1) ?? '', 10) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a compaction on a log file in a process that is killed', () => {
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare();
  }, 60_000);

  test.each([
    ['before', ''],
    ['in the middle of or after', 'half'],
  ])(
    'SIGKILL %s every call of the file system leaves the session wholly before or wholly after',
    async (_when, half) => {
      const folder = temporaryFolder();
      const { log, before, whole, calls } = prepared;
      expect(calls).toBeGreaterThan(4); // several writes, flush, close
      const states = [bytesOf(before), bytesOf(whole)];
      const points = [...new Set([1, 2, ...someUpTo(calls, 12)])].sort((one, other) => one - other);
      const seen: number[] = [];
      for (const killAt of points) {
        const path = join(folder, `killed-${killAt}.jsonl`);
        writeFileSync(path, log);
        const run = start(path, 'once', String(killAt), half);
        const end = await run.ended;
        const entries = await reload(path);
        const state = states.indexOf(bytesOf(entries));
        expect(entries).toEqual(state === 0 ? before : whole);
        if (run.acknowledged().length > 0) expect(state).toBe(1);
        expectSendable(entries);
        expect(end).toBe('SIGKILL');
        seen.push(state);
      }
      expect(seen).toEqual(seen.toSorted());
      expect(new Set(seen)).toEqual(new Set([0, 1]));
      expect(readdirSync(folder).some((name) => name.includes('.torn-'))).toBe(true);
      const torn = join(folder, `killed-${points[seen.lastIndexOf(0)]}.jsonl`);
      expect(await start(torn, 'once').ended).toBe('0');
      expect(await reload(torn)).toEqual(whole);
    },
  );

  test(`${RANDOM_KILLS} SIGKILLs at random moments, one session going on over all of them`, async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const acknowledged: string[] = [];
    let earlier: readonly Entry[] = [];
    for (let round = 0; round < RANDOM_KILLS; round++) {
      const run = start(path, 'endless');
      await Promise.race([run.first, run.ended]);
      // by what it has done and not by the time alone, which a busy machine needs for less
      const most = (round * 7919) % 23;
      while (run.acknowledged().length < most && run.child.exitCode === null) await pause(2);
      await pause((round * 7919) % 7);
      run.child.kill('SIGKILL');
      expect(await run.ended).toBe('SIGKILL');
      acknowledged.push(...run.acknowledged());
      const entries = await reload(path);
      expect(entries.slice(0, earlier.length)).toEqual(earlier);
      expectWhole(entries, acknowledged);
      expectSendable(entries);
      earlier = entries;
    }
    expect(acknowledged.length).toBeGreaterThan(RANDOM_KILLS);
    expect(earlier.filter(isCompaction).length).toBeGreaterThan(RANDOM_KILLS / 4);
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whatever was acknowledged is there, and every compaction shows as a whole or not at all. */
function expectWhole(entries: readonly Entry[], acknowledged: readonly string[]): void {
  const ids = new Set(entries.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  const projection = createProjection();
  for (const entry of entries) {
    const { messages } = projection.append(entry);
    if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') continue;
    const shown = new Set(messages.flatMap(({ id, sources }) => [id, ...sources]));
    const brought = [...entry.edit.with, ...entry.edit.then].map(({ id }) => id);
    expect(brought.filter((id) => !shown.has(id))).toEqual([]);
  }
  expectWordsKept(entries);
}

/** What a person said lately stands in the view word for word, whether it was answered or not. */
function expectWordsKept(entries: readonly Entry[]): void {
  const { messages, open } = project(entries);
  const view = JSON.stringify([messages, open]);
  const said = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? entry.message.content : [],
  );
  const words = said.flatMap((block) => (isText(block) ? [block.text] : []));
  expect(words.slice(-20).filter((each) => !view.includes(each))).toEqual([]);
}
