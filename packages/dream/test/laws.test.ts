import { inMemoryFolder } from '@varve/memdir';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns, seed } from '../../../internal/src/share.ts';
import { type Call, child, fileText, quote, removal, sessionsOf, testDream } from './support.ts';

const runs = { numRuns: Math.ceil(lawRuns / 4), seed };

const PLACES = ['Ostrava', 'Brno', 'Opava', 'Zlin'];
const THINGS = ['pump', 'gate', 'bell', 'valve'];
const statement = fc
  .tuple(
    fc.constantFrom(...PLACES),
    fc.constantFrom(...THINGS),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
  )
  .map(
    ([place, thing, bar, isNot]) =>
      `The ${thing} of ${place} is ${isNot ? 'not ' : ''}opened at ${bar} bar.`,
  );
const body = fc.array(statement, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'));
const NAMES = ['a.md', 'b.md', 'c.md', 'sub/d.md', 'team/e.md'];
const file = fc
  .record({
    body,
    type: fc.constantFrom('project', 'feedback', 'user'),
    isPinned: fc.boolean(),
    link: fc.constantFrom('', '[[a]]', '[[sub/d]]', '[[Memory b.md]]'),
  })
  .map(({ body: text, type, isPinned, link }) => ({
    text,
    type,
    more: isPinned ? 'pinned: true\n' : '',
    link,
  }));
const folder = fc
  .dictionary(fc.constantFrom(...NAMES), file, { minKeys: 1, noNullPrototype: true })
  .map((files) =>
    Object.fromEntries(
      Object.entries(files).map(([path, { text, type, more, link }]) => [
        path,
        fileText(`Memory ${path}`, link === '' ? text : `${text}\nSee ${link} for more.`, {
          type,
          more,
        }),
      ]),
    ),
  );
/** A call that is often sound: it quotes what may stand there. */
const call: fc.Arbitrary<Call> = fc
  .record({
    name: fc.constantFrom(
      'merge_memories',
      'rewrite_memory',
      'retype_memory',
      'archive_memory',
      'list_memories',
      'Bash',
    ),
    path: fc.constantFrom(...NAMES, 'new.md', '../x.md', 'MEMORY.md', '.hidden.md'),
    from: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
    body: fc.option(body, { nil: undefined }),
    type: fc.constantFrom('project', 'reference', 'user', 'story'),
    quoted: fc.array(fc.tuple(fc.constantFrom(...NAMES, 's1', 'repository'), statement), {
      maxLength: 4,
    }),
    removed: fc.array(fc.tuple(statement, fc.constantFrom(...NAMES, 's1'), statement), {
      maxLength: 3,
    }),
    isWild: fc.boolean(),
  })
  .map(({ name, path, from, body: text, type, quoted, removed, isWild }) => ({
    name,
    input: isWild
      ? {
          path,
          into: path,
          from,
          body: text,
          type,
          reason: 'r',
          quotes: quoted.map(([s, q]) => quote(s, q)),
          removes: removed.map(([q, s, b]) => removal(q, s, b)),
        }
      : {
          ...{ path, into: path, from, body: text, type, reason: 'r' },
          // a word that stands in every file
          quotes: [...from, path].map((source) => quote(source, 'opened at')),
          removes: [],
        },
  }));
const calls = fc.array(call, { maxLength: 8 });
const said = fc.array(statement, { maxLength: 4 });

describe('of any folder and any child', () => {
  test('E6 what is applied and then undone has the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(folder, calls, said, async (files, made, texts) => {
        const { runFork } = child(made);
        const { dream, memory, visible, inbox } = testDream(files, {
          ...{ runFork, mostRemoved: 1, sessions: sessionsOf({ s1: texts }) },
        });
        await memory.rebuild();
        const before = await visible();
        const result = await dream.dreamNow();
        if (result.kind !== 'completed') throw new Error(JSON.stringify(result));
        if (result.report.changeId !== undefined) {
          expect((await dream.undo()).kind).toBe('undone');
          expect(await inbox()).toEqual([]);
        }
        expect(await visible()).toBe(before);
      }),
      runs,
    );
  });

  test('222 a second dream changes no byte; pinned files and what they say never change', async () => {
    await fc.assert(
      fc.asyncProperty(folder, calls, said, async (files, made, texts) => {
        const { dream, visible, textOf } = testDream(files, {
          ...{ runFork: child(made).runFork, sessions: sessionsOf({ s1: texts }) },
        });
        await dream.dreamNow();
        const after = await visible();
        for (const [path, text] of Object.entries(files))
          if (text.includes('pinned: true')) expect(await textOf(path)).toBe(text);
        expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
        expect(await visible()).toBe(after);
      }),
      runs,
    );
  });

  test('222 without anything said since, every statement stands somewhere afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(folder, calls, async (files, made) => {
        const { dream, memory, textOf } = testDream(files, {
          ...{ runFork: child(made).runFork, mostRemoved: 1 },
        });
        await dream.dreamNow();
        const { files: left } = await memory.scan();
        const texts = await Promise.all(left.map(({ path }) => textOf(path)));
        const all = texts.join('\n');
        for (const text of Object.values(files))
          for (const line of text.split('\n').filter((each) => each.startsWith('The ')))
            expect(all).toContain(line);
      }),
      runs,
    );
  });

  test('a child that fails, hangs or is ended after any of its calls leaves every byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        folder,
        calls,
        fc.constantFrom('fails', 'throws', 'ends'),
        async (files, made, end) => {
          const store = inMemoryFolder(files);
          const { runFork } = child(made);
          const { dream, visible } = testDream(store, {
            async runFork(fork) {
              await runFork(fork);
              if (end === 'fails') return { kind: 'failed', reason: 'r' };
              if (end === 'throws') throw new Error('broken');
              dream.kill();
              return new Promise(() => undefined);
            },
          });
          const before = await visible();
          const result = await dream.dreamNow();
          expect(result.kind).toBe(end === 'ends' ? 'killed' : 'failed');
          expect(await visible()).toBe(before);
          expect((await store.list('.inbox')).files).toEqual([]);
        },
      ),
      runs,
    );
  });
});
