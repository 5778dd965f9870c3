import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProjection, type Entry, parseEntry, project, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import {
  forkLog,
  importFile,
  openLog,
  readLog,
  readThread,
  salvageLog,
} from '../src/node/index.ts';
import { collect, FORMAT_LINE, temporaryFolder, userEntry } from './support.ts';

const FORMAT_1 = join(import.meta.dirname, 'fixtures', 'format-1');
/** Recorded before logs named their format. */
const FORMAT_0 = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'sessions');

async function entriesOf(path: string): Promise<readonly Entry[]> {
  return (await collect(readThread(path))).map(({ entry }) => entry);
}

/** Of what the next request carries, after every tenth entry and at the end. */
function digestOf(entries: readonly Entry[]): string {
  const projection = createProjection();
  const hash = createHash('sha256');
  let view = project([]);
  entries.forEach((entry, index) => {
    view = projection.append(entry);
    if (index % 10 === 0 || index === entries.length - 1)
      hash.update(JSON.stringify(view.messages));
  });
  return hash.update(JSON.stringify(view.head)).digest('hex');
}

describe('logs outlive releases', () => {
  // What stands here was written with the files. A reader that needs another digest reads old logs wrongly.
  test.each([
    [
      'format 0',
      'argument-checks.jsonl',
      '92b87e180501c38d88c4d05c9641764143d272589f3a3133b88262bee353becc',
    ],
    [
      'format 0',
      'argument-files.jsonl',
      '0976c4fa7808cddf0c1aa8d3d2df42ee251fd356206698f0d9222c79fa7fb756',
    ],
    [
      'format 0',
      'billing-dates.jsonl',
      'e3330364982497828a815516edf960a284ab93014f27bdd0288897c8a0d1cfe4',
    ],
    [
      'format 0',
      'round-trip-bug.jsonl',
      '1bf9d5a1c0dfe63b78c3622612a0a006f154a24f7d9fe9e1e66555b8769f829b',
    ],
    ['format 1', 'log.jsonl', '6439fb1377a9f181887605f5ec568da268301e222f3ee43e4343003cd56785f9'],
    ['format 1', 'fork.jsonl', '36188e2fc2fcfcae9e45af603e755970eebf6fd404376235e55f48082a36ad2f'],
  ])('%s, %s projects to the same bytes', async (format, name, digest) => {
    const entries = await entriesOf(join(format === 'format 0' ? FORMAT_0 : FORMAT_1, name));
    expect(digestOf(entries)).toBe(digest);
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    for (const entry of entries) await log.append(entry);
    await log.close();
    expect(digestOf(await entriesOf(path))).toBe(digest); // as it is written now
  });

  test('no file is without a digest', () => {
    expect(readdirSync(FORMAT_1).toSorted()).toEqual(['fork.jsonl', 'log.jsonl']);
    expect(readdirSync(FORMAT_0)).toHaveLength(4);
  });

  test('those of this release are what is written now, byte for byte', async () => {
    const text = readFileSync(join(FORMAT_1, 'log.jsonl'), 'utf8');
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    await log.append(...(await entriesOf(join(FORMAT_1, 'log.jsonl'))));
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the first line of a log', () => {
  const [first, second] = [userEntry('1', 'one'), userEntry('2', 'two')];
  const line = (entry: Entry) => `${serializeEntry(entry)}\n`;
  const newer = FORMAT_LINE.replace('"version":1', '"version":2');

  function logOf(text: string): string {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, text);
    return path;
  }

  test('names its format, is an entry that changes no view, and is not handed out', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    await log.append(first);
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe(FORMAT_LINE + line(first));
    expect(project([parseEntry(FORMAT_LINE), first])).toEqual(project([first]));
    expect(await collect(readLog(path))).toMatchObject([{ entry: first, line: 2 }]);
    const seen: Entry[] = [];
    await (await openLog(path, { onEntry: (entry) => void seen.push(entry) })).close();
    expect(seen).toEqual([first]);
    const { threads } = await importFile(path);
    expect(threads.flatMap(({ entries }) => entries)).toEqual([first]);
  });

  test('is written once, also when the first append was cut short anywhere', async () => {
    const whole = FORMAT_LINE + line(first);
    for (const end of oneIn(
      6,
      Array.from(whole, (_, at) => at),
    )) {
      const path = logOf(whole.slice(0, end));
      const log = await openLog(path);
      await log.append(second);
      await log.close();
      const text = readFileSync(path, 'utf8');
      expect(text.split('varve-log-format')).toHaveLength(2);
      expect(text.endsWith(line(second))).toBe(true);
      expect((await collect(readLog(path))).map(({ entry }) => entry)).toContainEqual(second);
    }
  });

  test('is not there in a log of before, which is read and goes on as it is', async () => {
    const path = logOf(line(first));
    const log = await openLog(path);
    await log.append(second);
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe(line(first) + line(second));
  });

  test('stands in forks and in salvaged logs', async () => {
    const path = logOf(line(first));
    const fork = join(temporaryFolder(), 'fork.jsonl');
    await forkLog(path, fork, { entryId: '1', id: 'f', at: first.at });
    expect(readFileSync(fork, 'utf8').startsWith(FORMAT_LINE)).toBe(true);
    expect((await entriesOf(fork)).map(({ id }) => id)).toEqual(['1', 'f']);
    appendFileSync(path, 'damaged\n');
    expect(await salvageLog(path)).toMatchObject({ entries: 1 });
    expect(readFileSync(path, 'utf8')).toBe(FORMAT_LINE + line(first));
  });

  test('does no harm where logs were put together', async () => {
    const path = logOf(FORMAT_LINE + line(first) + FORMAT_LINE + line(second));
    expect((await collect(readLog(path))).map(({ entry }) => entry)).toEqual([first, second]);
  });

  test.each([
    ['reading', (path: string) => collect(readLog(path))],
    ['opening', (path: string) => openLog(path)],
    ['salvaging', (path: string) => salvageLog(path)],
    ['importing', (path: string) => importFile(path)],
    [
      'forking',
      (path: string) => forkLog(path, `${path}-f`, { entryId: '1', id: 'f', at: first.at }),
    ],
  ])(
    'of a newer version: %s is a typed error that says what to do, and changes nothing',
    async (_what, work) => {
      const text = `${newer}${line(first)}{"torn`;
      const path = logOf(text);
      const error = await Promise.resolve(work(path)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'newer-format', line: 1 });
      expect((error as Error).message).toContain('newer version of @varve/transcript');
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
    },
  );

  test.each(['"version":0', '"version":"2"', '"version":null', '"versions":1'])(
    'with %s is not guessed at',
    async (version) => {
      const path = logOf(FORMAT_LINE.replace('"version":1', version) + line(first));
      await expect(openLog(path)).rejects.toMatchObject({ code: 'newer-format' });
    },
  );
});
