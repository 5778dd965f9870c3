import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVocabulary, eachCodeLike } from '../src/vocabulary.ts';

/** The same in words of expressions. */
const RUN = /[\p{L}\d_@~./\\$#:+-]+/gu;
const CODE_LIKE = /[./\\_\d-]|\p{Ll}\p{Lu}/u;

const inWords = (text: string): readonly string[] =>
  (text.match(RUN) ?? []).filter((found) => found.length >= 3 && CODE_LIKE.test(found));

function inOnePass(text: string): readonly string[] {
  const found: string[] = [];
  eachCodeLike(text, (start, end) => found.push(text.slice(start, end)));
  return found;
}

test('names are found in one pass as two expressions find them, in any script and with halves of pairs', () => {
  const piece = fc.constantFrom(
    ...[
      'src',
      '/',
      'a.ts',
      'Word',
      'camelCase',
      ' ',
      '\n',
      '-',
      '_',
      '9',
      '@',
      ':',
      '+',
      'éÉ',
      'ß',
    ],
    ...[
      'Ω',
      '数据',
      'ñandúA',
      '\u{1D4D0}',
      '\u{1F4A5}',
      '\ud835',
      '\udcd0',
      'ﬁ',
      '#',
      '$',
      '~',
      '\\',
    ],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((pieces) => pieces.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        expect(inOnePass(text)).toEqual(inWords(text));
      },
    ),
  );
  expect(inOnePass('see src/a.ts and camelCase, not Word or id')).toEqual([
    'src/a.ts',
    'camelCase',
  ]);
});

test('every spelling of a name is known again, however many names there were', () => {
  const vocabulary = createVocabulary();
  const nameOf = (number: number) => `src/part${number % 97}/file${number}.ts`;
  for (let number = 0; number < 20_000; number++) vocabulary.add(`see ${nameOf(number)}, twice`);
  for (let number = 0; number < 20_000; number++)
    expect(vocabulary.has(nameOf(number)), nameOf(number)).toBe(true);
  expect(vocabulary.has('src/part99/file2.ts')).toBe(false);
  expect(vocabulary.has('file20000.ts')).toBe(false);
});
