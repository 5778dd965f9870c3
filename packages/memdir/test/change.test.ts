import { describe, expect, test } from 'vitest';
import type { FileChange } from '../src/index.ts';
import { fileText, newMemory, testMemory } from './support.ts';

async function setUp(files: Readonly<Record<string, string>> = {}, options = {}) {
  const setup = testMemory(files, options);
  await setup.memory.rebuild();
  const hashOf = async (path: string) => (await setup.memory.read(path))?.hash;
  return { ...setup, hashOf };
}

const PUMP = fileText('Pump', 'The pump runs at nine bar.');
const GATE = fileText('Gate', 'The gate opens at noon.');

describe('change', () => {
  test('E6 several files are one change, each with its reason, and undo gives back the same bytes', async () => {
    const { memory, textOf, hashOf, everything } = await setUp({
      'pump.md': PUMP,
      'gate.md': GATE,
    });
    const before = [await textOf('pump.md'), await textOf('gate.md'), await textOf('MEMORY.md')];
    const both = fileText('Pump and gate', 'The pump runs at nine bar.\nThe gate opens at noon.');
    const changed = await memory.change(
      [
        { path: 'both.md', basis: undefined, text: both, reason: 'merged' },
        ...(['pump.md', 'gate.md'] as const).map((path) => ({
          ...{ path, text: undefined, successor: 'both.md', reason: 'merged', quote: 'nine bar' },
        })),
      ].map((file): FileChange => ({ basis: undefined, ...file })),
      { reason: 'a dream' },
    );
    expect(changed).toEqual({ kind: 'conflict', paths: ['pump.md', 'gate.md'] }); // their bases were not given
    const done = await memory.change(
      [
        { path: 'both.md', basis: undefined, text: both, reason: 'merged' },
        {
          path: 'pump.md',
          basis: await hashOf('pump.md'),
          text: undefined,
          successor: 'both.md',
          reason: 'merged',
          quote: 'nine bar',
        },
        { path: 'gate.md', basis: await hashOf('gate.md'), text: undefined, reason: 'merged' },
      ],
      { reason: 'a dream' },
    );
    expect(done).toMatchObject({ kind: 'changed', left: [] });
    expect(await textOf('MEMORY.md')).toBe('- [Pump and gate](both.md) — About Pump and gate\n');
    expect((await memory.scan()).files.map(({ path }) => path)).toEqual(['both.md']);
    const [record] = await memory.history();
    expect(record).toMatchObject({ kind: 'dream', reason: 'a dream' });
    expect(record?.files.find(({ path }) => path === 'pump.md')).toMatchObject({
      ...{ reason: 'merged', quote: 'nine bar', after: null },
    });
    expect(await everything()).toContain('nine bar');
    expect((await memory.undo()).kind).toBe('undone');
    expect([await textOf('pump.md'), await textOf('gate.md'), await textOf('MEMORY.md')]).toEqual(
      before,
    );
  });

  test.each([
    ['pinned', { path: 'pin.md', text: fileText('Pin', 'Other.') }],
    ['pinned', { path: 'pin.md', text: undefined }],
    ['secret', { path: 'new.md', text: fileText('New', `The token is ghp_${'a1B2'.repeat(9)}.`) }],
    [
      'user-in-shared',
      { path: 'team/new.md', text: fileText('New', 'Likes tea.', { type: 'user' }) },
    ],
    ['unknown-type', { path: 'new.md', text: fileText('New', 'Text.', { type: 'story' }) }],
    ['no-name', { path: 'new.md', text: 'No header at all.' }],
    ['bad-path', { path: '../new.md', text: fileText('New', 'Text.') }],
    ['bad-path', { path: '.inbox/../new.md', text: fileText('New', 'Text.') }],
    ['bad-path', { path: 'MEMORY.md', text: fileText('New', 'Text.') }],
    ['exists', { path: 'Pump.md', text: fileText('New', 'Text.') }],
    ['forgotten', { path: 'new.md', text: fileText('New', 'The editor is Vim every day.') }],
  ])('203 223 %s refuses all of it: %j', async (reason, file) => {
    const { memory, everything, hashOf } = await setUp({
      'pin.md': PUMP.replace('type:', 'pinned: true\ntype:'),
      'pump.md': PUMP,
    });
    await memory.save(newMemory('Editor', 'The editor is Vim every day.', { path: 'vim.md' }));
    await memory.forget('vim.md', { reason: 'asked' });
    const before = await everything();
    const basis = file.path === 'pin.md' ? await hashOf('pin.md') : undefined;
    const good = { path: 'good.md', basis: undefined, text: fileText('Good', 'Fine text here.') };
    expect(await memory.change([good, { ...file, basis }], { reason: 'a dream' })).toMatchObject({
      ...{ kind: 'refused', reason },
    });
    expect(await everything()).toBe(before);
  });

  test('a file that says what was forgotten, because the user asked again, may be merged', async () => {
    const { memory, hashOf } = await setUp();
    const said = 'The editor is Vim every day.';
    await memory.save(newMemory('Editor', said, { path: 'vim.md' }));
    await memory.forget('vim.md', { reason: 'asked' });
    await memory.save(newMemory('Editor', said, { path: 'vim.md', asked: true }));
    expect(
      await memory.change(
        [
          { path: 'tools.md', basis: undefined, text: fileText('Tools', said) },
          { path: 'vim.md', basis: await hashOf('vim.md'), text: undefined },
        ],
        { reason: 'a dream' },
      ),
    ).toMatchObject({ kind: 'changed' });
  });

  test('the same again is no change, and lines of a person stay', async () => {
    const hand = '# Mine\n- [My pump](pump.md) — by hand\n';
    const { memory, hashOf, textOf } = await setUp({ 'MEMORY.md': hand, 'pump.md': PUMP });
    const basis = await hashOf('pump.md');
    expect(
      await memory.change([{ path: 'pump.md', basis, text: PUMP }], { reason: 'a dream' }),
    ).toEqual({ kind: 'unchanged', left: [] });
    const text = PUMP.replace('nine', 'ten');
    await memory.change([{ path: 'pump.md', basis, text }], { reason: 'a dream' });
    expect(await textOf('MEMORY.md')).toBe(hand);
  });

  test('what waits in the inbox is in no list and no index', async () => {
    const { memory, textOf } = await setUp({ 'pump.md': PUMP });
    const text = fileText('Proposal', 'To be looked at.');
    await memory.change([{ path: '.inbox/dream-1.md', basis: undefined, text }], { reason: 'r' });
    expect((await memory.inbox()).map(({ path }) => path)).toEqual(['.inbox/dream-1.md']);
    expect((await memory.scan()).files.map(({ path }) => path)).toEqual(['pump.md']);
    expect(await textOf('MEMORY.md')).not.toContain('inbox');
  });
});

test('D13 the log of a day is no memory: not listed, not recalled, in no index', async () => {
  const { memory, textOf } = await setUp({
    'logs/2026/11/2026-11-29.md': '- The pump was mended at nine.\n',
    'logs/2026/11/pump.md': PUMP,
  });
  expect((await memory.scan()).files.map(({ path }) => path)).toEqual(['logs/2026/11/pump.md']);
  expect((await memory.check()).counts).toEqual({});
  expect((await memory.startRecall().recall('was the pump mended?')).kind).toBe('recalled');
  expect(await textOf('MEMORY.md')).not.toContain('2026-11-29');
});
