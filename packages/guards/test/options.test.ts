import { describe, expect, test } from 'vitest';
import { checkOptions, integer, number, required } from '../src/index.ts';

type Expectation = Parameters<typeof required>[0];

const complaint = (value: unknown, expectation: Expectation): string => {
  try {
    checkOptions({ it: value }, { it: expectation });
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('checkOptions', () => {
  test.each<[string, Expectation, unknown, string]>([
    ['below 0', integer(0), -1, 'RangeError: Expected `it` to be a non-negative integer, got `-1`'],
    ['no turn', integer(1), 0, 'RangeError: Expected `it` to be a positive integer, got `0`'],
    ['half', integer(1), 1.5, 'RangeError: Expected `it` to be a positive integer, got `1.5`'],
    [
      'none',
      integer(0),
      Number.NaN,
      'RangeError: Expected `it` to be a non-negative integer, got `NaN`',
    ],
    [
      'a text',
      integer(0),
      '5',
      'RangeError: Expected `it` to be a non-negative integer, got `string`',
    ],
    [
      'small',
      integer(200),
      199,
      'RangeError: Expected `it` to be an integer from 200 up, got `199`',
    ],
    [
      'large',
      integer(2, 9),
      10,
      'RangeError: Expected `it` to be an integer from 2 to 9, got `10`',
    ],
    [
      'infinite',
      integer(1),
      Infinity,
      'RangeError: Expected `it` to be a positive integer, got `Infinity`',
    ],
    ['null', integer(1), null, 'RangeError: Expected `it` to be a positive integer, got `null`'],
    [
      'negative',
      number({ min: 0 }),
      -0.1,
      'RangeError: Expected `it` to be a non-negative number, got `-0.1`',
    ],
    ['zero', number({ above: 0 }), 0, 'RangeError: Expected `it` to be a positive number, got `0`'],
    [
      'one',
      number({ min: 0, below: 1 }),
      1,
      'RangeError: Expected `it` to be a number from 0 and below 1, got `1`',
    ],
    [
      'percent',
      number({ above: 0, max: 100 }),
      101,
      'RangeError: Expected `it` to be a number above 0 and at most 100, got `101`',
    ],
    ['no number', number(), Number.NaN, 'RangeError: Expected `it` to be a number, got `NaN`'],
    ['a word', ['a', 'b'], 'c', "TypeError: Expected `it` to be one of 'a', 'b', got `c`"],
    ['a call', 'a function', 'private', 'TypeError: Expected `it` to be a function, got `string`'],
    ['a list', 'a list', { length: 1 }, 'TypeError: Expected `it` to be a list, got `object`'],
    [
      'a list with one text',
      'a list of texts',
      ['a', 5],
      'TypeError: Expected `it` to be a list of texts, got `array`',
    ],
    [
      'no list of texts',
      'a list of texts',
      'a',
      'TypeError: Expected `it` to be a list of texts, got `string`',
    ],
    ['no text', 'a text', 5, 'TypeError: Expected `it` to be a text, got `5`'],
    [
      'no boolean',
      'true or false',
      'true',
      'TypeError: Expected `it` to be true or false, got `string`',
    ],
    ['an object', 'an object', [], 'TypeError: Expected `it` to be an object, got `array`'],
    [
      'a controller',
      'an AbortSignal',
      new AbortController(),
      'TypeError: Expected `it` to be an AbortSignal, got `object`',
    ],
    [
      'half a signal',
      'an AbortSignal',
      new EventTarget(),
      'TypeError: Expected `it` to be an AbortSignal, got `object`',
    ],
    ...['aborted', 'throwIfAborted', 'addEventListener'].map(
      (name): [string, Expectation, unknown, string] => [
        `a signal without ${name}`,
        'an AbortSignal',
        { aborted: false, throwIfAborted() {}, addEventListener() {}, [name]: undefined },
        'TypeError: Expected `it` to be an AbortSignal, got `object`',
      ],
    ),
    ['a signal', 'an AbortSignal', AbortSignal.abort(), ''],
    [
      'blank',
      'a text that is not blank',
      ' ',
      'TypeError: Expected `it` to be a text that is not blank, got `string`',
    ],
    [
      'empty',
      'a text that is not blank',
      '',
      "TypeError: Expected `it` to be a text that is not blank, got `''`",
    ],
    [
      'absent',
      required('a function'),
      undefined,
      'TypeError: Expected `it` to be a function, got `undefined`',
    ],
    [
      'of another form',
      { what: 'a log', fits: () => false },
      () => {},
      'TypeError: Expected `it` to be a log, got `function`',
    ],
  ])('refuses what does not fit: %s', (_, expectation, value, message) => {
    expect(complaint(value, expectation)).toBe(message);
  });

  test.each<[string, Expectation, unknown]>([
    ['left out', integer(0), undefined],
    ['the least integer', integer(0), 0],
    ['the largest integer', integer(2, 9), 9],
    ['the least number', number({ min: 0 }), 0],
    ['no end', number({ min: 0 }), Infinity],
    ['just above', number({ above: 0 }), Number.MIN_VALUE],
    ['just below', number({ min: 0, below: 1 }), 1 - Number.EPSILON],
    ['the largest number', number({ above: 0, max: 100 }), 100],
    ['any number', number(), -Infinity],
    ['a word of the list', ['a', 'b'], 'b'],
    ['a function', required('a function'), () => {}],
    ['an empty list', 'a list', []],
    ['no texts', 'a list of texts', []],
    ['texts', 'a list of texts', ['a', '']],
    ['an empty text', 'a text', ''],
    ['false', 'true or false', false],
    ['an empty object', 'an object', {}],
    ['a text', 'a text that is not blank', 'x'],
  ])('takes what fits: %s', (_, expectation, value) => {
    expect(complaint(value, expectation)).toBe('');
  });

  test('names the first option that does not fit, with the path it stands at', () => {
    const group: { keep: number; turns: number } = { keep: 0, turns: 0 };
    const expectations = { keep: integer(0), turns: integer(1) };
    expect(() => checkOptions(group, expectations, 'compaction')).toThrow(
      'Expected `compaction.turns` to be a positive integer, got `0`',
    );
  });

  test.each([null, undefined, 'text', [], () => {}])(
    'refuses options that are no object',
    (bad) => {
      const options = bad as unknown as { keep?: number };
      expect(() => checkOptions(options, { keep: integer(0) })).toThrow(TypeError);
      expect(() => checkOptions(options, {}, 'limits')).toThrow(
        'Expected `limits` to be an object',
      );
      expect(() => checkOptions(options, {})).toThrow('Expected `options` to be an object');
    },
  );

  test('never quotes a text that is not of a list of words, and long ones in part', () => {
    const secret = 'my-private-word';
    for (const expectation of [
      integer(0),
      number(),
      'a function',
      'a list',
      'an object',
    ] as const) {
      expect(complaint(secret, expectation)).not.toContain(secret);
    }
    expect(complaint('x'.repeat(1_000), ['a'])).toContain(`got \`${'x'.repeat(40)}\``);
  });
});
