import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { openLog, readLog } from '../src/node/index.ts';
import { collect, temporaryFolder, userEntry } from './support.ts';

const entries = ['1', '2', '3'].map((id) => userEntry(id, `text ${id} 🦊`)) as [
  Entry,
  Entry,
  Entry,
];
const lines = entries.map(serializeEntry) as [string, string, string];

const idsIn = async (path: string): Promise<string> =>
  (await collect(readLog(path))).map(({ entry }) => entry.id).join('');

describe('openLog in odd places', () => {
  test.each([
    'with spaces and a "quote".jsonl',
    'ünïcödé 🦊 日本.jsonl',
    'line\nend.jsonl',
    `${'long'.repeat(60)}.jsonl`,
    '.hidden',
    'no-extension',
  ])('opens, repairs and reads %j', async (name) => {
    const path = join(temporaryFolder(), 'a folder', name);
    mkdirSync(join(path, '..'));
    writeFileSync(path, `${lines[0]}\n{"torn`);
    const log = await openLog(path);
    await log.append(entries[1]);
    await log.close();
    expect(await idsIn(path)).toBe('12');
    expect(readdirSync(join(path, '..')).sort()).toEqual(
      [name, `${name}.torn-${Buffer.byteLength(lines[0]) + 1}`].sort(),
    );
  });

  test.each([
    ['a path through a file', (folder: string) => join(folder, 'file', 'log.jsonl')],
    ['a path through a link to itself', (folder: string) => join(folder, 'loop', 'log.jsonl')],
    ['a name that is too long', (folder: string) => join(folder, 'x'.repeat(300))],
    ['a name that is too long with its lock', (folder: string) => join(folder, 'x'.repeat(253))],
    ['a device', () => '/dev/null/log.jsonl'],
    ['a file system that takes no files', () => '/proc/self/log.jsonl'],
  ])('refuses %s with a typed error and leaves nothing behind', async (_what, place) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('loop', join(folder, 'loop'));
    const path = place(folder);
    await expect(openLog(path)).rejects.toMatchObject({ code: 'write-failed', file: path });
    expect(readdirSync(folder).sort()).toEqual(['file', 'loop']);
  });

  test('refuses a link to itself and a folder', async () => {
    const folder = temporaryFolder();
    const loop = join(folder, 'loop');
    symlinkSync('loop', loop);
    await expect(openLog(loop)).rejects.toMatchObject({ code: 'write-failed' });
    await expect(openLog(folder)).rejects.toMatchObject({ code: 'not-a-file' });
  });

  test('writes through a link, also one to a file that is not there yet', async () => {
    const folder = temporaryFolder();
    symlinkSync('log.jsonl', join(folder, 'link'));
    const log = await openLog(join(folder, 'link'));
    await log.append(entries[0]);
    await log.close();
    expect(await idsIn(join(folder, 'log.jsonl'))).toBe('1');
    expect(log.path).toBe(join(folder, 'link'));
  });

  test.each([
    ['with CRLF line ends', `${lines[0]}\r\n${lines[1]}\r\n`, '123', undefined],
    ['with CRLF, the last one cut', `${lines[0]}\r\n${lines[1]}\r`, '123', 'missing-line-end'],
    ['with CRLF and a torn record', `${lines[0]}\r\n${lines[1].slice(0, 9)}`, '13', 'torn-tail'],
    ['whose first line is torn', lines[0].slice(0, 30), '3', 'torn-tail'],
    ['whose first line is torn behind a mark', `\uFEFF${lines[0].slice(0, 30)}`, '3', 'torn-tail'],
    ['that is a mark', '\uFEFF', '3', undefined],
    ['that is NUL bytes', '\0\0\0', '3', undefined],
    ['that is NUL bytes around a mark', '\0\uFEFF\0', '3', undefined],
    ['that is white space', ' \t ', '3', undefined],
    ['with NUL bytes behind a torn record', `${lines[0]}\n{"id\0\0\0`, '13', 'torn-tail'],
    ['with NUL bytes behind a whole one', `${lines[0]}\0\0\0`, '13', 'missing-line-end'],
  ])('appends to a log %s', async (_what, text, ids, repair) => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, text);
    const log = await openLog(path);
    await log.append(entries[2]);
    await log.close();
    expect(log.repair?.kind).toBe(repair);
    expect(await idsIn(path)).toBe(ids);
  });

  test('an abort before, while waiting or while reading changes nothing', async () => {
    const path = join(temporaryFolder(), 'deep', 'log.jsonl');
    const aborted = { name: 'AbortError' };
    await expect(openLog(path, { signal: AbortSignal.abort() })).rejects.toMatchObject(aborted);
    expect(existsSync(join(path, '..'))).toBe(false);
    mkdirSync(join(path, '..'));
    const text = `${lines[0]}\n${lines[1]}\n{"torn`;
    writeFileSync(path, text);
    for (const last of ['1', '2']) {
      const abort = new AbortController();
      const onEntry = ({ id }: Entry) => id === last && abort.abort();
      const opening = openLog(path, { onEntry, signal: abort.signal });
      await expect(opening).rejects.toMatchObject(aborted);
    }
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
  });

  test('passes on what onEntry throws, and leaves the log free and unchanged', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, `${lines[0]}\n{"torn`);
    const onEntry = () => {
      throw new RangeError('mine');
    };
    await expect(openLog(path, { onEntry })).rejects.toThrow(RangeError);
    expect(readFileSync(path, 'utf8')).toBe(`${lines[0]}\n{"torn`);
    expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
  });
});
