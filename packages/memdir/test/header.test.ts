import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatText, parseText } from '../src/header.ts';
import { newMemory, testMemory } from './support.ts';

const FLAT = `---
name: Build cache
description: "Where it is: on the build host"
type: reference
originSessionId: 7f
modified: 2026-11-02
---

It is on the host.
`;

const NESTED = `<!-- made by hand -->

---
name: Build cache
description: >
  Where it is,
  and why
metadata:
  node_type: memory
  type: reference
  originSessionId: 7f
  modified: 2026-11-02T10:00:00Z
---
It is on the host.
`;

describe('D1 D16 headers', () => {
  test('the flat shape is read', () => {
    const { header, shape, body } = parseText(FLAT);
    expect(header).toMatchObject({
      ...{ name: 'Build cache', description: 'Where it is: on the build host' },
      ...{ type: 'reference', modified: '2026-11-02' },
    });
    expect([shape, body]).toEqual(['flat', 'It is on the host.\n']);
  });

  test('the shape with metadata is read, behind a comment and with a folded text', () => {
    const { header, shape, body, lead } = parseText(NESTED);
    expect(header).toMatchObject({
      ...{ name: 'Build cache', description: 'Where it is, and why' },
      ...{ type: 'reference', modified: '2026-11-02T10:00:00Z' },
    });
    expect([shape, body, lead]).toEqual([
      'metadata',
      'It is on the host.\n',
      '<!-- made by hand -->\n\n',
    ]);
  });

  test('the flat shape is written; what stands before the fence and unknown keys stay', () => {
    const old = parseText(NESTED);
    const header = { name: 'N', description: 'D: e', type: 'project', modified: 'm' } as const;
    expect(formatText(header, 'New.\n', old)).toBe(`<!-- made by hand -->

---
name: N
description: "D: e"
type: project
modified: m
metadata:
  node_type: memory
  originSessionId: 7f
---

New.
`);
  });

  test('metadata goes when nothing is left below it', () => {
    const old = parseText('---\nmetadata:\n  type: user\nx: 1\n---\nA');
    const header = { name: 'n', description: 'd', type: 'user', modified: 'm' } as const;
    expect(formatText(header, 'A', old)).toContain('modified: m\nx: 1\n---');
  });

  const plain =
    '---\nname: Ports\ndescription: Which\ntype: project\nmodified: 2026-01-02\n---\n\nOne.\nTwo.\n';
  test.each([
    ['LF', plain],
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['old Mac', plain.replaceAll('\n', '\r')],
    ['mixed', plain.replace('Ports\n', 'Ports\r\n')],
    ['a mark and CRLF', `\uFEFF${plain.replaceAll('\n', '\r\n')}`],
    ['blanks behind the fence', plain.replaceAll('---\n', '---  \n')],
  ])('113 %s: the same header, and the style stays when it is written', async (_, text) => {
    expect(parseText(text).header).toMatchObject({ name: 'Ports', type: 'project' });
    const { memory, textOf } = testMemory({ 'p.md': text });
    const read = await memory.read('p.md');
    const saved = await memory.save(
      newMemory('Ports', 'Three.', { path: 'p.md', basis: read?.hash }),
    );
    expect(saved.kind).toBe('saved');
    const next = await textOf('p.md');
    expect(next.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    const ends = (each: string) => [
      each.includes('\r\n'),
      /\r(?!\n)/.test(each),
      /(?<!\r)\n/.test(each),
    ];
    expect(ends(next)).toEqual(_ === 'mixed' ? [false, false, true] : ends(text));
    expect(parseText(next).body.trim()).toBe('Three.');
  });

  test('115 any body comes back after three rounds, separators and look-alikes too', () => {
    const part = fc.constantFrom(
      '---',
      '---\n',
      '```',
      '- [A](b.md) — c',
      'type: user',
      '\n',
      'x',
      ' ',
      '<!--',
      '%%',
    );
    const header = { name: 'n: #', description: '"d"', type: 'project', modified: 'm' } as const;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const body = parts.join('');
        let text = formatText(header, body);
        for (let round = 0; round < 3; round++)
          text = formatText(header, parseText(text).body, parseText(text));
        expect(parseText(text)).toMatchObject({ body, header });
      }),
    );
  });

  test('any name and description come back', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (one, other) => {
          const line = (text: string) => text.replace(/[\s\u0085]+/g, ' ').trim() || 'x';
          const [name, description] = [line(one), line(other)];
          const text = formatText({ name, description, type: 'user', modified: 'm' }, 'b');
          expect(parseText(text).header).toMatchObject({ name, description });
        },
      ),
    );
  });

  test.each([
    ['no header', 'Just text.\n', ['no-header']],
    ['a header that does not end', '---\nname: x\n\ntext', ['header-not-closed']],
    ['an unknown type', '---\nname: x\ndescription: y\ntype: idea\n---\nz', ['unknown-type']],
    ['nothing', '', ['no-header']],
    ['keys without values', '---\nname:\ntype:\n---\nz', ['no-name', 'no-description', 'no-type']],
    [
      'a header of rubbish',
      '---\n\u0000: [}\n::::\n---\nz',
      ['no-name', 'no-description', 'no-type'],
    ],
  ])(
    'D4 %s is listed with its problem, found by its file name, and never fatal',
    async (_, text, problems) => {
      const { memory } = testMemory({ 'sub/pump_pressure.md': text });
      const { files } = await memory.scan();
      expect(files).toMatchObject([{ path: 'sub/pump_pressure.md', problems }]);
      const result = await memory.startRecall().recall('what is the pump pressure');
      expect(result.kind).toBe('recalled');
    },
  );
});

