import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { forkLog, openLog, salvageLog, takeLock } from '../src/node/index.ts';
import { recordCalls, replaceCall } from './fs-calls.ts';
import { temporaryFolder, userEntry } from './support.ts';

const ENTRY = userEntry('1', 'one');
const LINE = `${serializeEntry(ENTRY)}\n`;

function logWith(text: string): string {
  const path = join(temporaryFolder(), 'f', 'log.jsonl');
  mkdirSync(dirname(path));
  writeFileSync(path, text);
  return path;
}

/** What happens to the log, without what happens to its lock. */
async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const calls = await recordCalls();
  await work();
  return calls.filter((call) => !/\.lock/.test(call));
}

const openAndClose = async (path: string) => (await openLog(path)).close();

// A power loss leaves what was flushed. So bytes are flushed before the step that makes them count, and a folder is before
// the old bytes go.
describe('O358: what is flushed, and when', () => {
  test('a torn tail is safe in its own file, under its name, before it is cut off', async () => {
    const path = logWith(`${LINE}{"id":"2"`);
    const torn = `log.jsonl.torn-${LINE.length}`;
    expect(await callsOf(() => openAndClose(path))).toEqual([
      `write ${torn}`,
      `sync ${torn}`,
      'sync f',
      'truncate log.jsonl',
      'sync log.jsonl',
    ]);
  });

  test('a line end that was missing', async () => {
    const path = logWith(LINE.trimEnd());
    expect(await callsOf(() => openAndClose(path))).toEqual(['write log.jsonl', 'sync log.jsonl']);
  });

  test('a salvaged log is whole, and the old one has its second name, before it takes the place', async () => {
    const path = logWith(`${LINE}damaged\n`);
    const calls = await callsOf(() => salvageLog(path));
    expect(calls.filter((call) => call !== 'rm log.jsonl.salvage')).toEqual([
      'write log.jsonl.salvage',
      'sync log.jsonl.salvage',
      'link log.jsonl.damaged',
      'sync f',
      'rename log.jsonl',
      'sync f',
    ]);
  });

  test('where there are no links, the copy of the old one is flushed too', async () => {
    const path = logWith(`${LINE}damaged\n`);
    const noLinks = Object.assign(new Error('no links'), { code: 'EPERM' });
    replaceCall('link', (link) => async (from: never, to: never) => {
      if (String(to).endsWith('.damaged')) throw noLinks;
      return link(from, to);
    });
    const calls = await callsOf(() => salvageLog(path));
    expect(calls.filter((call) => call.endsWith('.damaged'))).toEqual([
      'write log.jsonl.damaged',
      'sync log.jsonl.damaged',
    ]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(`${LINE}damaged\n`);
  });

  test('a fork, and its name', async () => {
    const path = logWith(LINE);
    const fork = join(dirname(path), 'fork.jsonl');
    const options = { entryId: ENTRY.id, id: 'f', at: ENTRY.at };
    expect(await callsOf(() => forkLog(path, fork, options))).toEqual([
      'write fork.jsonl',
      'sync fork.jsonl',
      'sync f',
    ]);
  });

  test('each append with `durability: disk`, and first of all the name of the log', async () => {
    const path = join(temporaryFolder(), 'f', 'log.jsonl');
    const appended = async (durability: 'os' | 'disk') => {
      const log = await openLog(path, { durability });
      await log.append(userEntry(durability, 'text'));
      await log.close();
    };
    const calls = await callsOf(() => appended('disk'));
    expect(calls.filter((call) => call.startsWith('sync'))[0]).toBe('sync f');
    expect(calls.slice(-3)).toEqual(['write log.jsonl', 'sync log.jsonl', 'sync log.jsonl']);
  });

  test('no append without it', async () => {
    const path = logWith(LINE);
    const calls = await callsOf(async () => {
      const log = await openLog(path);
      await log.append(userEntry('2', 'text'));
      await log.close();
    });
    expect(calls).toEqual(['write log.jsonl']);
  });

  test('a lock before it appears: an empty one would be in the way for an hour', async () => {
    const path = join(temporaryFolder(), 'lock');
    const calls = await recordCalls();
    await (await takeLock(path)).release();
    const draft = /^(\w+) \.lock-\w+-[\w-]+\.\d+\.draft$/;
    expect(calls.slice(0, 3).map((call) => draft.exec(call)?.[1] ?? call)).toEqual([
      'write',
      'sync',
      'link lock',
    ]);
  });
});

describe('O358: looking again before a lock is taken over', () => {
  const dead = (path: string) => {
    const body = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...body, pid: 2 ** 22 + 1 }));
  };

  test('one that another process has taken over in between stays with it', async () => {
    const path = join(temporaryFolder(), 'lock');
    const first = await takeLock(path);
    dead(path);
    let winner: Promise<{ isHeld(): boolean; release(): Promise<void> }> | undefined;
    replaceCall('link', (link) => async (from: never, to: never) => {
      const isTurn = basename(String(to)).endsWith(first.token);
      if (isTurn && winner === undefined) {
        winner = takeLock(path); // all of it, just before ours
        await winner;
      }
      return link(from, to);
    });
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
    expect((await winner)?.isHeld()).toBe(true);
    await (await winner)?.release();
    await first.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('nor is the lock of an owner taken that followed in between and died: its own follower comes next', async () => {
    const path = join(temporaryFolder(), 'lock');
    const first = await takeLock(path);
    dead(path);
    const { token, ...body } = JSON.parse(readFileSync(path, 'utf8'));
    const second = token.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0'));
    replaceCall('link', (link) => async (from: never, to: never) => {
      const turn = String(to);
      if (turn.endsWith(first.token)) {
        writeFileSync(path, JSON.stringify({ ...body, token: second })); // dead as well
        writeFileSync(
          turn.replace(token, second),
          JSON.stringify({ ...body, token, pid: process.pid }),
        );
      }
      return link(from, to);
    });
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
    expect(JSON.parse(readFileSync(path, 'utf8')).token).toBe(second);
  });

  test('an owner whose heartbeat comes in between keeps it', async () => {
    const path = join(temporaryFolder(), 'lock');
    const lock = await takeLock(path);
    const body = JSON.parse(readFileSync(path, 'utf8'));
    const expired = { ...body, host: 'elsewhere', heartbeatAt: '2020-01-01T00:00:00.000Z' };
    writeFileSync(path, JSON.stringify(expired), { flag: 'r+' });
    replaceCall('link', (link) => async (from: never, to: never) => {
      if (basename(String(to)).endsWith(lock.token)) {
        const beaten = { ...expired, heartbeatAt: new Date().toISOString() };
        writeFileSync(path, JSON.stringify(beaten), { flag: 'r+' });
      }
      return link(from, to);
    });
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
    expect(lock.isHeld()).toBe(true);
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('a lock whose file cannot be removed is free all the same', async () => {
    const path = join(temporaryFolder(), 'lock');
    const lock = await takeLock(path);
    replaceCall('rm', (rm) => async (target: never, options: never) => {
      if (String(target) === path) throw Object.assign(new Error('refused'), { code: 'EIO' });
      return rm(target, options);
    });
    await lock.release();
    expect(JSON.parse(readFileSync(path, 'utf8')).state).toBe('free');
    expect((await takeLock(path)).isHeld()).toBe(true);
  });
});
