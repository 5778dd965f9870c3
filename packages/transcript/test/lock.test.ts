import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLog } from '../src/node/index.ts';
import { temporaryFolder } from './support.ts';

const HOUR_MS = 3_600_000;

/** A path whose lock folder holds one claim like our own but for some fields, or a text in place of a claim. */
async function pathBeside(claim: object | string, ageMs = 0): Promise<string> {
  const path = join(temporaryFolder(), 'log.jsonl');
  const folder = `${path}.lock`;
  const log = await openLog(path);
  const own = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] as string), 'utf8'));
  await log.close();
  mkdirSync(folder);
  const text = typeof claim === 'string' ? claim : JSON.stringify({ ...own, ...claim });
  const at = new Date(Date.now() - ageMs);
  writeFileSync(join(folder, 'other.json'), text);
  utimesSync(join(folder, 'other.json'), at, at);
  return path;
}

const outcomeOf = (path: string): Promise<string> =>
  openLog(path).then(
    (log) => log.close().then(() => 'taken'),
    (error: { readonly code: string }) => error.code,
  );

describe('takeLock', () => {
  test.each([
    ['case 126: our own pid from before a restart', { startTime: '1' }, 'taken'],
    ['case 125: another boot of this machine', { bootId: 'earlier' }, 'taken'],
    ['case 125: a process that is gone', { pid: 4_000_000 }, 'taken'],
    ['a process id that names a group', { pid: 0 }, 'taken'],
    ['case 125: another host', { host: 'elsewhere' }, 'locked'],
    ['the same living process', {}, 'locked'],
  ])('judges a claim of %s', async (_what, changes, outcome) => {
    const path = await pathBeside(changes);
    expect(await outcomeOf(path)).toBe(outcome);
    expect(readdirSync(join(path, '..'))).toEqual(
      outcome === 'taken' ? ['log.jsonl'] : ['log.jsonl', 'log.jsonl.lock'],
    );
  });

  test.each([
    ['an hour ago', HOUR_MS + 60_000, 'taken'],
    ['just under an hour ago', HOUR_MS - 60_000, 'locked'],
    ['in the far future', -HOUR_MS * 24 * 365, 'taken'],
    ['a little in the future', -60_000, 'locked'],
  ])('a claim of another host that was made new %s', async (_what, ageMs, outcome) => {
    expect(await outcomeOf(await pathBeside({ host: 'elsewhere' }, ageMs))).toBe(outcome);
  });

  test.each(['', 'null', '{"ho', '\0\0\0', '[]'])(
    'a claim that a power loss left as %j belongs to nobody',
    async (text) => {
      expect(await outcomeOf(await pathBeside(text))).toBe('taken');
    },
  );

  test('a claim that cannot be read belongs to somebody, and ours does not stay beside it', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    mkdirSync(join(`${path}.lock`, 'folder.json'), { recursive: true });
    expect([await outcomeOf(path), await outcomeOf(path)]).toEqual(['locked', 'locked']);
    expect(readdirSync(`${path}.lock`)).toEqual(['folder.json']);
  });

  test('a draft that a kill left behind goes at once, one of the living when it is old', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    mkdirSync(`${path}.lock`);
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const names = [`killed.json.${dead}`, `old.json.${process.pid}`, `new.json.${process.pid}`];
    for (const name of names) writeFileSync(join(`${path}.lock`, `${name}.draft`), '');
    const old = join(`${path}.lock`, `old.json.${process.pid}.draft`);
    utimesSync(old, new Date(0), new Date(0));
    expect(await outcomeOf(path)).toBe('taken');
    expect(readdirSync(`${path}.lock`)).toEqual([`new.json.${process.pid}.draft`]);
  });

  test.each([
    ['a file', (lock: string) => writeFileSync(lock, '')],
    ['a link to nowhere', (lock: string) => symlinkSync('nowhere', lock)],
    ['a link to itself', (lock: string) => symlinkSync(lock, lock)],
  ])('%s in place of the lock folder is an error that names it', async (_what, make) => {
    const path = join(temporaryFolder(), 'log.jsonl');
    make(`${path}.lock`);
    const error = await openLog(path).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'write-failed', file: path });
    expect((error as Error).message).toContain('log.jsonl.lock');
  });

  test('two names of one file meet in one lock', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'log.jsonl');
    symlinkSync('log.jsonl', join(folder, 'link.jsonl')); // leads to nothing yet
    const log = await openLog(join(folder, 'link.jsonl'));
    await expect(openLog(path)).rejects.toMatchObject({ code: 'locked' });
    await log.close();
    const again = await openLog(path);
    await expect(openLog(join(folder, 'link.jsonl'))).rejects.toMatchObject({ code: 'locked' });
    await again.close();
  });

  test('waiting for another writer ends when it closes, and when it is aborted', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const first = await openLog(path);
    const abort = new AbortController();
    const aborted = openLog(path, { lockWaitMs: 60_000, signal: abort.signal });
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    const second = openLog(path, { lockWaitMs: 60_000 });
    await first.close();
    await (await second).close();
    expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
  });
});