interface Block {
  readonly lines: readonly string[];
  /** Those of them that are not ours. */
  readonly kept: readonly string[];
}

const foreign = (lines: readonly string[]): Block => ({ lines, kept: lines });

/** Parts of a header as people and other programs write them. */
const block = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...['tags', 'a.b', '$schema', '"quoted key"', "'single: key'", 'größe', '日本', 'x y z'],
        ...['originSessionId', 'name.full', 'type-of', 'Type', 'modified_by', '<<', '? odd', 'k@1'],
        ...['name:x', '"name" of', 'pinned'],
      ),
      fc.constantFrom(
        ...['1', '[a, b]', '{type: user, name: x}', '"a: b # c"', "'it''s'", '', '~', '&a 5'],
        ...['2026-11-02', '!!str yes', 'text with: colon', '# comment', '\u0085 odd \u2028 end'],
      ),
      fc.constantFrom('', ' ', '  '),
    )
    .map(([key, value, blank]) => foreign([`${key}:${value === '' ? '' : ' '}${value}${blank}`])),
  fc.constantFrom(
    ...[
      ['list:', '- one', '- type: two', '  name: three'],
      ['deep:', '  name: not ours', '  type:', '    type: user', '    - modified: x'],
      ['block: |', '  name: text', '', '  type: text', ' # text'],
      ['folded: >-', '  modified: text', ''],
      ['open: "begins', '  type: inside', '  ends"'],
      ['flow: {', '  type: inside,', '}'],
      ['# type: comment'],
      [''],
      ['no key at all'],
      ['...'],
      ['metadata: {node_type: memory, type: x}'],
      ['metadata:'],
      ['metadata:', '  node_type: memory', '  deep:', '    type: user', '    name: x', '  # mine'],
    ].map(foreign),
    {
      lines: ['metadata:', '    # kept', '    type: user', '    "name": x', '    a.b: 1'],
      kept: ['metadata:', '    # kept', '    a.b: 1'],
    },
    { lines: ['metadata:', ' type: user', ' modified:', '   - x'], kept: [] },
    ...[
      ['name: Ports'],
      ['"name": Ports'],
      ["'type': project"],
      ['type:project'],
      ['name:a:b'],
      ['name: One\u2028two'],
      ['description: >', '  What it is', '', '  about'],
      ['description: one line', '  and the next'],
      ['description: "one line', '  and the next"'],
      ['modified:   2026-01-02   # by hand'],
    ].map((lines): Block => ({ lines, kept: [] })),
    { lines: ['name: Ports', '  # said by hand'], kept: ['  # said by hand'] },
  ),
);

