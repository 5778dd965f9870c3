import { describe, expect, test } from 'vitest';
import { checkSummary, type Ledger, renderLedger } from '../src/index.ts';
import { bash, ledgerOf, runs, says, sizeOf } from './session.ts';

const check = (summary: string, ledger: Ledger) =>
  checkSummary(summary, { ledger, budgetTokens: 0, sizeOf });

describe('checkSummary at its edges', () => {
  test('a name that was cut short is no invented one, a whole one is', () => {
    const ledger = ledgerOf(says('Go.'));
    const { text } = check('See src/my_deep/fol… and src/my_deep/folder.', ledger);
    expect(text).toContain('See src/my_deep/fol… and src/my_deep/folder (not in the session).');
  });

  test('superseded values of one line are told in the order of the session', () => {
    const ledger = ledgerOf(
      says('The alpha limit is 5.'),
      says('The beta limit is 6.'),
      says('The alpha limit is 7.'),
      says('The beta limit is 8.'),
    );
    const { text, findings } = check('The beta limit is 6, the alpha limit is 5.', ledger);
    expect(text).toContain('The beta limit is 8, the alpha limit is 7.');
    expect(findings.map(({ detail }) => detail)).toEqual(['alpha limit: 5', 'beta limit: 6']);
  });
});

test('a range that is no pair of numbers is no range', () => {
  const ledger = ledgerOf(runs('view', { file_path: 'a', view_range: [3, 'x'] }));
  expect(ledger.facts().map(({ value }) => value)).toEqual(['read']);
});

describe('renderLedger within a budget', () => {
  test('rows that cost nothing one by one go in a few rounds, however many they are', () => {
    const reads = Array.from({ length: 1_000 }, (_, at) =>
      runs('Read', { file_path: `/w/f${at}.ts` }),
    );
    let measured = 0;
    const hundreds = (text: string) => {
      measured += text.length > 1_000 ? 1 : 0;
      return Math.floor(text.length / 100);
    };
    const { tokens } = renderLedger(ledgerOf(says('Go.'), ...reads), {
      budgetTokens: 100,
      sizeOf: hundreds,
    });
    expect(tokens).toBeGreaterThanOrEqual(97);
    expect(tokens).toBeLessThanOrEqual(100);
    expect(measured).toBeLessThan(20);
  });

  const calls = Array.from({ length: 90 }, (_, at) => bash(`run part ${100 + at}`));
  const ledger = ledgerOf(says('Go.'), ...calls);
  const size = (text: string) => text.length;

  test('no more rows go than have to: one more of the same length would not fit', () => {
    const whole = renderLedger(ledger, { budgetTokens: 100_000, sizeOf: size });
    const row =
      1 +
      Math.max(...whole.text.split('\n').map((line) => (line.includes('part') ? line.length : 0)));
    for (let budgetTokens = whole.tokens - 1; budgetTokens > 600; budgetTokens -= 7) {
      const { tokens } = renderLedger(ledger, { budgetTokens, sizeOf: size });
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expect(tokens + row).toBeGreaterThan(budgetTokens);
    }
  });
});
