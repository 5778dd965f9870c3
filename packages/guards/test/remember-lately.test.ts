import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rememberLately } from '../src/index.ts';

describe('rememberLately', () => {
  test('gives what the function gives, whatever was asked before (seed 20261130, 500 runs)', () => {
    const unit = fc.constantFrom('a', 'b', 'é', '\ud83d');
    const text = fc.tuple(unit, fc.constantFrom(1, 255, 256, 257, 65_536, 65_537));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (asked) => {
        const remembered = rememberLately((given) => `${given.length} ${given[0]}`);
        for (const [character, length] of asked) {
          const given = character.repeat(length);
          expect(remembered(given)).toBe(`${given.length} ${given[0]}`);
        }
      }),
      { seed: 20261130, numRuns: 500 },
    );
  });

  test('asks once for one of the last eight, and again for an older one', () => {
    const asked: string[] = [];
    const remembered = rememberLately((text) => asked.push(text));
    const texts = Array.from({ length: 9 }, (_, at) => `${at}`.repeat(300));
    for (const text of texts) remembered(text);
    for (const text of texts.slice(1)) remembered([...text].join(''));
    expect(asked).toEqual(texts);
    remembered(texts[0] as string);
    expect(asked).toEqual([...texts, texts[0]]);
  });

  test('keeps no text that is short or longer than 65,536 units', () => {
    let calls = 0;
    const remembered = rememberLately(() => ++calls);
    for (const length of [255, 65_537]) for (let n = 0; n < 2; n++) remembered('a'.repeat(length));
    expect(calls).toBe(4);
  });
});
