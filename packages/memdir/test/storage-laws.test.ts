import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../../internal/src/share.ts';
import { parseOwnLines } from '../src/own-lines.ts';
import { fileText, newMemory, testMemory } from './support.ts';

const PATHS = ['a.md', 'b#1.md', 'sub/c.md', 'team/d.md', 're\u0301.md', 'e\\f.md'];
const end = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.oneof(
  fc.constantFrom(...PATHS).map((path) => `- [T](${path.replace('#', '%23')}) — hook`),
  fc.constantFrom(
    '- [A](a.md), [C](sub/c.md) — two',
    '# Head',
    '',
    '  ',
    'A fact.',
    '| [A](a.md) | x |',
  ),
  fc.constantFrom(
    '- [gone](gone.md)',
    '- [out](../x.md)',
    '\uFEFF',
    '---',
    '- [[a]]',
    '<!-- x -->',
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ' ')),
);
const index = fc.array(fc.tuple(line, end), { maxLength: 12 }).chain((lines) =>
  fc.boolean().map((isEnded) =>
    lines
      .map(([text, each]) => text + each)
      .join('')
      .replace(isEnded ? /$^/ : /[\r\n]+$/, ''),
  ),
);
const body = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom('One fact that is long enough.', '---', ''),
);
const text = fc.oneof(
  body.map((each) => fileText('N', each)),
  fc.tuple(body, end).map(([each, mark]) => fileText('N', each).replaceAll('\n', mark)),
  fc.string({ maxLength: 80 }),
  fc.constantFrom(
    '---\nname: x',
    '---\n---\n',
    '\uFEFF---\r\ntype: user\r\n---\r\n',
    '---\nmetadata:\n  type: project\n---\nx',
  ),
);
const folder = fc.record({
  files: fc.uniqueArray(fc.tuple(fc.constantFrom(...PATHS), text), { selector: ([path]) => path }),
  index: fc.option(index, { nil: undefined }),
  teamIndex: fc.option(index, { nil: undefined }),
});
type Folder = typeof folder extends fc.Arbitrary<infer Value> ? Value : never;

const filesOf = ({ files, index, teamIndex }: Folder) => ({
  ...Object.fromEntries(files),
  ...(index === undefined ? {} : { 'MEMORY.md': index }),
  ...(teamIndex === undefined ? {} : { 'team/MEMORY.md': teamIndex }),
});

async function visible({ folder, textOf }: ReturnType<typeof testMemory>) {
  const { files } = await folder.list('');
  const paths = files.map(({ path }) => path).sort();
  return Promise.all(paths.map(async (path) => [path, await textOf(path)]));
}

describe('laws of a folder that anybody wrote', () => {
  test('D4 nothing in it is fatal, and looking changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(folder, async (given) => {
        const made = testMemory(filesOf(given));
        const before = await visible(made);
        const { files } = await made.memory.scan();
        expect(files).toHaveLength(given.files.length);
        await made.memory.check();
        await made.memory.loadIndex();
        await made.memory.startRecall().recall('one fact that is long enough');
        expect(await visible(made)).toEqual(before);
      }),
      { numRuns: lawRuns },
    );
  });

  test('E6 any change, and then its undo, leaves every byte', async () => {
    await fc.assert(
      fc.asyncProperty(folder, fc.nat(), fc.boolean(), async (given, at, isFirst) => {
        const made = testMemory(filesOf(given));
        const { memory } = made;
        const before = await visible(made);
        const [path = 'none.md'] = given.files[at % Math.max(1, given.files.length)] ?? [];
        const changes = [
          () => memory.rebuild(),
          () => memory.forget(path, { reason: 'asked' }),
          () => memory.save(newMemory('New', 'New text here.', { asked: true })),
          () =>
            memory.save(
              newMemory('Heir', 'Text of the heir.', { asked: true, supersedes: [path] }),
            ),
        ];
        for (const change of isFirst ? changes : changes.reverse()) await change();
        while ((await memory.undo()).kind === 'undone');
        expect(await memory.undo()).toMatchObject({ reason: 'nothing-to-undo' });
        const after = await visible(made);
        expect(after).toEqual(before);
      }),
      { numRuns: lawRuns },
    );
  });

  test('108 rebuild leaves every line of others in its place, with its end', async () => {
    await fc.assert(
      fc.asyncProperty(folder, async (given) => {
        const made = testMemory(filesOf(given));
        await made.memory.rebuild();
        const own = parseOwnLines(await made.textOf('.index-lines.json'));
        for (const [path, before = ''] of [
          ['MEMORY.md', given.index],
          ['team/MEMORY.md', given.teamIndex],
        ] as const) {
          const text = (await made.textOf(path)).replace(/^\uFEFF/, '');
          const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
          const left = lines
            .filter((each) => !own.has(path, each.replace(/[\r\n]+$/, '')))
            .join('');
          const plain = before.replace(/^\uFEFF/, '');
          expect(left.slice(0, plain.length)).toBe(plain);
          expect(left.slice(plain.length)).toMatch(/^(?:\r\n|\n|\r)?$/); // of a last line that had no end
        }
        expect((await made.memory.rebuild()).kind).toBe('unchanged');
      }),
      { numRuns: lawRuns },
    );
  });
});
