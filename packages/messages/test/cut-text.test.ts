import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutMiddle, cutText } from '../src/text.ts';

const emoji = '😀😁😂';

describe('cutText', () => {
  test.each([
    ['', 0, '', ''],
    ['', 3, '', ''],
    ['abc', 0, '', ''],
    ['abc', 2, 'ab', 'bc'],
    ['abc', 3, 'abc', 'abc'],
    ['abc', 4, 'abc', 'abc'],
    [emoji, 1, '', ''],
    [emoji, 2, '😀', '😂'],
    [emoji, 3, '😀', '😂'],
    [emoji, 5, '😀😁', '😁😂'],
  ])('%j to %d units: %j from the start, %j from the end', (text, units, head, tail) => {
    expect(cutText(text, units)).toBe(head);
    expect(cutText(text, units, { from: 'end' })).toBe(tail);
  });

  test.each([-1, 0.5, Number.NaN])('refuses %d units', (units) => {
    expect(() => cutText('abc', units)).toThrow(RangeError);
    expect(() => cutText('abc', units)).toThrow(
      `Expected \`maxUnits\` to be a non-negative integer, got \`${units}\``,
    );
    expect(() => cutMiddle('abc', { headUnits: units, tailUnits: 1, marker: '' })).toThrow(
      RangeError,
    );
  });

  test('case 49: a cut at any index of any text leaves it well-formed', () => {
    const text = `${emoji}é\u200d日本${emoji}`;
    for (let index = 0; index <= text.length; index++) {
      const head = cutText(text, index);
      const tail = cutText(text, index, { from: 'end' });
      const both = cutMiddle(text, { headUnits: index, tailUnits: 3, marker: '…' });
      expect([head, tail, both].filter((cut) => !cut.isWellFormed())).toEqual([]);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(Math.min(head.length, tail.length)).toBeGreaterThanOrEqual(
        Math.min(index, text.length) - 1,
      );
    }
  });

  test('keeps any well-formed text well-formed and within its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, units) => {
        for (const from of ['start', 'end'] as const) {
          const cut = cutText(text, units, { from });
          expect(cut.length).toBeLessThanOrEqual(units);
          expect(cut.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('cutMiddle', () => {
  test('tells the marker what was cut', () => {
    const marker = (units: number) => `[${units}]`;
    expect(cutMiddle('abcdefgh', { headUnits: 2, tailUnits: 1, marker })).toBe('ab[5]h');
    expect(cutMiddle(emoji, { headUnits: 1, tailUnits: 3, marker })).toBe('[4]😂');
    expect(cutMiddle('abc', { headUnits: 2, tailUnits: 1, marker })).toBe('abc');
    expect(cutMiddle('abc', { headUnits: 0, tailUnits: 0, marker: '-' })).toBe('-');
  });
});
