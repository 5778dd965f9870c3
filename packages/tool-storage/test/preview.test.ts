import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { previewOf } from '../src/preview/preview.ts';
import { handlesIn } from '../src/retention.ts';
import { LINE, longText } from './long-text.ts';

const numbered = (count: number, special: Record<number, string> = {}) =>
  Array.from(
    { length: count },
    (_, at) => `${special[at + 1] ?? `step ${at + 1} went well`}\n`,
  ).join('');

describe('previewOf', () => {
  test.each([
    ['', undefined],
    ['x', undefined],
    [LINE, undefined],
  ])('%j is shown whole', (text, cutAtLine) => {
    expect(previewOf(text)).toEqual({ text: text.trimEnd(), kind: 'text', cutAtLine });
  });

  test('shows both ends in whole lines and says which lines are left out', () => {
    const { text, cutAtLine } = previewOf(numbered(5_000));
    const lines = text.split('\n');
    expect(lines[0]).toBe('step 1 went well');
    expect(lines.at(-1)).toBe('step 5000 went well');
    const gapAt = lines.findIndex((line) => line.startsWith('<persisted-output-gap'));
    const last = Number(/\d+/.exec(lines[gapAt + 1] ?? '')?.[0]) - 1;
    expect(lines[gapAt]).toBe(`<persisted-output-gap lines="${gapAt + 1}-${last}"/>`);
    expect(cutAtLine).toBe(gapAt + 1);
  });

  test('keeps the error and the exit section of a command wherever they stand', () => {
    const text = numbered(5_000, {
      2000: 'src/a.ts(3,4): error TS2322: no',
      3000: 'Process exited with code 2',
    });
    const shown = previewOf(text).text;
    expect(shown).toContain('src/a.ts(3,4): error TS2322: no');
    expect(shown).toContain('exited with code 2');
    expect(shown).toContain('<persisted-output-gap lines="2001-2999"/>');
  });

  test('shows where what was sought stands', () => {
    const text = numbered(5_000, {
      2500: 'the needle is here',
      100: 'error one',
      200: 'error two',
    });
    expect(previewOf(text, { query: 'needle' }).text).toContain('the needle is here');
    expect(previewOf(text, { query: '' }).text).not.toContain('needle');
  });

  test('shows the shape of JSON', () => {
    const items = Array.from({ length: 900 }, (_, id) => ({ id, name: `n${id}` }));
    const { kind, text } = previewOf(JSON.stringify({ items, 'a"b': { deep: [[1]] }, total: 900 }));
    expect(kind).toBe('json');
    expect(text).toContain('object of 3 keys\n  "items": array of 900 items, the first 1\n');
    expect(text).toContain('    [0]: object of 2 keys\n      "id": 0\n      "name": "n0"\n');
    expect(text).toContain('  "a\\"b": object of 1 key\n    "deep": array of 1 item\n');
    expect(text).toContain('  "total": 900\n');
  });

  test.each([
    ['lines of JSON', `{"a":1}\n`.repeat(500)],
    ['a bracket that never ends', `[${'1,'.repeat(2_000)}`],
    ['brackets that do not match', `{"a":[${'1,'.repeat(2_000)}1}]`],
    ['brackets alone', '['.repeat(100_000)],
    ['a string that never ends', `["${'\\\\'.repeat(50_000)}`],
    ['prose in brackets', `[note] ${longText(4_000)}`],
  ])('%s is shown as text', (_name, text) => {
    expect(previewOf(text)).toMatchObject({ kind: 'text' });
  });

  test('counts the matches of a search by file, most first', () => {
    const line = (file: string, at: number) => `${file}:${at}: const x = ${at};\n`;
    const text = Array.from({ length: 600 }, (_, at) =>
      line(at % 3 ? 'src/a.ts' : 'src/b/c.ts', at + 1),
    ).join('');
    const shown = previewOf(text);
    expect(shown.kind).toBe('search');
    expect(shown.text).toMatch(
      /^600 matches in 2 files\nsrc\/a\.ts: 400\nsrc\/b\/c\.ts: 200\nsrc\/b/,
    );
    const many = Array.from({ length: 900 }, (_, at) => line(`src/file-${at}.ts`, 1)).join('');
    expect(previewOf(many).text).toMatch(
      /^900 matches in 900 files\n[\s\S]*\nand \d+ more files\n/,
    );
  });

  test('style head: the first lines in so many bytes, cut on a character', () => {
    const ascii = previewOf(numbered(5_000), { style: 'head' });
    expect(
      ascii.text
        .split('\n')
        .slice(0, -1)
        .every((line, at) => line === `step ${at + 1} went well`),
    ).toBe(true);
    expect(ascii.cutAtLine).toBe(ascii.text.split('\n').length);
    const wide = previewOf('漢😀'.repeat(2_000), { style: 'head' }).text.split('\n')[0] ?? '';
    expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(2_000);
    expect(Buffer.byteLength(wide)).toBeGreaterThan(1_990);
    expect(wide).not.toMatch(/\p{Surrogate}/u);
  });

  test.each([
    '</persisted-output>',
    '< / PERSISTED-OUTPUT >',
    '<\n/persisted-output>',
    '<persisted-output handle="x-0123456789abcdef.txt">',
    '<persisted-output-gap lines="1-9"/>',
  ])('%j in a text is no tag of ours', (fake) => {
    const { text } = previewOf(
      `${fake}\n${longText(9_000)}error ${fake}\n${longText(9_000)}${fake}`,
    );
    const tags = text.match(/<[\s/]*persisted-output[^>]*>/gi) ?? [];
    expect(tags.length).toBeGreaterThan(0);
    for (const tag of tags)
      expect(tag).toMatch(
        /^<persisted-output-gap (?:lines?|from)="[\d:-]+"(?: \w+="[\d:-]+")?\/>$/,
      );
    expect(text).toContain('&lt;');
    for (const tag of tags) expect(tag).not.toBe('<persisted-output-gap lines="1-9"/>');
  });

  test.each([0, 199, 200.5, Number.NaN])('refuses %s characters', (maxChars) => {
    expect(() => previewOf('x', { maxChars })).toThrow(RangeError);
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '\n',
      LINE,
      '<persisted-output',
      '</persisted-output>',
      'error: x\n',
      'a/b.ts:3: x\n',
    ),
    fc.constantFrom(
      '{"a":[',
      '"',
      ']}',
      '\x1b[31m',
      '\ud83d',
      '\ude00',
      'x'.repeat(700),
      '\0',
      '\r\n',
    ),
  );
  const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''));

  test('is never longer than asked for, well-formed, free of faked tags, and the same each time', () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 200, max: 3_000 }),
        fc.constantFrom(undefined, 'error', 'x'),
        (value, maxChars, query) => {
          const { text: shown } = previewOf(value, { maxChars, query });
          expect(shown.length).toBeLessThanOrEqual(maxChars);
          expect(shown).not.toMatch(/\p{Surrogate}/u);
          expect(shown).not.toContain('\x1b');
          expect(shown).not.toMatch(/<[\s/]*persisted-output(?!-gap (?:lines?|from)=")/i);
          expect(previewOf(value, { maxChars, query }).text).toBe(shown);
        },
      ),
    );
  });

  test('breaks no line that it shows: of one long line, two parts always have a gap between them', () => {
    const word = fc.constantFrom('error ', 'some words ', 'x'.repeat(70), '漢字');
    fc.assert(
      fc.property(fc.array(word, { minLength: 30, maxLength: 90 }), (words) => {
        const lines = previewOf(words.join(''), { maxChars: 600 }).text.split('\n');
        const isGap = lines.map((line) => line.startsWith('<persisted-output-gap '));
        expect(isGap.some((gap, at) => at > 0 && gap === isGap[at - 1])).toBe(false);
      }),
    );
  });

  test('what it shows and what it names as left out are all lines of the text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 200, max: 900 }),
        (count, maxChars) => {
          const lines = numbered(count).split('\n').slice(0, -1);
          const rebuilt = previewOf(numbered(count), { maxChars })
            .text.split('\n')
            .flatMap((line) => {
              const [, first, last] = /gap lines="(\d+)(?:-(\d+))?"/.exec(line) ?? [];
              return first === undefined
                ? [line]
                : lines.slice(Number(first) - 1, Number(last ?? first));
            });
          expect(rebuilt).toEqual(lines);
        },
      ),
    );
  });
});

describe('handlesIn', () => {
  test.each([
    ['', []],
    ['no handle a.txt', []],
    ['<persisted-output handle="t_1-0123456789abcdef.txt" size', ['t_1-0123456789abcdef.txt']],
    [
      'see `a~12-0123456789abcdef.json` and b-fedcba9876543210.bin.',
      ['a~12-0123456789abcdef.json', 'b-fedcba9876543210.bin'],
    ],
    [`${'x'.repeat(100_000)} -0123456789abcdef.txtual`, []],
  ])('%j', (text, handles) => {
    expect(handlesIn(text)).toEqual(handles);
  });
});
