import { describe, expect, test } from 'vitest';
import { fileText, newMemory, testMemory } from './support.ts';

const pointer = (path: string) => `- [${path}](${path}) — what it says`;
const indexOf = (paths: readonly string[]) => `${paths.map(pointer).join('\n')}\n`;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `m${at + 1}.md`);

describe('D2 loading the index', () => {
  test('none is empty, a short one is given as it is', async () => {
    expect(await testMemory().memory.loadIndex()).toMatchObject({ text: '', cutBy: undefined });
    const text = '# Memory\n\n- [A](a.md) — b\n';
    const { memory } = testMemory({ 'MEMORY.md': text });
    expect(await memory.loadIndex()).toEqual({
      ...{ text: text.trimEnd(), cutBy: undefined, warning: undefined },
      ...{ leftOut: 0, leftOutPaths: [] },
    });
  });

  test.each([
    [200, undefined],
    [201, 'lines'],
  ] as const)('%i lines: cut by %s', async (count, cutBy) => {
    const { memory } = testMemory({ 'MEMORY.md': indexOf(numbered(count)) });
    const loaded = await memory.loadIndex();
    expect(loaded.cutBy).toBe(cutBy);
    if (cutBy === undefined) return;
    expect(loaded.warning).toContain(
      'limit of 200 lines: 2 of its 201 lines are not shown (m200.md, m201.md)',
    );
    expect(loaded.text.split('\n')).toHaveLength(200); // the warning is one of them
  });

  test('the second limit cuts 200 very long lines at line ends, and the warning names it', async () => {
    const lines = numbered(200).map((path) => `${pointer(path)} ${'é'.repeat(500)}`);
    const { memory } = testMemory({ 'MEMORY.md': `${lines.join('\n')}\n` });
    const { text, cutBy, warning, leftOut } = await memory.loadIndex();
    expect(cutBy).toBe('bytes');
    expect(warning).toContain('limit of 25000 bytes');
    const shown = text.split('\n').slice(1);
    expect(shown.every((line) => lines.includes(line))).toBe(true);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(25_000); // the warning too
    expect(leftOut).toBe(200 - shown.length);
  });

  test('106 past the limit the newest feedback and user lines stay, and what is left out is named', async () => {
    const paths = numbered(205);
    const files = Object.fromEntries(
      paths.map((path, at) => [
        path,
        fileText(path, `Text ${at}.`, {
          type: at === 204 || at === 1 ? 'feedback' : 'project',
          modified: new Date(Date.parse('2026-01-01') + at * 3_600_000).toISOString(),
        }),
      ]),
    );
    const { memory } = testMemory({ ...files, 'MEMORY.md': `# Index\n${indexOf(paths)}` });
    const { text, leftOutPaths, leftOut } = await memory.loadIndex();
    expect(text).toContain('(m205.md)');
    expect(text).toContain('(m2.md)'); // older than those that are left out
    expect(leftOutPaths).toEqual(['m1.md', 'm3.md', 'm4.md', 'm5.md', 'm6.md', 'm7.md']);
    expect(leftOut).toBe(7); // the heading too
    const shown = text.split('\n').slice(1);
    expect(shown).toEqual(
      indexOf(['m2.md', ...paths.slice(7)])
        .trimEnd()
        .split('\n'),
    ); // in the order of the file
  });

  test('106 what supersedes takes the line of what it replaces, and the room that is left is told', async () => {
    const { memory, textOf } = testMemory();
    await memory.save(newMemory('Old port', 'The port is 5432.'));
    await memory.save(newMemory('Other', 'Another thing.'));
    const saved = await memory.save(
      newMemory('New port', 'The port is 5433.', { supersedes: ['project_old_port.md'] }),
    );
    expect(saved).toMatchObject({
      kind: 'saved',
      index: { lines: 2, maxLines: 200, maxBytes: 25_000 },
    });
    expect((await textOf('MEMORY.md')).split('\n')[0]).toContain('(project_new_port.md)');
    expect(await textOf('project_old_port.md')).toBe('');
  });

  test('214 at 199 lines two new files are kept, the index has 200, and the last is found by recall', async () => {
    const { memory, textOf } = testMemory({ 'MEMORY.md': indexOf(numbered(199)) });
    const first = await memory.save(newMemory('Alpha gate', 'The alpha gate opens at nine.'));
    const second = await memory.save(
      newMemory('Omega valve', 'The omega valve is closed on Sundays.'),
    );
    expect([first, second]).toMatchObject([{ isIndexed: true }, { isIndexed: false }]);
    expect(second.kind === 'saved' && second.notices).toHaveLength(1);
    expect((await textOf('MEMORY.md')).trimEnd().split('\n')).toHaveLength(200);
    const result = await memory.startRecall().recall('when is the omega valve closed');
    expect(result).toMatchObject({ memories: [{ path: 'project_omega_valve.md' }] });
  });

  test('a line has at most 150 characters, and nothing of a description becomes a link or a line', async () => {
    const { memory, textOf } = testMemory();
    await memory.save(
      newMemory(`Long ${'name '.repeat(40)}`, 'Body one.', {
        description: `a [b](c.md)\n- [d](e.md) ${'word '.repeat(90)}`,
      }),
    );
    await memory.save(newMemory('One (two) [three]', 'Body two.', { path: 'a (b).md' }));
    const lines = (await textOf('MEMORY.md')).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(150);
    const report = await memory.check();
    expect(report).toMatchObject({ ok: true, pointers: 2 });
  });

  test('the index of team memory is its own', async () => {
    const { memory, textOf } = testMemory({ 'MEMORY.md': '# Mine\n' });
    await memory.save(newMemory('Gate', 'It opens at nine.', { path: 'team/gate.md' }));
    expect(await textOf('MEMORY.md')).toBe('# Mine\n');
    expect(await textOf('team/MEMORY.md')).toBe('- [Gate](gate.md) — About Gate\n');
    expect((await memory.scan()).files).toMatchObject([{ path: 'team/gate.md' }]);
  });
});

