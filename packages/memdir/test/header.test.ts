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
