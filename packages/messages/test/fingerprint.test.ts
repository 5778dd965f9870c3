import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../src/index.ts';

describe('fingerprint', () => {
  // Frozen: stamps in logs hold such values.
  test.each<[text: string, seed: string, hash: string]>([
    ['', '', 'cb52143e89fd2f594d7f2bc9cc88462e'],
    ['x', '', '24f18dbebc412350d54cf9f4f49c7889'],
    ['1234567', '', '47d4eaa3854d6c739639301ccbbdee80'],
    ['12345678', '', '3e7ca10e7f7e96bfb7c0ccde5e6b882b'],
    ['123456789', '', '85d3d06cf33cc1b24e965db01a116d5c'],
    ['\u0000', '', 'c11df16ef92ae32432ea6fad777dc963'],
    ['\uD83D', '', 'f497ca90ecba5a47f00d2d44045a2227'],
    ['漢字 and é', '', '8c4258bceff7fec1c8a7f6303550ba32'],
    ['', '24f18dbebc412350d54cf9f4f49c7889', 'd7122bad7e941439e4799c692c9f5b2b'],
    ['x', '24f18dbebc412350d54cf9f4f49c7889', '0cbd7ea9d8e8f10a6d7d93b0ecf68797'],
  ])('of %j with seed %j stays %s', (text, seed, hash) => {
    expect(fingerprint(text, seed)).toBe(hash);
  });

  test('tells short structured texts apart', () => {
    const seen = new Set<string>();
    const halves = [new Set<string>(), new Set<string>()];
    let count = 0;
    const add = (text: string) => {
      const hash = fingerprint(text);
      seen.add(hash);
      halves[0]?.add(hash.slice(0, 16));
      halves[1]?.add(hash.slice(16));
      count++;
    };
    for (let number = 0; number < 100_000; number++) add(`{"path":"src/file-${number}.ts"}`);
    // Texts that differ in two units of the same lane only.
    for (let first = 0; first < 400; first++) {
      for (let second = 0; second < 400; second++) {
        add(`${String.fromCharCode(first)}1234567${String.fromCharCode(second)}1234567`);
      }
    }
    for (let length = 0; length < 2_000; length++) add('\u0000'.repeat(length));
    expect(seen.size).toBe(count);
    expect(halves.map(({ size }) => size)).toEqual([count, count]);
  });

  test('changes about half of its bits when one bit of the text changes', () => {
    const flips: number[] = [];
    for (let length = 1; length < 40; length++) {
      const units = Array.from({ length }, (_, index) => (index * 2_654_435_761 + length) & 0xffff);
      const hash = fingerprint(String.fromCharCode(...units));
      for (let bit = 0; bit < length * 16; bit++) {
        const flipped = units.with(bit >> 4, (units[bit >> 4] as number) ^ (1 << (bit & 15)));
        flips.push(bitsApart(hash, fingerprint(String.fromCharCode(...flipped))));
      }
    }
    const mean = flips.reduce((sum, bits) => sum + bits, 0) / flips.length;
    expect(mean).toBeGreaterThan(63.5);
    expect(mean).toBeLessThan(64.5);
    expect(Math.min(...flips)).toBeGreaterThan(30);
    expect(Math.max(...flips)).toBeLessThan(98);
  });

  test('depends on what stands before and on where it was split', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (before, other, after) => {
        const seed = fingerprint(before);
        expect(fingerprint(after, seed)).toMatch(/^[0-9a-f]{32}$/);
        expect(fingerprint(after, seed)).not.toBe(fingerprint(after));
        expect(fingerprint(after, seed) === fingerprint(after, fingerprint(other))).toBe(
          before === other,
        );
        expect(fingerprint(after, seed) === fingerprint(other, seed)).toBe(after === other);
      }),
    );
  });

  test.each(['x', 'G'.repeat(32), 'A'.repeat(32), '0'.repeat(31)])(
    'refuses the seed %s',
    (seed) => {
      expect(() => fingerprint('text', seed)).toThrow(RangeError);
      expect(() => fingerprint('text', seed)).toThrow(
        'Expected `seed` to be a fingerprint of 32 hex digits, got `string`',
      );
    },
  );
});

function bitsApart(first: string, second: string): number {
  let bits = 0;
  for (let index = 0; index < first.length; index++) {
    const digit =
      Number.parseInt(first[index] as string, 16) ^ Number.parseInt(second[index] as string, 16);
    bits += [...digit.toString(2)].filter((bit) => bit === '1').length;
  }
  return bits;
}
