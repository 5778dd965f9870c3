import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../internal/src/share.ts';
import { openLog, readLog } from '../src/node/index.ts';
import { collect, startProgram, temporaryFolder } from './support.ts';

const program = join(import.meta.dirname, 'programs', 'append.ts');

const RANDOM_KILLS = isWhole ? 20 : 4;

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
    const each = isWhole ? 500 : 120;
    const writers = ['a', 'b', 'c', 'd'].map((name) =>
      start([path, name, `${each}`, `${each / 4}`]),
    );
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const ids = (await collect(readLog(path))).map(({ entry }) => entry.id);
    expect(ids).toHaveLength(4 * each);
    expect(new Set(ids).size).toBe(4 * each);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4 * each + 2);
  });

  test('refuses a second writer and names the first', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    await expect(openLog(path)).rejects.toMatchObject({ code: 'locked' });
    await expect(openLog(path)).rejects.toThrow(`process ${process.pid} `);
    await log.close();
    await (await openLog(path)).close();
  });

  test(`whatever was acknowledged survives SIGKILL at ${RANDOM_KILLS} random moments`, async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const acknowledged: string[] = [];
    for (let round = 0; round < RANDOM_KILLS; round++) {
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
    expect(acknowledged.length).toBeGreaterThanOrEqual(RANDOM_KILLS);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('takeLock in several processes', () => {
  test('case 128: processes that come upon one dead owner never hold the lock together', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const dead = startProgram('hold-lock.ts', `${path}.lock`);
    expect(await dead.said(/\w+/)).toBe('taken');
    await dead.kill();
    const each = isWhole ? 20 : 6;
    const writers = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      start([path, name, `${each}`, '1']),
    );
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await collect(readLog(path))).toHaveLength(6 * each);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
