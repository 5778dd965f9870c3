import { describe, expect, test } from 'vitest';
import type { ReportTotal } from '../src/index.ts';
import { formatCount, formatDollars, formatRatio, formatTokens } from '../src/report/format.ts';
import { NEED_COLUMNS } from '../src/report/report-columns.ts';
import { type Column, formatMarkdownTable, formatTable } from '../src/report/table.ts';

type Row = readonly [name: string, value: string];
const columns: readonly Column<Row>[] = [
  { title: 'name', cell: ([name]) => name, maxCharacters: 8 },
  { title: 'value', cell: ([, value]) => value, align: 'right' },
];

describe('formatTable', () => {
  test('aligns columns and ends no line in a space', () => {
    expect(
      formatTable(
        [
          ['a', '1'],
          ['bcd', '20.5'],
        ],
        columns,
      ),
    ).toEqual(['name  value', '----  -----', 'a         1', 'bcd    20.5']);
  });

  test('has titles without rows', () => {
    expect(formatTable([], columns)).toEqual(['name  value', '----  -----']);
  });

  test.each([
    ['abcdefgh', 'abcdefgh'],
    ['abcdefghi', 'ab…efghi'],
  ])('cuts the middle out of %s', (name, cell) => {
    expect(formatTable([[name, '']], columns)[2]?.trim()).toBe(cell);
  });

  test('the table of needs fits 100 characters with its widest figures', () => {
    const total = {
      ...{ strategy: 'microcompact-server+parked', namedRecall: 1, namedReach: 0 },
      ...{ hindsightRecall: 1, hindsightLow: 1, hindsightHigh: 1 },
      ...{ hindsightReach: 0, hindsightReachLow: 1, hindsightReachHigh: 1 },
    } as ReportTotal;
    const lines = formatTable([total], NEED_COLUMNS);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('escapes what would end a cell in Markdown', () => {
    expect(formatMarkdownTable([['a|b', '1']], columns)[2]).toBe('| a\\|b | 1 |');
  });
});

describe('figures', () => {
  test.each([
    [formatRatio(null), '-'],
    [formatRatio(0.635), '.635'],
    [formatRatio(1), '1.000'],
    [formatRatio(-0.5, 2), '-.50'],
    [formatTokens(950), '0.9K'],
    [formatTokens(281_400), '281K'],
    [formatTokens(1_204_000), '1.20M'],
    [formatDollars(0.01234), '0.0123'],
    [formatDollars(3.456), '3.46'],
    [formatDollars(123.4), '123'],
    [formatCount(0), '0'],
    [formatCount(3.14), '3.1'],
    [formatCount(31.4), '31'],
  ])('%s is %s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});
