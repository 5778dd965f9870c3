import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { forkLog, openLog, readThread } from '../src/node/index.ts';
import { collect, temporaryFolder, userEntry } from './support.ts';

const entries = ['1', '2', '3', '4'].map((id) => userEntry(id, `text ${id}`));
const at = '2026-01-02T03:04:05.000Z';

function base(): string {
  const path = join(temporaryFolder(), 'base.jsonl');
  writeFileSync(path, entries.map((entry) => `${serializeEntry(entry)}\n`).join(''));
  return path;
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
