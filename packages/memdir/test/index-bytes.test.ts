import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../../internal/src/share.ts';
import { createMemdir } from '../src/index.ts';
import { lineFor, linksTo, readIndex } from '../src/index-lines.ts';
import { checkPath, resolveLink } from '../src/path.ts';
import { fileText, NOW, newMemory, testMemory } from './support.ts';

const A = fileText('A', 'First one here.');
const B = fileText('B', 'Second one here.');

describe('D2 lines of others keep every byte', () => {
  test.each([
    ['CR', '\r'],
    ['CRLF', '\r\n'],
    ['LF', '\n'],
  ])(
    '113 an index with %s alone loses the line of what is forgotten, and no other',
    async (_, end) => {
      const lines = ['# Mine', '', '- [A](a.md) — one', '- [B](b.md) — two', 'A rule.', ''];
      const { memory, textOf } = testMemory({ 'MEMORY.md': lines.join(end), 'a.md': A, 'b.md': B });
      await memory.forget('a.md', { reason: 'asked' });
      const left = ['# Mine', '', '- [B](b.md) — two', 'A rule.', ''];
      expect(await textOf('MEMORY.md')).toBe(left.join(end));
      await memory.save(newMemory('New', 'Third one here.'));
      expect(await textOf('MEMORY.md')).toBe(
        [...left.slice(0, -1), '- [New](project_new.md) — About New', ''].join(end),
      );
    },
  );

  test('113 mixed line ends stay mixed; a new line ends as most do; an index without an end gets one', async () => {
    const mixed = '\uFEFF# Mine\n\n- [A](a.md)\r\n- [B](b.md)\rText\r\nMore\r\nlast';
    const { memory, textOf } = testMemory({ 'MEMORY.md': mixed, 'a.md': A, 'b.md': B });
    await memory.save(newMemory('New', 'Third one here.'));
    expect(await textOf('MEMORY.md')).toBe(`${mixed}\r\n- [New](project_new.md) — About New\r\n`);
    await memory.forget('a.md', { reason: 'asked' });
    expect(await textOf('MEMORY.md')).toBe(
      `${mixed.replace('- [A](a.md)\r\n', '')}\r\n- [New](project_new.md) — About New\r\n`,
    );
  });

  test('113 a line of others ends as it did, also the last one, where most lines end otherwise', async () => {
    const mixed = '# Mine\r\n- [A](a.md) — one\nText\n';
    const { memory, textOf } = testMemory({ 'MEMORY.md': mixed, 'a.md': A });
    await memory.save(newMemory('New', 'Third one here.'));
    expect(await textOf('MEMORY.md')).toBe(`${mixed}- [New](project_new.md) — About New\n`);
  });

  test.each([
    ['- [A](a.md), [B](b.md) — both', '- [B](b.md) — both'],
    ['- [B](b.md), [A](a.md) — both', '- [B](b.md) — both'],
    ['| [A](a.md) | [B](b.md) |', '|  | [B](b.md) |'],
    ['- [B](b.md) — see [A](a.md)', '- [B](b.md) — see '],
    ['- [A](a.md) — and [A again](a.md)', undefined],
  ])('a line that leads elsewhere too, %j, loses the one link', async (line, left) => {
    const { memory, textOf } = testMemory({
      'MEMORY.md': `# M\n${line}\nEnd.\n`,
      ...{ 'a.md': A, 'b.md': B },
    });
    await memory.forget('a.md', { reason: 'asked' });
    expect(await textOf('MEMORY.md')).toBe(`# M\n${left === undefined ? '' : `${left}\n`}End.\n`);
  });

  test('a link of a line with two gives way to what supersedes its file, and no file gets two lines', async () => {
    const { memory, textOf } = testMemory({
      'MEMORY.md': '- [A](a.md), [B](b.md) — both\n',
      ...{ 'a.md': A, 'b.md': B },
    });
    await memory.save(newMemory('New', 'Third one here.', { supersedes: ['a.md'] }));
    expect(await textOf('MEMORY.md')).toBe('- [New](project_new.md), [B](b.md) — both\n');
    const basis = (await memory.read('project_new.md'))?.hash;
    await memory.save(
      newMemory('New', 'Fourth one here.', { path: 'project_new.md', basis, supersedes: ['b.md'] }),
    );
    expect(await textOf('MEMORY.md')).toBe('- [New](project_new.md) — both\n');
  });

  test('a line of a megabyte of brackets is read', () => {
    // Where each bracket reads to the end this takes an hour.
    for (const mark of ['[', '[](x', '[a](<', '[](a "', '[](a(']) {
      readIndex('MEMORY.md', `- ${mark.repeat(1_000_000 / mark.length)}`);
    }
  });
});

