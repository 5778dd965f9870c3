import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFolder } from '@varve/memdir/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isWhole } from '../../../internal/src/share.ts';
import { consolidateLock } from '../src/node/index.ts';
import { child, fileText, NOW, quote, temporaryFolder, testDream } from './support.ts';

const MINUTE_MS = 60_000;
const PUMP = fileText('Pump', 'The pump of Ostrava runs at 9 bar.');

function memoryFolder(): { readonly root: string; readonly path: string } {
  const root = join(temporaryFolder(), 'memory');
  mkdirSync(root);
  writeFileSync(join(root, 'a.md'), PUMP);
  return { root, path: join(root, '.consolidate-lock') };
}

/** A dream of another process that hangs in its child. */
async function hanging(root: string) {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'programs', 'hold.ts'), root]);
  onTestFinished(() => void program.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) =>
    program.stdout.setEncoding('utf8').once('data', resolve),
  );
  const kill = () =>
    new Promise<void>((resolve) => {
      if (program.exitCode !== null || program.signalCode !== null) return resolve();
      program.once('close', () => resolve());
      program.kill('SIGKILL');
    });
  return { said: said.trim(), kill };
}

const retype = {
  name: 'retype_memory',
  input: { path: 'a.md', type: 'reference', reason: 'r', quotes: [quote('a.md', 'runs at 9 bar')] },
};
const dreamIn = (root: string, runFork = child([retype]).runFork) =>
  testDream(diskFolder(root), { lock: consolidateLock(root), runFork }).dream;

describe('consolidateLock', () => {
  test('E2 a living owner keeps it; a killed one is followed at once, and its dream has left nothing', async () => {
    const { root, path } = memoryFolder();
    const { said, kill } = await hanging(root);
    expect(said).toBe('Done');
    expect(await dreamIn(root).dreamNow()).toEqual({ kind: 'none', reason: 'locked' });
    await kill();
    expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe(PUMP);
    expect(existsSync(join(root, '.archive'))).toBe(false);
    expect(await consolidateLock(root).lastMs()).toBeUndefined(); // so the next session may try
    expect(await dreamIn(root).dreamNow()).toMatchObject({
      kind: 'completed',
      report: { improved: 1 },
    });
    expect(Math.round(statSync(path).mtimeMs)).toBe(NOW);
  });

  test('E2 its time is the last consolidation: a dream that ends well moves it, failures and refusals do not', async () => {
    const { root, path } = memoryFolder();
    const last = NOW - 3 * 86_400_000;
    await (await consolidateLock(root).take({}))?.release(last);
    const time = () => Math.round(statSync(path).mtimeMs);
    expect(time()).toBe(last);
    const failing = dreamIn(root, async () => ({ kind: 'failed', reason: 'no answer' }));
    expect((await failing.dreamNow()).kind).toBe('failed');
    expect(time()).toBe(last);
    const hangs = dreamIn(root, () => new Promise(() => undefined));
    const killed = hangs.dreamNow();
    setTimeout(hangs.kill, 30);
    expect(await killed).toEqual({ kind: 'killed' });
    expect(time()).toBe(last);
    const refused = child([{ ...retype, input: { ...retype.input, path: 'nowhere.md' } }]).runFork;
    expect(await dreamIn(root, refused).dreamNow()).toMatchObject({
      report: { refused: { 'not-found': 1 } },
    });
    expect(time()).toBe(last);
  });

  /** The lock as another owner left it. */
  async function foreign(change: (body: Record<string, unknown>) => object | string) {
    const { root, path } = memoryFolder();
    const lease = await consolidateLock(root).take({});
    const body = JSON.parse(readFileSync(path, 'utf8'));
    await lease?.release(NOW);
    const next = change(body);
    writeFileSync(
      path,
      typeof next === 'string' ? next : `${JSON.stringify({ ...body, ...next })}\n`,
    );
    utimesSync(path, NOW / 1_000, NOW / 1_000);
    return { root, path };
  }
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

  test.each([
    ['a process that is gone', { pid: 2 ** 22 - 1, state: 'held' }, true],
    [
      'a living process id that started at another time: it was used again',
      { startTime: '1', state: 'held' },
      true,
    ],
    ['a living process of another start of this machine', { bootId: 'x', state: 'held' }, true],
    [
      'another host, 59 minutes ago',
      { host: 'elsewhere', state: 'held', heartbeatAt: ago(59) },
      false,
    ],
    [
      'another host, 61 minutes ago',
      { host: 'elsewhere', state: 'held', heartbeatAt: ago(61) },
      true,
    ],
    [
      'another host whose clock was far ahead',
      { host: 'elsewhere', state: 'held', heartbeatAt: ago(-600) },
      true,
    ],
    [
      'another host whose clock was a little ahead',
      { host: 'elsewhere', state: 'held', heartbeatAt: ago(-5) },
      false,
    ],
  ])('E2 125 126 of %s', async (_, owner, isTaken) => {
    const { root, path } = await foreign(() => owner);
    const lease = await consolidateLock(root).take({});
    expect(lease !== undefined).toBe(isTaken);
    await lease?.release();
    expect(Math.round(statSync(path).mtimeMs)).toBe(NOW); // the last consolidation is not forgotten
  });

  test('E2 126 who has it does not get it a second time, in the same process either', async () => {
    const { root } = memoryFolder();
    const lease = await consolidateLock(root).take({});
    expect(await consolidateLock(root).take({})).toBeUndefined();
    expect(lease?.isHeld()).toBe(true);
    await lease?.release();
    const next = await consolidateLock(root).take({});
    expect([lease?.isHeld(), next?.isHeld()]).toEqual([false, true]);
    await next?.release();
  });

  test('E2 128 of processes that come upon one dead owner one dreams, and the others leave it', async () => {
    for (let round = 0; round < (isWhole ? 20 : 1); round++) {
      const { root } = memoryFolder();
      const dead = await hanging(root);
      expect(dead.said).toBe('Done');
      await dead.kill();
      const all = await Promise.all(Array.from({ length: isWhole ? 6 : 3 }, () => hanging(root)));
      expect(all.map(({ said }) => said).sort()).toEqual([
        'Done',
        ...Array(all.length - 1).fill('locked'),
      ]);
      for (const { kill } of all) await kill();
      expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe(PUMP);
    }
  }, 120_000);

  test('E2 what another program wrote there is taken over 60 minutes after its time', async () => {
    const { root, path } = await foreign(() => '4242');
    const at = (minutes: number) =>
      utimesSync(path, Date.now() / 1_000, (Date.now() - minutes * MINUTE_MS) / 1_000);
    at(59);
    expect(await consolidateLock(root).take({})).toBeUndefined();
    at(61);
    const lease = await consolidateLock(root).take({});
    expect(lease?.isHeld()).toBe(true);
    await lease?.release();
  });

  test('E2 taken over meanwhile: it is not held any more, and its time is left to the new owner', async () => {
    const { root, path } = memoryFolder();
    const lease = await consolidateLock(root).take({});
    const body = readFileSync(path, 'utf8');
    writeFileSync(`${path}.new`, body.replace('"held"', '"free"'));
    await import('node:fs/promises').then(({ rename }) => rename(`${path}.new`, path));
    utimesSync(path, 1_000, 1_000);
    expect(lease?.isHeld()).toBe(false);
    await lease?.release(NOW);
    expect(statSync(path).mtimeMs).toBe(1_000_000);
  });
});
