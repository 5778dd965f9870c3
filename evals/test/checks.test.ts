import { describe, expect, test } from 'vitest';
import type { ReportRow } from '../src/index.ts';
import { checkLines, checksOf } from '../src/report/checks.ts';

const row = (strategy: string, figures: Partial<ReportRow> = {}): ReportRow =>
  ({
    ...{ session: 's', strategy, requests: 10, promptTokens: 1_000, dollars: 1 },
    ...{ relativeToKeepAll: 1, idle: false, billed: null, compactions: 0, ownCallDollars: 0 },
    ...{ ownCalls: 0, breaks: 0, rereads: 0, rereadShare: 0 },
    ...figures,
  }) as ReportRow;

const KEEP_ALL = row('keep-all', { idle: true });
const billed = (dollars: number, replayedDollars: number, more: object = {}) => ({
  billed: {
    ...{ requests: 9, dollars, replayedDollars, losses: 0, models: ['a'], doubt: null },
    ...more,
  } as ReportRow['billed'],
});
const named = (rows: readonly ReportRow[], name: string) =>
  checksOf(rows).find((check) => check.name === name);

test('what was not replayed is not checked', () => {
  expect(checksOf([KEEP_ALL])).toEqual([]);
});

describe('as it was within the bills', () => {
  const asItWas = (figures: Partial<ReportRow>) => row('as-it-was', figures);

  test.each([
    ['just within 3 % in sum', [billed(100, 97.01)], true],
    ['beyond it', [billed(100, 96.9)], false],
    ['two that are off either way', [billed(100, 90), billed(100, 110)], true],
  ])('%s', (_, bills, holds) => {
    const found = named(bills.map(asItWas), 'as-it-was-within-bills');
    expect(found?.holds).toBe(holds);
  });

  test('each session that is off is named with why; one in doubt is not looked at', () => {
    const found = named(
      [
        asItWas({ session: 'exact', ...billed(10, 10) }),
        asItWas({ session: 'mixed', ...billed(1, 1.2, { models: ['a', 'b'] }) }),
        asItWas({ session: 'cut', compactions: 2, ...billed(1, 0.8) }),
        asItWas({ session: 'lacking', ...billed(50, 5, { doubt: 'lacks-most' }) }),
      ],
      'as-it-was-within-bills',
    );
    expect(found).toMatchObject({ holds: true, of: 3 });
    expect(found?.text).toContain('; 1 more lack most of what was sent');
    expect(found?.exceptions.map(({ session, why }) => [session, why])).toEqual([
      ['mixed', expect.stringContaining('several models')],
      ['cut', expect.stringContaining('compacted')],
    ]);
  });
});

describe('where nothing acts', () => {
  test.each([
    [1.01, true],
    [1.011, false],
  ])('%d of keep-all', (relativeToKeepAll, holds) => {
    const idle = row('layers', { idle: true, relativeToKeepAll, promptTokens: 6_150 });
    const found = named([KEEP_ALL, idle], 'idle-costs-nothing');
    expect(found?.holds).toBe(holds);
    if (!holds)
      expect(found?.exceptions).toMatchObject([
        { strategy: 'layers', why: '515 tokens more in each of 10 requests: its tools' },
      ]);
  });

  test('one that acts may cost what it likes, keep-all is not looked at', () => {
    const found = named([KEEP_ALL, row('layers', { relativeToKeepAll: 2 })], 'idle-costs-nothing');
    expect(found).toBeUndefined();
  });
});

test('layers are dearer than keep-all by no more than a fiftieth; the furthest stands first', () => {
  const rows = [1.02, 1.03, 1.2, null].map((relativeToKeepAll, at) =>
    row('layers', { session: `s${at}`, relativeToKeepAll, breaks: 4, rereads: 2 }),
  );
  const found = named([KEEP_ALL, ...rows], 'layers-never-dearer');
  expect(found).toMatchObject({ holds: false, of: 3 });
  expect(found?.exceptions.map(({ session }) => session)).toEqual(['s2', 's1']);
});

test('notes are held against the session without them', () => {
  const notes = (dollars: number, ownCallDollars: number) =>
    named([KEEP_ALL, row('session-memory', { dollars, ownCallDollars })], 'notes-cost-little');
  expect(notes(1.05, 0.05)?.holds).toBe(true);
  expect(notes(1.06, 0.06)?.holds).toBe(false);
});

test('a check is a line, its exceptions stand below it', () => {
  const rows = Array.from({ length: 14 }, (_, at) =>
    row('layers', { session: `s${at}`, relativeToKeepAll: 1.1 }),
  );
  const lines = checkLines(checksOf([KEEP_ALL, ...rows]));
  expect(lines[0]).toMatch(/^FAILS: layers costs at most 1.02 .*; 14 looked at, 14 beyond\.$/);
  expect(lines).toHaveLength(1 + 12 + 1);
  expect(lines.at(-1)).toContain('2 more stand in report.json');
});