describe('D2 an index that cannot be edited stays as it is', () => {
  /** A folder in which the index holds bytes that are no text: what is read has marks in place of them. */
  function damaged(index: string) {
    const { folder, textOf } = testMemory({ 'MEMORY.md': index, 'a.md': A });
    const read: typeof folder.read = async (path, call) => {
      const found = await folder.read(path, call);
      return found === undefined || path !== 'MEMORY.md' ? found : { ...found, isText: false };
    };
    return { memory: createMemdir({ folder: { ...folder, read }, now: () => NOW }), textOf };
  }

  test('one that is no UTF-8 keeps its bytes through save, forget and rebuild, and all say so', async () => {
    const index = '- [A](a.md) — caf\uFFFD\n';
    const { memory, textOf } = damaged(index);
    const saved = await memory.save(newMemory('New', 'Third one here.'));
    expect(saved).toMatchObject({ kind: 'saved', isIndexed: false });
    expect(saved.kind === 'saved' && saved.notices.join()).toContain('no text in UTF-8');
    expect(await memory.forget('a.md', { reason: 'asked' })).toMatchObject({ kind: 'forgotten' });
    expect(await memory.rebuild()).toEqual({ kind: 'unchanged', left: ['project_new.md'] });
    expect(await textOf('MEMORY.md')).toBe(index);
    expect((await memory.check()).findings).toContainEqual(
      expect.objectContaining({ kind: 'not-opened', path: 'MEMORY.md' }),
    );
  });
});

describe('D2 what is written leads to its file', () => {
  test.each([
    'a#b.md',
    'what?.md',
    'a%20b.md',
    'a\\b.md',
    'c:x.md',
    '~x.md',
    '(a) [b].md',
    're\u0301.md',
    'x"y.md',
  ])('%j, named by a hand, is indexed, forgotten with its line, and comes back', async (path) => {
    const { memory, textOf, folder } = testMemory({ [path]: fileText('Odd', 'Odd text of mine.') });
    expect(await memory.rebuild()).toMatchObject({ kind: 'rebuilt', left: [] });
    expect(await memory.check()).toMatchObject({ ok: true, pointers: 1 });
    expect((await memory.rebuild()).kind).toBe('unchanged');
    expect(await memory.forget(path.normalize('NFC'), { reason: 'asked' })).toMatchObject({
      kind: 'forgotten',
      path,
    });
    expect([await textOf('MEMORY.md'), (await folder.list('')).files.length]).toEqual(['', 1]);
    await memory.undo();
    expect(await textOf(path)).toContain('Odd text of mine.');
    expect((await memory.check()).ok).toBe(true);
  });

  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .map((names) => `${names.join('/')}.md`);

  test('law: the link of any file that may be saved is read back as its path', () => {
    fc.assert(
      fc.property(path, fc.constantFrom('MEMORY.md', 'team/MEMORY.md'), (given, index) => {
        const checked = checkPath(index === 'MEMORY.md' ? given : `team/${given}`);
        if (checked.kind === 'refused') return;
        const line = lineFor(index, { path: checked.path, name: 'N', description: 'd' });
        const [read] = readIndex(index, line);
        expect(read).toMatchObject({ kind: 'pointer', path: checked.path });
        expect(linksTo(index, checked.path)(read as never)).toHaveLength(1);
      }),
      { numRuns: lawRuns },
    );
  });

  test.each([
    ['..%2f..%2fetc%2fx.md', undefined],
    ['..%5C..%5Cx.md', undefined],
    ['%2Fetc%2Fx.md', undefined],
    ['C:\\x.md', undefined],
    ['a%5Cb.md', 'a\\b.md'],
    ['a/../b.md', 'b.md'],
    ['../b.md', undefined],
  ])('D7 %j leads to %j', (target, to) => {
    expect(resolveLink('', target)).toBe(to);
  });

  test('110 a pointer in composed form leads to a file in decomposed form', async () => {
    const { memory } = testMemory({
      'MEMORY.md': '- [R](r\u00e9.md) — mine\n',
      're\u0301.md': fileText('R', 'Text of mine.'),
    });
    expect((await memory.check()).counts).toEqual({});
    expect((await memory.rebuild()).kind).toBe('unchanged');
    expect(await memory.read('r\u00e9.md')).toMatchObject({ path: 're\u0301.md' });
  });
});

