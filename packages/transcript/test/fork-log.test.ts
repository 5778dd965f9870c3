import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { forkLog, openLog, readThread, salvageLog } from '../src/node/index.ts';
import { collect, temporaryFolder, userEntry } from './support.ts';

const entries = ['1', '2', '3', '4'].map((id) => userEntry(id, `text ${id}`));
const at = '2026-01-02T03:04:05.000Z';

function base(): string {
  const path = join(temporaryFolder(), 'base.jsonl');
  writeFileSync(path, entries.map((entry) => `${serializeEntry(entry)}\n`).join(''));
  return path;
}

function toFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

async function idsIn(path: string): Promise<string[]> {
  return (await collect(readThread(path))).map(({ entry }) => entry.id);
}

describe('forkLog', () => {
  test('shares the base up to the entry and leaves the base alone, also when that grows on', async () => {
    const basePath = base();
    const path = join(basePath, '..', 'fork.jsonl');
    const before = readFileSync(basePath);
    await forkLog(basePath, path, { entryId: '2', id: 'f', at });
    const log = await openLog(path);
    await log.append(userEntry('own', 'of the fork'));
    await log.close();
    expect(readFileSync(basePath)).toEqual(before);
    appendFileSync(basePath, `${serializeEntry(userEntry('5', 'later'))}\n`);
    expect(await idsIn(path)).toEqual(['1', '2', 'f', 'own']);
  });

  test('forks of forks read the whole past', async () => {
    const basePath = base();
    const [first, second] = ['first', 'second'].map((name) =>
      join(basePath, '..', `${name}.jsonl`),
    ) as [string, string];
    await forkLog(basePath, first, { entryId: '3', id: 'f1', at });
    const log = await openLog(first);
    await log.append(userEntry('a', 'a'), userEntry('b', 'b'));
    await log.close();
    await forkLog(first, second, { entryId: 'a', id: 'f2', at });
    expect(await idsIn(second)).toEqual(['1', '2', '3', 'f1', 'a', 'f2']);
  });

  test('says when the shared part of the base was changed', async () => {
    const basePath = base();
    const path = join(basePath, '..', 'fork.jsonl');
    await forkLog(basePath, path, { entryId: '2', id: 'f', at });
    writeFileSync(basePath, readFileSync(basePath, 'utf8').replace('text 1', 'text X'));
    await expect(idsIn(path)).rejects.toMatchObject({ code: 'base-mismatch', line: 1 });
  });

  test.each([
    ['is gone', (path: string) => rmSync(path)],
    ['is a folder now', toFolder],
    ['was cut short', (path: string) => truncateSync(path, 20)],
    ['was emptied', (path: string) => truncateSync(path, 0)],
  ])('says so when the base %s', async (_what, change) => {
    const basePath = base();
    const path = join(basePath, '..', 'fork.jsonl');
    await forkLog(basePath, path, { entryId: '2', id: 'f', at });
    change(basePath);
    await expect(idsIn(path)).rejects.toMatchObject({ code: 'base-mismatch', file: path, line: 1 });
  });

  test('a base that was salvaged before the fork point is not what it was, and the kept file is', async () => {
    const basePath = base();
    writeFileSync(basePath, `\uFEFF${readFileSync(basePath, 'utf8')}`);
    const path = join(basePath, '..', 'fork.jsonl');
    await forkLog(basePath, path, { entryId: '2', id: 'f', at });
    const { keptAt } = await salvageLog(basePath);
    await expect(idsIn(path)).rejects.toThrow('the file that kept its bytes is the base');
    renameSync(keptAt as string, basePath);
    expect(await idsIn(path)).toEqual(['1', '2', 'f']);
  });

  test('a repair of the end of the base changes nothing for a fork before it', async () => {
    const basePath = base();
    const [one, two] = entries.map(serializeEntry);
    writeFileSync(basePath, `${one}${two}{"torn`);
    const path = join(basePath, '..', 'fork.jsonl');
    await forkLog(basePath, path, { entryId: '2', id: 'f', at });
    await (await openLog(basePath)).close();
    expect(await idsIn(path)).toEqual(['1', '2', 'f']);
  });

  test.each([
    null,
    7,
    'base.jsonl',
    {},
    { path: 'base.jsonl', entryId: '1', bytes: 'all', sha256: '' },
  ])('refuses a first line that names %j as the base', async (named) => {
    const path = join(temporaryFolder(), 'fork.jsonl');
    const data = { kind: 'fork', base: named };
    const first: Entry = { id: 'f', at, type: 'note', by: 'transcript', data };
    writeFileSync(path, `${serializeEntry(first)}\n`);
    await expect(idsIn(path)).rejects.toMatchObject({ code: 'base-mismatch', line: 1 });
  });

  test('makes the folder of the fork, and reads it where both were moved together', async () => {
    const basePath = base();
    const folder = join(basePath, '..');
    await forkLog(basePath, join(folder, 'forks', 'deep', 'f.jsonl'), {
      entryId: '1',
      id: 'f',
      at,
    });
    const moved = join(temporaryFolder(), 'moved');
    cpSync(folder, moved, { recursive: true });
    expect(await idsIn(join(moved, 'forks', 'deep', 'f.jsonl'))).toEqual(['1', 'f']);
  });

  test('refuses a time that no entry can have, and a path through a file, and writes nothing', async () => {
    const basePath = base();
    const path = join(basePath, '..', 'fork.jsonl');
    const options = { entryId: '1', id: 'f', at };
    await expect(forkLog(basePath, path, { ...options, at: 'today' })).rejects.toMatchObject({
      code: 'invalid-entry',
    });
    await expect(forkLog(basePath, join(basePath, 'fork.jsonl'), options)).rejects.toMatchObject({
      code: 'write-failed',
    });
    expect(existsSync(path)).toBe(false);
  });

  test('refuses an unknown entry and a path that is taken', async () => {
    const basePath = base();
    const path = join(basePath, '..', 'fork.jsonl');
    await expect(forkLog(basePath, path, { entryId: '9', id: 'f', at })).rejects.toMatchObject({
      code: 'base-mismatch',
    });
    await expect(forkLog(basePath, basePath, { entryId: '1', id: 'f', at })).rejects.toMatchObject({
      code: 'exists',
    });
    expect((await collect(readThread(basePath))).map(({ entry }) => entry as Entry)).toEqual(
      entries,
    );
  });
});
