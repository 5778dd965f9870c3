import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLog, readLog } from '../src/node/index.ts';
import { collect, temporaryFolder } from './support.ts';

const program = join(import.meta.dirname, 'programs', 'append.ts');

function start(args: readonly string[]) {
  const child = spawn('node', [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  return { child, ended, acknowledged: () => output.split('\n').slice(0, -1) };
}

describe('openLog in several processes', () => {
  test('case 83: four writers of one file lose and mix nothing', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const writers = ['a', 'b', 'c', 'd'].map((name) => start([path, name, '500', '50']));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const ids = (await collect(readLog(path))).map(({ entry }) => entry.id);
    expect(ids).toHaveLength(2_000);
    expect(new Set(ids).size).toBe(2_000);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2_001);
  });

  test('refuses a second writer and names the first', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    await expect(openLog(path)).rejects.toMatchObject({ code: 'locked' });
    await expect(openLog(path)).rejects.toThrow(`process ${process.pid} `);
    await log.close();
    await (await openLog(path)).close();
  });

  test('whatever was acknowledged survives SIGKILL at 20 random moments', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const acknowledged: string[] = [];
    for (let round = 0; round < 20; round++) {
      const writer = start([path, `r${round}`, '100000', '100000', '20000']);
      while (writer.acknowledged().length < 1) await pause(5);
      await pause((round * 7919) % 60);
      writer.child.kill('SIGKILL');
      await writer.ended;
      acknowledged.push(...writer.acknowledged());
    }
    const log = await openLog(path);
    await log.close();
    const ids = new Set((await collect(readLog(path))).map(({ entry }) => entry.id));
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('takeLock', () => {
  /** Leaves a claim like our own but for some fields, and says how opening the log then ends. */
  async function openBeside(changes: object): Promise<string> {
    const path = join(temporaryFolder(), 'log.jsonl');
    const folder = `${path}.lock`;
    const log = await openLog(path);
    const own = JSON.parse(
      readFileSync(join(folder, readdirSync(folder)[0] as string), 'utf8'),
    ) as object;
    await log.close();
    mkdirSync(folder);
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...own, ...changes }));
    return openLog(path).then(
      (taken) => taken.close().then(() => 'taken'),
      (error: { code: string }) => error.code,
    );
  }

  test.each([
    ['case 126: our own pid from before a restart', { startTime: '1' }, 'taken'],
    ['case 125: another boot of this machine', { bootId: 'earlier' }, 'taken'],
    ['case 125: a process that is gone', { pid: 4_000_000 }, 'taken'],
    ['case 125: another host', { host: 'elsewhere' }, 'locked'],
    ['the same living process', {}, 'locked'],
  ])('judges a claim of %s', async (_what, changes, outcome) => {
    expect(await openBeside(changes)).toBe(outcome);
  });

  test('case 128: processes that come upon one dead claim never hold the lock together', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    mkdirSync(`${path}.lock`);
    const dead = { host: hostname(), bootId: 'earlier', pid: 1, startTime: '1' };
    writeFileSync(join(`${path}.lock`, 'dead.json'), JSON.stringify(dead));
    const writers = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => start([path, name, '20', '1']));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await collect(readLog(path))).toHaveLength(120);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
