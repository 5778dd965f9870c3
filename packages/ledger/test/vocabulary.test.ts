import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachCodeLike } from '../src/vocabulary.ts';

/** The same in words of expressions. */
const RUN = /[\p{L}\d_@~./\\$#:+-]+/gu;
const CODE_LIKE = /[./\\_\d-]|\p{Ll}\p{Lu}/u;

const inWords = (text: string): readonly string[] =>
  (text.match(RUN) ?? []).filter((found) => found.length >= 3 && CODE_LIKE.test(found));

function inOnePass(text: string): readonly string[] {
  const found: string[] = [];
  eachCodeLike(text, (name) => found.push(name));
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
