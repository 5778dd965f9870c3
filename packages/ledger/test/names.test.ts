import { expect, test } from 'vitest';
import { errorLines } from '../src/error-signature.ts';
import { cutWords } from '../src/names.ts';

test.each([
  ['ab cd ef', 5, 'ab cd'],
  ['ab cd ef', 6, 'ab cd'],
  ['ab cd ef', 7, 'ab cd'],
  ['ab cd ef', 8, 'ab cd ef'],
  ['abcdef', 3, 'abc'],
])('%j in %d units is cut behind its last whole word', (text, length, words) => {
  expect(cutWords(text, length)).toBe(words);
});

test('a line that says why stands in 160 units, its ellipsis among them', () => {
  const line = (words: number) => `TypeError: ${'x '.repeat(words)}y`;
  const telling = (words: number) => errorLines(`${line(words)}\nError: another`)[0];
  expect(line(74)).toHaveLength(160);
  expect(telling(74)).toBe(line(74));
  expect(telling(75)).toBe(`TypeError: ${'x '.repeat(74).trimEnd()}…`);
  expect(`${line(74)}z`).toHaveLength(161);
  expect(errorLines(`${line(74)}z\nError: another`)[0]).toMatch(/…$/);
});
