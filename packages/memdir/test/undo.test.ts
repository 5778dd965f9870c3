import { describe, expect, test } from 'vitest';
import { createMemdir, inMemoryFolder } from '../src/index.ts';
import type { SaveResult } from '../src/save.ts';
import { DAY_MS, fileText, NOW, newMemory, testMemory } from './support.ts';

const idOf = (result: SaveResult): string => {
  if (result.kind !== 'saved') throw new Error(JSON.stringify(result));
  return result.id;
};

describe('E6 undo of a change that others came after', () => {
  test('a save goes, with its line; what came later stays', async () => {
    const { memory, textOf } = testMemory({ 'MEMORY.md': '# Mine\n' });
    const first = idOf(await memory.save(newMemory('One', 'First one here.')));
    await memory.save(newMemory('Two', 'Second one here.'));
    expect(await memory.undo({ id: first })).toMatchObject({ kind: 'undone' });
    expect(await textOf('project_one.md')).toBe('');
    expect(await textOf('MEMORY.md')).toBe('# Mine\n- [Two](project_two.md) — About Two\n');
    expect((await memory.check()).ok).toBe(true);
    expect((await memory.rebuild()).kind).toBe('unchanged');
  });

  test('a forgotten file is back with the line that it had, and only its own tombstones are gone', async () => {
    const { memory, textOf } = testMemory({
      'MEMORY.md': '- [Mine](a.md) — in my words\n',
      'a.md': fileText('A', 'The user likes green tea.'),
      'b.md': fileText('B', 'The user likes black coffee.'),
    });
    const text = await textOf('a.md');
    const forgotten = await memory.forget('a.md', { reason: 'asked' });
    await memory.forget('b.md', { reason: 'asked' });
    await memory.save(newMemory('Two', 'Second one here.'));
    const { id } = forgotten as { readonly id: string };
    expect(await memory.undo({ id })).toMatchObject({ kind: 'undone' });
    expect(await textOf('a.md')).toBe(text);
    expect(await textOf('MEMORY.md')).toBe(
      '- [Two](project_two.md) — About Two\n- [Mine](a.md) — in my words\n',
    );
    const again = (body: string) => memory.save(newMemory(`Again ${body.length}`, body));
    expect(await again('The user likes green tea.')).toMatchObject({ kind: 'saved' });
    expect(await again('The user likes black coffee.')).toMatchObject({ reason: 'forgotten' });
  });

  const SHARED = 'Deploy with helm on Fridays.';
  test.each([
    ['the same text', SHARED, SHARED],
    ['one sentence of two', `${SHARED}\n\nPostgres on 5432.`, `${SHARED}\n\nRedis on 6379.`],
  ])(
    'two files that share %s, both forgotten: each undo takes back the last change',
    async (_, a, b) => {
      const { memory } = testMemory();
      await memory.save(newMemory('a', a, { path: 'a.md' }));
      await memory.save(newMemory('b', b, { path: 'b.md' }));
      for (const path of ['a.md', 'b.md']) await memory.forget(path, { reason: 'asked' });
      const left: string[] = [];
      for (let at = 0; at < 5; at++) {
        const { kind } = await memory.undo();
        const { files } = await memory.scan();
        left.push(`${kind} ${files.map(({ path }) => path).sort()}`);
      }
      expect(left).toEqual(['undone b.md', 'undone a.md,b.md', 'undone a.md', 'undone ', 'none ']);
      expect((await memory.check()).ok).toBe(true);
    },
  );

  test('two files that share a sentence: the second forgetting is taken back also after a later save', async () => {
    const { memory } = testMemory();
    await memory.save(newMemory('a', SHARED, { path: 'a.md' }));
    await memory.save(newMemory('b', `${SHARED}\n\nRedis on 6379.`, { path: 'b.md' }));
    await memory.forget('a.md', { reason: 'asked' });
    const { id } = (await memory.forget('b.md', { reason: 'asked' })) as { readonly id: string };
    await memory.save(newMemory('Two', 'Second one here.'));
    expect(await memory.undo({ id })).toMatchObject({ kind: 'undone' });
    expect((await memory.scan()).files.map(({ path }) => path)).toContain('b.md');
  });

  test('a supersession gives back what it took the place of; an edit gives back the text before it', async () => {
    const { memory, textOf } = testMemory();
    await memory.save(newMemory('Port', 'It is 1 for now.'));
    const over = idOf(
      await memory.save(newMemory('Door', 'It is 2 for now.', { supersedes: ['project_port.md'] })),
    );
    await memory.save(newMemory('Other', 'Another one here.'));
    expect(await memory.undo({ id: over })).toMatchObject({ kind: 'undone' });
    const { files } = await memory.scan();
    expect(files.map(({ path }) => path).sort()).toEqual(['project_other.md', 'project_port.md']);
    const basis = (await memory.read('project_port.md'))?.hash;
    const before = await textOf('project_port.md');
    const edit = idOf(
      await memory.save(
        newMemory('Port', 'It is 3 for now.', {
          path: 'project_port.md',
          basis,
          description: 'new',
        }),
      ),
    );
    await memory.save(newMemory('Last', 'The last one here.'));
    expect(await memory.undo({ id: edit })).toMatchObject({ kind: 'undone' });
    expect(await textOf('project_port.md')).toBe(before);
    expect(await textOf('MEMORY.md')).toContain('- [Port](project_port.md) — About Port\n');
    expect((await memory.check()).ok).toBe(true);
  });

  test('what was forgotten since does not come back by it', async () => {
    const { memory } = testMemory();
    await memory.save(newMemory('Tea', 'The user likes green tea.'));
    const over = idOf(
      await memory.save(
        newMemory('Drinks', 'The user likes hot drinks.', { supersedes: ['project_tea.md'] }),
      ),
    );
    await memory.save(newMemory('Green', 'The user likes green tea.'));
    await memory.forget('project_green.md', { reason: 'asked' });
    expect(await memory.undo({ id: over })).toEqual({
      kind: 'conflict',
      paths: ['project_tea.md'],
    });
  });

  test('a rebuild that others came after is a conflict, and what is undone is not undone again', async () => {
    const { memory } = testMemory({ 'a.md': fileText('A', 'First one here.') });
    const rebuilt = await memory.rebuild();
    const saved = idOf(await memory.save(newMemory('Two', 'Second one here.')));
    const id = rebuilt.kind === 'rebuilt' ? rebuilt.id : '';
    expect(await memory.undo({ id })).toMatchObject({ kind: 'conflict' });
    expect(await memory.undo({ id: saved })).toMatchObject({ kind: 'undone' });
    expect(await memory.undo({ id: saved })).toEqual({ kind: 'none', reason: 'already-undone' });
    expect(await memory.undo()).toMatchObject({ kind: 'undone', record: { kind: 'rebuild' } });
  });

  test('an undo that is undone leaves the change to be undone once more', async () => {
    const { memory, textOf } = testMemory();
    await memory.save(newMemory('One', 'First one here.'));
    const undone = await memory.undo();
    const { id } = undone as { readonly id: string };
    expect(await memory.undo({ id })).toMatchObject({ kind: 'undone' });
    expect(await textOf('project_one.md')).toContain('First one here.');
    expect(await memory.undo()).toMatchObject({ kind: 'undone', record: { kind: 'save' } });
    expect(await textOf('project_one.md')).toBe('');
  });

  test('the last change is the last that was made, also after the clock was set back, and past 9,999', async () => {
    const { memory, clock, folder } = testMemory();
    await memory.save(newMemory('One', 'First one here.'));
    clock.nowMs = NOW - 3 * DAY_MS;
    await memory.save(newMemory('Two', 'Second one here.'));
    const [last] = await memory.history();
    expect(last?.files[0]?.path).toBe('project_two.md');
    await folder.replace('.archive/2026-11-01/9999/files/x', 'x', { basis: undefined });
    await memory.save(newMemory('Three', 'Third one here.'));
    await memory.save(newMemory('Four', 'Fourth one here.'));
    expect((await memory.history()).map(({ files }) => files[0]?.path)).toEqual([
      'project_four.md',
      'project_three.md',
      'project_two.md',
      'project_one.md',
    ]);
  });
});