describe('D2 limits', () => {
  const long = (count: number) =>
    Array.from({ length: count }, (_, at) => `- [M](m${at}.md) — ${'word '.repeat(30)}`);

  test.each([
    [200, 25_000, 500],
    [10, 25_000, 500],
    [200, 900, 40],
    [3, 500, 40],
    [1, 25_000, 5],
  ])('the warning is within %i lines and %i bytes', async (maxLines, maxBytes, count) => {
    const { memory } = testMemory({ 'MEMORY.md': long(count).join('\r\n') });
    const { text, warning, leftOut } = await memory.loadIndex({ maxLines, maxBytes });
    expect(text.split('\n').length).toBeLessThanOrEqual(maxLines);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(maxBytes);
    expect(text.startsWith(warning as string)).toBe(true);
    expect(leftOut).toBe(count + 1 - text.split('\n').length);
  });

  test('where there is no room for the warning itself nothing is shown, and the warning is told apart', async () => {
    const { memory } = testMemory({ 'MEMORY.md': long(5).join('\n') });
    expect(await memory.loadIndex({ maxBytes: 20 })).toMatchObject({
      ...{ text: '', leftOut: 5, cutBy: 'bytes', warning: expect.stringContaining('20 bytes') },
    });
  });

  test('an index that is as long as it may be is loaded whole, fits for check, and is full for save', async () => {
    const text = long(140).join('\n');
    const exact = `${text}${'x'.repeat(25_000 - Buffer.byteLength(text))}`;
    const { memory } = testMemory({ 'MEMORY.md': `${exact.replaceAll('\n', '\r\n')}\r\n` });
    expect((await memory.loadIndex()).cutBy).toBeUndefined();
    expect((await memory.check()).counts['index-too-long']).toBeUndefined();
    expect(await memory.save(newMemory('New', 'Third one here.'))).toMatchObject({
      ...{ isIndexed: false, index: { bytes: 25_000, maxBytes: 25_000 } },
    });
  });
});

describe('D2 rebuild touches what was written here alone', () => {
  test('lines of ours in an index that has become a store stay, and so do those of files that cannot be read', async () => {
    const { memory, folder, textOf } = testMemory();
    await memory.save(newMemory('One', 'First one here.'));
    await memory.save(newMemory('Two', 'Second one here.'));
    const basis = await textOf('project_one.md');
    const read: typeof folder.read = async (path, call) =>
      path === 'project_two.md'
        ? Promise.reject(new (await import('../src/index.ts')).MemdirError('not-read', 'no'))
        : folder.read(path, call);
    const other = createMemdir({ folder: { ...folder, read }, now: () => NOW });
    expect((await other.scan()).ignored).toEqual([
      { path: 'project_two.md', reason: 'unreadable' },
    ]);
    expect(await other.rebuild()).toEqual({ kind: 'unchanged', left: [] });
    expect((await other.check()).counts).toEqual({ 'not-opened': 1 });
    await folder.remove('project_one.md', { basis });
    const store = `${await textOf('MEMORY.md')}One fact.\nAnother fact.\nA third fact.\n`;
    await folder.replace('MEMORY.md', store, { basis: await textOf('MEMORY.md') });
    expect(await memory.rebuild()).toMatchObject({ kind: 'unchanged' });
    expect(await textOf('MEMORY.md')).toBe(store);
  });
});
