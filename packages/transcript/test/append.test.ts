import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { openLog, readLog } from '../src/node/index.ts';
import { collect, FORMAT_LINE, temporaryFolder, userEntry } from './support.ts';

const [first, second, third] = ['1', '2', '3'].map((id) => userEntry(id, `text ${id}`)) as [
  Entry,
  Entry,
  Entry,
];
const circle: { self?: unknown } = {};
circle.self = circle;

const note = (id: string, data: unknown) => ({ id, at: first.at, type: 'note', by: 'me', data });
const half = note('\ud83d', 'half of a character') as Entry;
const WITH_HOLE = { id: 'x', role: 'user', content: [undefined] };

describe('append', () => {
  test.each<[string, unknown[]]>([
    ['undefined', [undefined]],
    ['null', [null]],
    ['an object of another shape', [{ id: 'x' }]],
    ['an entry without data', [note('x', undefined)]],
    ['a time that is none', [{ ...note('x', 0), at: 'today' }]],
    ['a value that contains itself', [note('x', circle)]],
    ['a BigInt', [note('x', 1n)]],
    ['a hole in a list of blocks', [{ ...userEntry('x', ''), message: WITH_HOLE }]],
    [
      'a time that is none once it is written',
      [{ ...note('x', 0), at: { toJSON: () => 'today' } }],
    ],
    ['half of a character as an id that the log had when it was opened', [note('\ud83d', 0)]],
    ['an id that is a number', [note(7 as never, 0)]],
    ['an id that the log had when it was opened', [userEntry('1', 'other')]],
    ['the id of the line that names the format', [userEntry('varve-log-format', 'other')]],
    ['an id that was appended since', [userEntry('2', 'other')]],
    ['one id twice', [userEntry('x', 'one'), userEntry('x', 'other')]],
    ['a sound entry before one that is not', [userEntry('x', 'sound'), { id: 'y' }]],
  ])('refuses %s and appends nothing', async (_what, entries) => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const before = await openLog(path);
    await before.append(first, half);
    await before.close();
    const log = await openLog(path);
    await log.append(second);
    await expect(log.append(...(entries as Entry[]))).rejects.toMatchObject({
      code: 'invalid-entry',
      file: path,
    });
    expect(await log.append(third)).toEqual({ kind: 'written' });
    await log.close();
    const text = [first, half, second, third].map((entry) => `${serializeEntry(entry)}\n`).join('');
    expect(readFileSync(path, 'utf8')).toBe(FORMAT_LINE + text);
  });

  test('an entry that was refused can be appended once it is mended', async () => {
    const log = await openLog(join(temporaryFolder(), 'log.jsonl'));
    await expect(log.append(first, { id: '2' } as Entry)).rejects.toThrow('nothing was appended');
    expect(await log.append(first, second)).toEqual({ kind: 'written' });
    await log.close();
  });

  test('says nothing of what is in an entry that it refuses', async () => {
    const log = await openLog(join(temporaryFolder(), 'log.jsonl'));
    const bad = { ...note('x', 'swordfish'), at: 'swordfish' } as Entry;
    const error = await log.append(bad).catch((reason: Error) => reason);
    expect(String(error)).not.toContain('swordfish');
    await log.close();
  });

  test('keeps the order of calls that do not wait for each other', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    const many = Array.from({ length: 50 }, (_, index) => userEntry(`e${index}`, 'x'));
    const results = many.map((entry) => log.append(entry));
    await log.close();
    expect((await Promise.all(results)).every(({ kind }) => kind === 'written')).toBe(true);
    const ids = (await collect(readLog(path))).map(({ entry }) => entry.id);
    expect(ids).toEqual(many.map(({ id }) => id));
  });

  test('case 94: keeps terminal escapes as they are and writes none of them raw', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const escapes = '\x1b[?1049h\x1b[?1000h\x1b]0;title\x07\x1b]8;;http://x\x1b\\a\x1b[31m\x1b🦊';
    const log = await openLog(path);
    await log.append(userEntry('e', escapes));
    await log.close();
    const text = readFileSync(path, 'utf8').slice(FORMAT_LINE.length).trimEnd();
    expect([...text].filter((character) => character < ' ')).toEqual([]);
    const [item] = await collect(readLog(path));
    expect(item?.entry).toEqual(userEntry('e', escapes));
  });
});
