import { describe, expect, test } from 'vitest';
import { codeOf, isRecord, listOf, numberOf, recordOf, textOf } from '../src/index.ts';

describe('isRecord', () => {
  test.each([
    ['an object', {}, true],
    ['an object without a prototype', Object.create(null), true],
    ['an array', [], false],
    ['null', null, false],
    ['undefined', undefined, false],
    ['a text', '{}', false],
    ['a function', () => {}, false],
  ])('%s', (_, value, is) => {
    expect(isRecord(value)).toBe(is);
  });
});

describe('the readers', () => {
  test('give the value itself where it is of the kind', () => {
    const record = { a: 1 };
    const list = [1];
    expect([recordOf(record), listOf(list), textOf('a'), numberOf(-0.5)]).toEqual([
      record,
      list,
      'a',
      -0.5,
    ]);
    expect(recordOf(record)).toBe(record);
    expect(listOf(list)).toBe(list);
  });

  test.each([[null], [undefined], [Number.NaN], [Infinity], [Symbol('s')], [() => {}]])(
    'give an empty one of it for anything else: %s',
    (value) => {
      expect([recordOf(value), listOf(value), textOf(value), numberOf(value)]).toEqual([
        {},
        [],
        '',
        undefined,
      ]);
    },
  );
});

describe('codeOf', () => {
  test.each([
    ['an error of the file system', Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOENT'],
    ['an error without one', new Error('x'), undefined],
    ['a code that is no text', { code: 5 }, undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_, thrown, code) => {
    expect(codeOf(thrown)).toBe(code);
  });
});
