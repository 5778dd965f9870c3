import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FindingKind } from '../src/check.ts';
import { createMemdir } from '../src/index.ts';
import { diskFolder } from '../src/node/index.ts';
import { NOW, REAL_FOLDERS, realPath, temporaryFolder } from './support.ts';

interface Counted {
  readonly name: string;
  readonly dir: string;
  readonly topicFiles: number;
  readonly indexFiles: number;
  readonly bytes: number;
  readonly indexLines: number;
  readonly pointers: number;
  readonly pointersDangling: number;
  readonly filesNotInIndex: number;
  readonly pointerLinesOver150: number;
  readonly pointersTwice: number;
  readonly indexContentLines: number;
  readonly relativeDates: number;
  readonly topicOver4KB: number;
  readonly types: Readonly<Record<string, number>>;
}

const isHere = REAL_FOLDERS.length > 0;
const read = (...names: readonly string[]) => readFileSync(realPath(...names), 'utf8');
const MANIFEST: readonly Counted[] = isHere ? JSON.parse(read('manifest.json')).folders : [];
const countedOf = (name: string): Counted => MANIFEST.find((each) => each.name === name) as Counted;

const open = (name: string) =>
  createMemdir({ folder: diskFolder(realPath(name, 'memory')), now: () => NOW });

/** Every file below with its bytes and times. */
function stateOf(folder: string): string {
  return (readdirSync(folder, { recursive: true }) as string[])
    .sort()
    .map((path) => {
      const stats = statSync(join(folder, path));
      const text = stats.isFile() ? readFileSync(join(folder, path), 'utf8') : '';
      return `${path} ${stats.mtimeMs} ${stats.ctimeMs} ${text}`;
    })
    .join('\n');
}

describe.skipIf(!isHere)('D1 D2 D4 real folders', () => {
  test.each(REAL_FOLDERS)('%s: scan and check count what its manifest counts', async (name) => {
    const counted = countedOf(name);
    const memory = open(name);
    const { files, leftOut, indexes, ignored } = await memory.scan();
    expect([files.length, leftOut, indexes.length, ignored]).toEqual([
      counted.topicFiles,
      0,
      counted.indexFiles,
      [],
    ]);
    const types = Object.entries(counted.types).filter(([type]) => type !== '(none)');
    for (const [type, count] of types) {
      expect([type, files.filter((file) => file.type === type).length]).toEqual([type, count]);
    }
    const report = await memory.check();
    const { counts, findings } = report;
    const inRepository = new Set(
      gunzipSync(readFileSync(realPath(name, 'repo-paths.txt.gz')))
        .toString()
        .split('\n'),
    );
    // The manifest looks up in the repository what is not in the folder: pointers that leave it, and files that were not kept.
    const lost = findings.filter(({ kind, path, detail }) => {
      if (kind === 'dangling') return !inRepository.has(join(counted.dir, detail));
      return kind === 'outside' && !inRepository.has(join(counted.dir, path, '..', detail));
    });
    const content = findings
      .filter(({ kind }) => kind === 'content-in-index')
      .reduce((sum, { detail }) => sum + Number.parseInt(detail, 10), 0);
    expect({
      pointers: report.pointers,
      dangling: lost.length,
      orphan: counts.orphan ?? 0,
      long: counts['long-line'] ?? 0,
      content,
      twice: counts['pointed-twice'] ?? 0,
      relative: counts['relative-date'] ?? 0,
      over4KB: counts['long-file'] ?? 0,
    }).toEqual({
      pointers: counted.pointers,
      dangling: counted.pointersDangling,
      orphan: counted.filesNotInIndex,
      long: counted.pointerLinesOver150,
      content: counted.indexContentLines,
      twice: counted.pointersTwice,
      relative: counted.relativeDates,
      over4KB: counted.topicOver4KB,
    });
  });

  test('12 indexes are stores, 18 links are dead and one pointer leaves its folder in all of them', async () => {
    const reports = await Promise.all(REAL_FOLDERS.map((name) => open(name).check()));
    const total = (kind: FindingKind) =>
      reports.reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0);
    expect({
      stores: total('store-like-index'),
      outside: total('outside'),
      dead: total('dead-link'),
      names: total('equal-names'),
    }).toEqual({ stores: 12, outside: 1, dead: 18, names: 0 });
  });

  test('scan, recall, the index and check leave every byte and every time as it was', async () => {
    for (const name of REAL_FOLDERS) {
      const before = stateOf(realPath(name, 'memory'));
      const memory = open(name);
      await memory.scan();
      await memory.check();
      await memory.loadIndex();
      await memory.inbox();
      await memory.history();
      await memory.startRecall().recall('How do we release a new version of the project?');
      expect(stateOf(realPath(name, 'memory')) === before).toBe(true);
    }
  });
});

describe.skipIf(!isHere)('E6 108 copies of real folders', () => {
  test.each(REAL_FOLDERS)(
    '%s: rebuild, save, supersede and forget are undone to the byte, and rebuild adds lines alone',
    async (name) => {
      const root = join(temporaryFolder(), 'memory');
      cpSync(realPath(name, 'memory'), root, { recursive: true });
      const textsOf = () =>
        (readdirSync(root, { recursive: true }) as string[])
          .filter((path) => path.endsWith('.md') && !path.startsWith('.'))
          .sort()
          .map((path) => `${path}\n${readFileSync(join(root, path), 'latin1')}`);
      const memory = createMemdir({ folder: diskFolder(root), now: () => NOW });
      const before = textsOf();
      const [first, second] = (await memory.scan()).files;
      if (first === undefined) return; // an index alone
      await memory.rebuild();
      const rebuilt = textsOf();
      const isKept = (text: string) => rebuilt.some((each) => each.startsWith(text.trimEnd()));
      expect(before.filter((text) => !isKept(text))).toEqual([]);
      expect((await memory.rebuild()).kind).toBe('unchanged');
      const heir = { name: 'An heir', description: 'Of a test', type: 'project' } as const;
      await memory.save({
        ...heir,
        body: 'Text of an heir.',
        supersedes: [first.path],
        asked: true,
      });
      if (second !== undefined) await memory.forget(second.path, { reason: 'asked' });
      expect((await memory.check()).counts.interrupted).toBeUndefined();
      while ((await memory.undo()).kind === 'undone');
      expect(textsOf()).toEqual(before);
    },
  );
});