describe('D2 check and rebuild', () => {
  test('108 drift is named exactly; rebuild mends it, and touches no body and no line of others', async () => {
    const { memory, folder, textOf } = testMemory({
      'MEMORY.md': '# Mine\n\n- [Gone](gone.md) — by hand\n',
    });
    for (const name of ['One', 'Two', 'Three'])
      await memory.save(newMemory(name, `Body of ${name}.`));
    await folder.remove('project_two.md', { basis: await textOf('project_two.md') });
    await folder.replace('added.md', fileText('Added', 'By hand.'), { basis: undefined });
    const { findings, ok } = await memory.check();
    expect(ok).toBe(false);
    expect(
      findings.map(({ kind, detail, path }) => [kind, kind === 'dangling' ? detail : path]),
    ).toEqual([
      ['dangling', 'gone.md'],
      ['dangling', 'project_two.md'],
      ['orphan', 'added.md'],
    ]);
    const bodies = await textOf('project_one.md');
    expect((await memory.rebuild()).kind).toBe('rebuilt');
    expect(await textOf('MEMORY.md')).toBe(
      `# Mine

- [Gone](gone.md) — by hand
- [One](project_one.md) — About One
- [Three](project_three.md) — About Three
- [Added](added.md) — About Added
`,
    );
    expect(await textOf('project_one.md')).toBe(bodies);
    expect((await memory.rebuild()).kind).toBe('unchanged');
  });

  test('lines of others keep every byte, whatever they end in', async () => {
    const mixed = '# Mine\r\n- [A](a.md) — one\n  \r\n- [B](b.md) — two';
    const { memory, textOf } = testMemory({
      'MEMORY.md': mixed,
      'a.md': fileText('A', 'First.'),
      'b.md': fileText('B', 'Second.'),
    });
    await memory.save(newMemory('New', 'Third.'));
    const line = '- [New](project_new.md) — About New';
    expect(await textOf('MEMORY.md')).toBe(`${mixed}\r\n${line}\r\n`);
    await memory.forget('project_new.md', { reason: 'asked' });
    expect(await textOf('MEMORY.md')).toBe(`${mixed}\r\n`);
    expect((await memory.rebuild()).kind).toBe('unchanged');
  });

  test('rebuild follows a changed description in lines of ours alone', async () => {
    const { memory, folder, textOf } = testMemory();
    await memory.save(newMemory('One', 'Body.'));
    const basis = await textOf('project_one.md');
    await folder.replace('project_one.md', basis.replace('About One', 'All new'), { basis });
    await memory.rebuild();
    expect(await textOf('MEMORY.md')).toBe('- [One](project_one.md) — All new\n');
    await folder.replace('MEMORY.md', '- [One](project_one.md) — my words\n', {
      basis: await textOf('MEMORY.md'),
    });
    await memory.rebuild();
    expect(await textOf('MEMORY.md')).toBe('- [One](project_one.md) — my words\n');
  });

  test('an index that holds memories is named and never rewritten', async () => {
    const store = '# Notes\nThe host is a.\nThe port is b.\n';
    const { memory, textOf } = testMemory({ 'MEMORY.md': store, 'a.md': fileText('A', 'Text.') });
    expect((await memory.check()).counts).toMatchObject({ 'store-like-index': 1, orphan: 1 });
    expect(await memory.rebuild()).toEqual({ kind: 'unchanged', left: ['a.md'] });
    expect(await textOf('MEMORY.md')).toBe(store);
  });

  test('118 two files with one name: the pair is named, the newest is shown, and an update is of the one shown', async () => {
    const { memory } = testMemory({
      'a.md': fileText('deploy-notes', 'Deploy with the blue script.', { modified: '2026-11-01' }),
      'b.md': fileText('Deploy notes', 'Deploy with the green script.', { modified: '2026-11-20' }),
    });
    expect((await memory.check()).findings).toContainEqual(
      expect.objectContaining({ kind: 'equal-names', path: 'a.md', detail: 'b.md' }),
    );
    const result = await memory.startRecall().recall('which script do we deploy with');
    expect(result).toMatchObject({ memories: [{ path: 'b.md' }] });
    const saved = await memory.save(newMemory('deploy notes', 'Deploy with the red script.'));
    expect(saved).toMatchObject({ kind: 'refused', reason: 'exists', path: 'b.md' });
  });

  test.each([
    ['Maße', 'MASSE'],
    ['Ｒelease', 'release'],
    ['re\u0301sume\u0301', 'R\u00c9SUM\u00c9'],
    ['soft\u00adly', 'softly'],
  ])('110 %j and %j are one name; an accent more is another', async (one, other) => {
    const { memory } = testMemory();
    expect((await memory.save(newMemory(one, 'First one here.'))).kind).toBe('saved');
    expect(await memory.save(newMemory(other, 'Second one here.'))).toMatchObject({
      reason: 'exists',
    });
    const accented = newMemory(`${other}\u0301`, 'Third one here.');
    expect((await memory.save(accented)).kind).toBe('saved');
  });

  test('equal texts, dead links, long lines, relative dates, headers, people in shared folders and pointers outside', async () => {
    const { memory } = testMemory(
      {
        'MEMORY.md': `${pointer('a.md')}\n${pointer('b.md')} ${'x'.repeat(150)}\n- [O](../../etc/x.md) — out\n- [T](a.md) — twice\n`,
        'a.md': fileText('A', 'See [[b]] and [[nobody]], not `[[code]]`. We decided it yesterday.'),
        'b.md': fileText('B', 'Same words here.'),
        'c.md': fileText('C', 'Same  words here.'),
        'd.md': 'No header.',
        'e.md': fileText('E', 'About Pat.', { type: 'user' }),
      },
      { isShared: true },
    );
    const { counts, findings } = await memory.check();
    expect(counts).toEqual({
      ...{ 'long-line': 1, outside: 1, 'pointed-twice': 1, orphan: 3, header: 1 },
      ...{ 'user-in-shared': 1, 'relative-date': 1, 'equal-files': 1, 'dead-link': 1 },
    });
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'dead-link', detail: 'nobody' }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'outside', line: 3 }));
  });
});

test.each([
  [200, undefined],
  [201, 1],
])('D2 an index of %s lines: too long %s', async (count, found) => {
  const { memory } = testMemory({ 'MEMORY.md': indexOf(numbered(count)) });
  expect((await memory.check()).counts['index-too-long']).toBe(found);
});
