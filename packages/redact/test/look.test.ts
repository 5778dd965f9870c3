import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordFinder } from '../src/finder.ts';
import { candidatesIn, KINDS } from '../src/look.ts';
import { redactOnce } from '../src/redact.ts';
import { SECRET_KINDS } from '../src/testing.ts';

/** Every kind, tried at each place of the text. */
const everywhere = (text: string) =>
  KINDS.map(({ starts }, kind) => ({ kind, starts: starts && [...text].map((_, at) => at) }));

const WORDS = [
  ...new Set(KINDS.flatMap(({ starts = [], needs = [] }) => [starts, ...needs].flat())),
];

/** Secrets, words that may begin one, and what stands between them. */
const piece = fc.oneof(
  fc.constantFrom(...SECRET_KINDS).chain(({ make }) => fc.nat(9).map((seed) => make(seed).text)),
  fc.constantFrom(...WORDS),
  fc.constantFrom(...WORDS).map((word) => word.toUpperCase()),
  fc.constantFrom(
    ...[' ', '\n', '\t', '\u00a0', '=', ': ', '"', "'", '\\"', '[', ']', ', ', '/', '|', '-p '],
    ...[
      'key',
      'Hunter2x9zz',
      'swordfish',
      'is',
      'value',
      'set',
      '</a>',
      '%3d',
      '\ue000',
      '[redacted: token]',
    ],
  ),
);

describe('one look for the words of all kinds', () => {
  test('loses nothing that trying each kind at each place finds', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(redactOnce(text)).toBe(redactOnce(text, everywhere));
      }),
    );
  });

  test.each<[text: string, kinds: readonly string[]]>([
    ['x-us1', ['mailchimp key']],
    ['x-usa', []],
    ['machine h login', ['password', 'user and password']],
    ['machine h', []],
    ['name: x, value: y', []],
    ['echo x | sudo', ['secret']],
    ['echo x', []],
    ['a text', []],
    ['a? b& c=1', []],
  ])('%j may hold %j, and no other kind is tried', (text, kinds) => {
    expect(candidatesIn(text).map(({ kind }) => KINDS[kind]?.name)).toEqual(kinds);
  });

  test('has a character for the marker of each kind', () => {
    expect(new Set(KINDS.map(({ name }) => name)).size).toBeLessThanOrEqual(0xc0);
  });

  test('finds words as a plain search does, in their order, whatever their case and the white space in them', () => {
    const letters = fc.constantFrom(...'abAB -é密\n\u00a0');
    const text = fc.array(letters, { maxLength: 40 }).map((each) => each.join(''));
    const words = fc.uniqueArray(
      fc
        .array(fc.constantFrom(...'ab -é密'), { minLength: 1, maxLength: 4 })
        .map((each) => each.join('')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(words, text, (wanted, given) => {
        const found: string[] = [];
        const starts: number[] = [];
        wordFinder(wanted)(given, (word, at) => {
          found.push(`${at} ${wanted[word]}`);
          starts.push(at);
        });
        expect(starts).toEqual(starts.toSorted((one, other) => one - other));
        const plain = given.toLowerCase().replaceAll(/\s/g, ' ');
        const expected = wanted.flatMap((word) =>
          [...plain].flatMap((_, at) => (plain.startsWith(word, at) ? [`${at} ${word}`] : [])),
        );
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });

  test('has a bit for each list of words that a kind needs', () => {
    const lists = new Set(KINDS.flatMap(({ needs = [] }) => needs));
    expect(lists.size).toBeGreaterThan(8);
    expect(lists.size).toBeLessThanOrEqual(32);
  });

  test('looks for no word that stands everywhere', () => {
    const words = KINDS.flatMap(({ starts = [], needs = [] }) => [...starts, ...needs.flat()]);
    expect(words.filter((word) => word.trim() === '')).toEqual([]);
  });

  test('takes both small letters of a sigma for one, and no other letter', () => {
    const found: number[] = [];
    const find = wordFinder(['σ', 'a']);
    find('ςΣσaA', (word, at) => found.push(at * 10 + word));
    expect(found).toEqual([0, 10, 20, 31, 41]);
  });

  test('is right with more characters than a row holds', () => {
    const alphabet = Array.from({ length: 600 }, (_, index) => String.fromCharCode(0x4e00 + index));
    const text = alphabet.join('');
    const found = new Set<string>();
    wordFinder(alphabet)(text, (word, at) => found.add(`${at} ${word}`));
    expect(alphabet.every((_, at) => found.has(`${at} ${at}`))).toBe(true);
  });
});