describe('E6 a note of an interrupted change that others wrote', () => {
  const hash = async (path: string, files: Readonly<Record<string, string>>) =>
    (await testMemory(files).memory.read(path))?.hash;
  const files = { 'precious.md': fileText('Precious', 'Precious text of mine.') };
  const pendingOf = (record: object): string =>
    JSON.stringify({ id: '2026-11-30/0001', at: 'x', kind: 'save', reason: 'r', ...record });

  test.each([
    ['no JSON', () => '{"half'],
    ['an id that leads out', () => pendingOf({ id: '../../..', files: [] })],
    [
      'a path that leads out',
      () => pendingOf({ files: [{ path: '../x.md', before: null, after: 'a' }] }),
    ],
    [
      'a path into the archive',
      () => pendingOf({ files: [{ path: '.archive/x.md', before: null, after: 'a' }] }),
    ],
    ['no files', () => pendingOf({ files: 'x' })],
    ['files that are none', () => pendingOf({ files: [null, 7] })],
  ])('%s: it goes, and the next change is made', async (_, make) => {
    const { memory, textOf } = testMemory({ ...files, '.archive/pending.json': make() });
    expect((await memory.check()).counts.interrupted).toBe(1);
    expect((await memory.save(newMemory('New', 'Third one here.'))).kind).toBe('saved');
    expect(await textOf('precious.md')).toBe(files['precious.md']);
    expect((await memory.check()).counts.interrupted).toBeUndefined();
  });

  test('one that says that a file is new takes no text away: it is in the archive', async () => {
    const after = await hash('precious.md', files);
    const record = {
      files: [
        { path: 'precious.md', before: null, after },
        { path: 'b.md', before: null, after: 'no' },
      ],
    };
    const folder = inMemoryFolder({ ...files, '.archive/pending.json': pendingOf(record) });
    await createMemdir({ folder, now: () => NOW }).save(newMemory('New', 'Third one here.'));
    const kept = await folder.read('.archive/2026-11-30/0001/taken-back/precious.md');
    expect(kept?.text).toBe(files['precious.md']);
  });

  test('a text in the archive that is not what the note says is not put back', async () => {
    const after = await hash('precious.md', files);
    const record = {
      files: [
        { path: 'precious.md', before: 'other', after },
        { path: 'b.md', before: null, after: 'no' },
      ],
    };
    const { memory, textOf } = testMemory({
      ...files,
      '.archive/pending.json': pendingOf(record),
      '.archive/2026-11-30/0001/files/precious.md': 'forged',
    });
    await memory.save(newMemory('New', 'Third one here.'));
    expect(await textOf('precious.md')).toBe(files['precious.md']);
  });
});
