import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Entry, parseEntry, serializeEntry } from '../src/index.ts';
import { writtenForm } from '../src/log.ts';
import { hostileJson } from '../src/testing.ts';
import { codeOf } from './session.ts';

const note = (data: unknown): Entry => ({
  id: 'e',
  at: '2026-01-31T12:00:00Z',
  type: 'note',
  by: 'test',
  data: data as never,
});

/** What a reader gets, by the long way. */
const read = (entry: Entry): unknown => parseEntry(serializeEntry(entry));

class Named {
  readonly name = 'n';
}

const odd = fc.oneof(
  hostileJson(),
  fc.anything({
    withNullPrototype: true,
    withDate: true,
    withBoxedValues: true,
    withSparseArray: true,
  }),
  fc.double(),
  fc.constantFrom<unknown>(
    -0,
    { a: undefined, b: () => 1, c: Symbol('s') },
    [undefined, () => 1],
    new Named(),
    { toJSON: () => ({ inside: [1] }) },
    JSON.parse('{"__proto__":{"a":1},"2":1,"1":2}'),
    Object.assign(['a'], { extra: 1 }),
    new Map([[1, 2]]),
    Object.create({ inherited: 1 }),
  ),
);

describe('writtenForm', () => {
  test('is what a reader of the log gets, in the same order, of anything whatever', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(odd, fc.array(odd), fc.dictionary(fc.string(), odd)), (data) => {
        let expected: unknown;
        try {
          expected = read(note(data));
        } catch {
          expect(() => writtenForm(note(data))).toThrow();
          return;
        }
        const line = serializeEntry(note(data));
        fc.pre(line.toWellFormed() === line && !/\\ud[89a-f]/i.test(line));
        const written = writtenForm(note(data));
        // `toStrictEqual` compares what a key named `constructor` holds by identity
        expect(isDeepStrictEqual(written, expected)).toBe(true);
        expect(JSON.stringify(written)).toBe(JSON.stringify(expected));
        compared += 1;
      }),
    );
    expect(compared).toBeGreaterThan(10);
  });

  test('is a copy: what its owner changes later does not reach it', () => {
    const inner = { list: ['one'] };
    const written = writtenForm(note({ inner }));
    inner.list.push('two');
    expect(written).toEqual(note({ inner: { list: ['one'] } }));
  });

  test('half surrogates are U+FFFD, in keys too, but for thinking, which is signed as it is', () => {
    const half = 'a\ud800b';
    const message = {
      id: 'm',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: half, signature: 's' },
        { type: 'text', text: half },
      ],
    };
    expect(
      writtenForm({ ...note(null), type: 'message', message } as unknown as Entry),
    ).toMatchObject({
      message: { content: [{ thinking: half }, { text: 'a\ufffdb' }] },
    });
    expect(writtenForm(note({ [half]: 1 }))).toEqual(note({ 'a\ufffdb': 1 }));
  });

  test.each<[what: string, data: () => unknown, code: string]>([
    ['a value that holds itself', cycle, 'not-serializable'],
    ['a BigInt', () => [1n], 'not-serializable'],
    [
      'a getter that throws',
      () => ({
        get a() {
          throw new Error('no');
        },
      }),
      'not-serializable',
    ],
    ['nothing', () => undefined, 'invalid-entry'],
    ['a function', () => () => 1, 'invalid-entry'],
  ])('refuses %s', (_, data, code) => {
    expect(codeOf(() => writtenForm(note(data())))).toBe(code);
  });

  test('is as deep as an engine writes, and no deeper', () => {
    const nested = (levels: number) => {
      let value: unknown = 'x';
      for (let level = 0; level < levels; level++) value = [value];
      return value;
    };
    expect(writtenForm(note(nested(1_000)))).toEqual(read(note(nested(1_000))));
    expect(codeOf(() => writtenForm(note(nested(200_000))))).toBe('not-serializable');
  });
});

function cycle(): unknown {
  const value: unknown[] = [];
  value.push(value);
  return value;
}
