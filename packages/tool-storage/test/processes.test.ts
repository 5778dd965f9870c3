import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWhole, someUpTo } from '../../../internal/src/share.ts';
import { createToolStorage } from '../src/index.ts';
import { fileStore } from '../src/node/index.ts';
import { longText } from './long-text.ts';
import { temporaryFolder } from './support.ts';

const program = join(import.meta.dirname, 'programs', 'offload-killed.ts');

/** Calls of the file system for two results: two writes, a flush, a rename and a flush of the folder each; one folder above. */
const CALLS = 11;
const RANDOM_KILLS = isWhole ? 20 : 4;

function start(...args: string[]) {
  const child = spawn('node', [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const first = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      resolve();
    });
  });
  const ended = new Promise<string>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? String(code))),
  );
  return { child, first, ended, acknowledged: () => output.split('\n').length - 1 };
}

interface Line {
  readonly index: number;
  readonly kind: string;
  readonly handle: string;
}

/** Whole lines of the log; a torn last one was never acknowledged. */
function logLines(folder: string): Line[] {
  const path = join(folder, 'log.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Everything the log names is there and whole; nothing that is listed is a part; what is torn goes with a sweep. */
async function expectSound(folder: string, acknowledged: number): Promise<void> {
  const store = fileStore(join(folder, 'results'));
  const results = createToolStorage({ store, sessionId: 'session' });
  const lines = logLines(folder);
  expect(lines.length).toBeGreaterThanOrEqual(acknowledged);
  for (const { index, kind, handle } of lines) {
    expect(kind).toBe('stored');
    expect(await results.load(handle)).toBe(longText(60_000, `result ${index}`));
  }
  for (const { key } of await store.list('')) {
    const digits = createHash('sha256')
      .update((await store.get(key)) ?? '')
      .digest('hex');
    expect(key).toContain(`-${digits.slice(0, 16)}.`);
  }
  const nowMs = Date.now() + 7_200_000;
  await results.sweep({ keep: lines.map(({ handle }) => `session/${handle}`), nowMs, maxAgeMs: 0 });
  const left = existsSync(join(folder, 'results', 'session'))
    ? readdirSync(join(folder, 'results', 'session'))
    : [];
  expect(left.sort()).toEqual([...new Set(lines.map(({ handle }) => handle))].sort());
}

describe('fileStore in a process that is killed (S5)', () => {
  test.each([
    ['before', ''],
    ['in the middle of or after', 'half'],
  ])(
    'SIGKILL %s every write, flush and rename loses nothing that was acknowledged',
    async (_when, half) => {
      for (const killAt of [...someUpTo(CALLS, 12), CALLS + 1]) {
        const folder = temporaryFolder();
        const run = start(folder, '2', String(killAt), half);
        const end = await run.ended;
        await expectSound(folder, run.acknowledged());
        expect([killAt, end]).toEqual([killAt, killAt > CALLS ? '0' : 'SIGKILL']);
      }
    },
    120_000,
  );

  test(`${RANDOM_KILLS} SIGKILLs at random moments, one session going on over all of them`, async () => {
    const folder = temporaryFolder();
    let acknowledged = 0;
    for (let round = 0; round < RANDOM_KILLS; round++) {
      const run = start(folder, '100000');
      await Promise.race([run.first, run.ended]);
      await pause((round * 7919) % 60);
      run.child.kill('SIGKILL');
      expect(await run.ended).toBe('SIGKILL');
      acknowledged += run.acknowledged();
    }
    expect(acknowledged).toBeGreaterThanOrEqual(RANDOM_KILLS);
    await expectSound(folder, acknowledged);
  }, 300_000);

  test('four processes in one session folder lose and mix nothing', async () => {
    const folder = temporaryFolder();
    const ends = await Promise.all(['1', '2', '3', '4'].map(() => start(folder, '20').ended));
    expect(ends).toEqual(['0', '0', '0', '0']);
    expect(logLines(folder)).toHaveLength(80);
    await expectSound(folder, 80);
  }, 300_000);

  test('files and folders are for their owner only', async () => {
    const folder = temporaryFolder();
    expect(await start(folder, '1').ended).toBe('0');
    const [handle = ''] = logLines(folder).map((line) => line.handle);
    const mode = (...names: string[]) => statSync(join(folder, 'results', ...names)).mode & 0o777;
    expect([mode(), mode('session'), mode('session', handle)]).toEqual([0o700, 0o700, 0o600]);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
