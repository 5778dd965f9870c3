import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stableStringify } from '../src/index.ts';
import { hostileJson } from '../src/testing.ts';
import { codeOf } from './session.ts';

describe('stableStringify', () => {
  test.each<[value: unknown, json: string]>([
    [undefined, 'null'],
    [() => 1, 'null'],
    ['\uD83D', '"\\ud83d"'],
    [{}, '{}'],
    [[], '[]'],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ 9: 'nine', 10: 'ten' }, '{"10":"ten","9":"nine"}'],
    [{ b: undefined, a: [undefined, () => 1, Symbol('s')] }, '{"a":[null,null,null]}'],
    [[undefined, { b: Number.NaN, a: -0 }], '[null,{"a":0,"b":null}]'],
    [
      { b: new Date(0), a: { toJSON: (key: string) => ({ z: key, y: 1 }) } },
      '{"a":{"y":1,"z":"a"},"b":"1970-01-01T00:00:00.000Z"}',
    ],
    [JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'), '{"__proto__":{"c":2,"d":1},"b":1}'],
    [{ '\uE000': 1, '\u{1F600}': 2 }, '{"\u{1F600}":2,"\uE000":1}'],
  ])('writes %j as %s', (value, json) => {
    expect(stableStringify(value)).toBe(json);
  });

  test('gives equal bytes to equal values, whatever the order of their keys', () => {
    fc.assert(
      fc.property(hostileJson(), (value) => {
        const json = stableStringify(value);
        expect(stableStringify(reversed(value))).toBe(json);
        expect(JSON.parse(json)).toEqual(value);
        expect(stableStringify(JSON.parse(json))).toBe(json);
      }),
    );
  });

  test('throws not-serializable for a cycle and for a BigInt', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(codeOf(() => stableStringify(cycle))).toBe('not-serializable');
    expect(codeOf(() => stableStringify([1n]))).toBe('not-serializable');
  });
});

/** The same value with all keys the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)]);
  return Object.fromEntries(members.reverse());
}
