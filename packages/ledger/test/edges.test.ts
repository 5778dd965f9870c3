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
    const edits = Array.from({ length: 1_000 }, (_, at) =>
      runs('Edit', { file_path: `/w/f${at}.ts`, old_string: '{', new_string: '}' }),
    );
    let measured = 0;
    const hundreds = (text: string) => {
      measured += text.length > 1_000 ? 1 : 0;
      return Math.floor(text.length / 100);
    };
    const { tokens } = renderLedger(ledgerOf(says('Go.'), ...edits), {
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

// rows cost one each and titles nothing, so that every bound is met exactly
describe('renderLedger counts rows one by one', () => {
  const rowsOf = (text: string): number => text.match(/^(?:- |\[|pin )/gm)?.length ?? 0;
  const shown = (ledger: Ledger, budgetTokens: number, more: object = {}): string =>
    renderLedger(ledger, { budgetTokens, sizeOf: rowsOf, ...more }).text;
  const edits = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      runs('Edit', { file_path: `f${at}.ts`, old_string: 'a', new_string: 'b' }),
    );
  const rules = (count: number) =>
    Array.from({ length: count }, (_, at) => says(`Never touch f${at}. Please.`));
  const ruled = (text: string): string[] => text.match(/Never touch f\d+|\d+ older/g) ?? [];

  test('a row that fits exactly stands', () => {
    expect(rowsOf(shown(ledgerOf(...edits(5)), 3))).toBe(3);
  });

  test('an error stands before the eighth newest file, not before the seventh', () => {
    const failed = bash('make', { result: 'fatal: no rule', isError: true });
    const ledger = ledgerOf(failed, ...edits(20));
    expect([7, 8].map((budget) => shown(ledger, budget).includes('- error:'))).toEqual([
      false,
      true,
    ]);
  });

  test('rules have two thirds of what the pins leave, the newest of them and a line for the others', () => {
    const six = rules(6);
    const kept = (count: number, budget: number, pins: readonly string[] = []) =>
      ruled(
        shown(ledgerOf(...six.slice(0, count)), budget, { pins }).split('## Messages')[0] ?? '',
      );
    const all = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5'].map((name) => `Never touch ${name}`);
    expect(kept(6, 9)).toEqual(all);
    expect(kept(6, 8)).toEqual(['2 older', ...all.slice(2)]);
    expect(kept(6, 11, ['pin a', 'pin b', 'pin c'])).toEqual(['2 older', ...all.slice(2)]);
    expect(kept(6, 12, ['pin a', 'pin b', 'pin c'])).toEqual(all);
    expect(kept(3, 3)).toEqual(['2 older', ...all.slice(2, 3)]);
    expect(kept(2, 1)).toEqual(['2 older']);
    expect(kept(2, 0)).toEqual([]);
  });

  test('where the originals are is said where something is cut, in the end, and nowhere else', () => {
    const more = { originals: 'log.jsonl' };
    expect(shown(ledgerOf(...edits(2)), 9, more)).not.toContain('log.jsonl');
    expect(shown(ledgerOf(...rules(3)), 3, more)).toMatch(/\n\nWhole conversation: log\.jsonl$/);
    expect(shown(ledgerOf(...rules(3)), 3)).not.toContain('Whole');
    expect(shown(ledgerOf(), 1, { ...more, pins: ['pin a'] })).toBe('## Pinned\npin a');
    const message = ledgerOf(says('x'.repeat(4_000)));
    const { text, dropped } = renderLedger(message, { budgetTokens: 200, sizeOf, ...more });
    expect(text).toMatch(/Whole conversation: log\.jsonl$/);
    expect(dropped).toHaveLength(1);
  });
});

describe('renderLedger counts characters', () => {
  const size = ({ length }: string): number => length;
  const edits = Array.from({ length: 40 }, (_, at) =>
    runs('Edit', { file_path: `d${at + 10}/f.ts`, old_string: 'a', new_string: 'b' }),
  );
  const rows = (text: string): number => text.match(/edited once/g)?.length ?? 0;

  test('what fits exactly stands whole', () => {
    for (const ledger of [ledgerOf(says('Go.'), ...edits), ledgerOf(...edits.slice(0, 3))]) {
      const whole = renderLedger(ledger, { budgetTokens: 100_000, sizeOf: size });
      expect(whole.tokens).toBe(whole.text.length);
      expect(renderLedger(ledger, { budgetTokens: whole.tokens, sizeOf: size })).toEqual(whole);
    }
  });

  test('nothing takes no tokens, whatever it is measured as', () => {
    const { text, tokens } = renderLedger(ledgerOf(), { budgetTokens: 9, sizeOf: () => 7 });
    expect([text, tokens]).toEqual(['', 0]);
  });

  test('a message has half of the room before anything else, and no more', () => {
    const shown = (...words: readonly number[]) =>
      renderLedger(ledgerOf(...words.map((length) => says('x'.repeat(length))), ...edits), {
        budgetTokens: 1_000,
        sizeOf: size,
      }).text;
    expect(shown(300)).toContain('x'.repeat(300));
    expect(shown(4_000, 4_000).match(/characters…\]/g)).toHaveLength(1);
    expect(rows(shown(4_000, 4_000))).toBeGreaterThan(15);
    expect(rows(shown(300))).toBeGreaterThan(20);
  });

  test('beside a pin a message is cut to what is left', () => {
    const { text } = renderLedger(ledgerOf(says('x'.repeat(4_000))), {
      ...{ budgetTokens: 4_000, pins: ['pin '.repeat(100)] },
      sizeOf: size,
    });
    expect(/\] (x+) \[…/.exec(text)?.[1]).toHaveLength(Math.floor((4_000 * 0.8 * 2) / 3));
  });
});
