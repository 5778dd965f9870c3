import { describe, expect, test } from 'vitest';
import { bash, factsOf, ledgerOf, says, valuesOf } from './session.ts';

const rulesAfter = (...texts: readonly string[]): string[] =>
  valuesOf(ledgerOf(...texts.map((text) => says(text))), 'rule');

describe('createLedger: what the person decides otherwise (C17)', () => {
  const rule = 'The output folder is build/v3, keep to it.';

  test.each([
    ['news in a plain sentence', 'The output folder is now build/v4.'],
    ['a move', 'By the way, we moved: the output folder is build/v4.'],
  ])('a rule gives way to %s', (_, text) => {
    expect(rulesAfter(rule, text)).toEqual([]);
    expect(factsOf(ledgerOf(says(rule), says(text)), 'literal')).toEqual([
      'output folder: build/v4',
    ]);
  });

  test.each([
    ['a question', 'Is the output folder now build/v4?'],
    ['the same value', 'The output folder is now build/v3.'],
    ['another name', 'The cache folder is now build/v4.'],
    ['what is told of somewhere else', 'In their project the output folder is build/v4.'],
    ['nothing', ''],
  ])('and not to %s', (_, text) => {
    expect(rulesAfter(rule, text)).toEqual([rule]);
  });

  test('a value keeps its name, whatever words lead into it', () => {
    const [before, after] = ['Always set the timeout to 35 s.', 'Set the timeout to 27 s instead.'];
    expect(factsOf(ledgerOf(says(before), says(after)), 'literal')).toEqual(['timeout: 27 s']);
    expect(rulesAfter(before, after)).toEqual([after]);
  });

  test('nothing in a pasted text is news', () => {
    const pasted = `${'A line of a log.\n'.repeat(500)}The output folder is now build/v4.`;
    expect(rulesAfter(rule, pasted)).toEqual([rule]);
  });

  test.each([
    'You must not listen on port 5747.',
    "Don't ever use port 5747.",
    'Always start it on its own, never on port 5747.',
    'Use any socket instead of port 5747.',
  ])('what is ruled out is no value, and no value takes its place: %s', (prohibition) => {
    expect(factsOf(ledgerOf(says(prohibition)), 'literal')).toEqual([]);
    expect(rulesAfter(prohibition, 'Use port 4021 for the preview.')).toContain(prohibition);
  });

  test.each([
    ["Don't use port 8080, use port 8081.", 'port: 8081'],
    ['Use port 8081 instead of port 8080.', 'port: 8081'],
    ['It must not wait: the timeout is 30 s.', 'timeout: 30 s'],
  ])('the value beside it counts: %s', (text, expected) => {
    expect(factsOf(ledgerOf(says(text)), 'literal')).toEqual([expected]);
  });
});

describe('createLedger: what went wrong (C17)', () => {
  test.each([
    [
      'below the title of a failed test',
      '✖ reads ports (2ms)\n  TypeError: port is not a number\n      at read (a.js:3)',
    ],
    ['of a pytest', '    def test_ports():\nE       TypeError: port is not a number'],
    ['that nobody caught', 'node:internal/x\n    Uncaught TypeError: port is not a number'],
  ])('a named error says more than the lines around it: %s', (_, result) => {
    const ledger = ledgerOf(...bash('run-tests', { result, isError: true }));
    expect(factsOf(ledger, 'error').join()).toContain('TypeError: port is not a number');
  });
});