describe('D1 D4 what a header holds besides ours', () => {
  test('any header of foreign keys survives a save byte for byte, in each style of line ends', () => {
    const header = { name: 'N', description: 'D', type: 'user', modified: 'm' } as const;
    const ours = '---\nname: N\ndescription: D\ntype: user\nmodified: m\n';
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 14 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (blocks, lineEnd) => {
          const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
          const inside = join(blocks.flatMap(({ lines }) => lines));
          const kept = join(blocks.flatMap((each) => each.kept));
          const style = (text: string) => text.replaceAll('\n', lineEnd);
          const text = formatText(
            header,
            'New.\n',
            parseText(style(`---\n${inside}---\n\nOld.\n`)),
          );
          expect(text).toBe(style(`${ours}${kept}---\n\nNew.\n`));
          expect(parseText(text)).toMatchObject({ header, body: style('New.\n') });
          expect(formatText(header, 'New.\n', parseText(text))).toBe(text);
        },
      ),
      { numRuns: 3_000, seed: 20_261_130 },
    );
  });

  const many = Array.from({ length: 2_000 }, (_, at) => `key.${at}: value ${at}`).join('\n');
  test.each([
    ['a header of 40 KB', `---\nname: Ports\n${many}\n---\n\nOld.\n`, many],
    [
      'a comment of 20 KB in front',
      `<!-- ${'x'.repeat(20_000)} -->\n---\na.b: 1\nname: Ports\n---\nOld.`,
      'a.b: 1',
    ],
    [
      'a header that does not end',
      '---\nname: Ports\na.b: 1\n"c": [2]\n\nOld.\n',
      'a.b: 1\n"c": [2]',
    ],
  ])('%s is kept', async (_, text, kept) => {
    const { memory, textOf } = testMemory({ 'p.md': text });
    const read = await memory.read('p.md');
    expect(read?.name).toBe('Ports');
    await memory.save(newMemory('Ports', 'New.', { path: 'p.md', basis: read?.hash }));
    const next = await textOf('p.md');
    expect(next).toContain(`modified: 2026-11-30T12:00:00.000Z\n${kept}\n---\n\nNew.\n`);
    expect(next.startsWith(text.slice(0, text.indexOf('---\n')))).toBe(true);
  });

  test.each([
    [
      'a rule far below',
      `---\nA text that begins with a rule.\n${'x y.\n'.repeat(5_000)}---\nIts end.`,
    ],
    ['no key of ours', '---\nNote: a text that begins with a rule.\n\nText.'],
  ])('text between rules is no header: %s', (_, text) => {
    expect(parseText(text)).toMatchObject({
      headerProblem: 'header-not-closed',
      body: text.slice(4),
      foreign: [],
    });
  });

  test.each([
    ['"name": In quotes', { name: 'In quotes' }],
    ["'type' : user", { type: 'user' }],
    ['description: first\n  second # not\n\n  third', { description: 'first second third' }],
    ['description: "first\n  second"', { description: 'first second' }],
    ["description: 'it''s\n  one'", { description: "it's one" }],
    ['description:\n  on the next line', { description: 'on the next line' }],
    ['name:\n  of: two\ntype:\n- a', { name: undefined, type: undefined }],
    ['deep:\n  metadata:\n    type: user\nmetadata:\n  deep:\n    type: user', { type: undefined }],
    ['metadata: # ours\n  type: user', { type: 'user' }],
    ['pinned: True', { pinned: true }],
    ['pinned: yes', { pinned: true }],
    ['metadata:\n  pinned: "ON"', { pinned: true }],
    ['pinned: false', { pinned: false }],
    ['pinned: no # true', { pinned: false }],
  ])('%j is read', (inside, header) => {
    expect(parseText(`---\n${inside}\n---\nText.`).header).toMatchObject(header);
  });
});
