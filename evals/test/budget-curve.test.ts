import { describe, expect, test } from 'vitest';
import { budgetCurves } from '../src/fidelity/budget-curve.ts';
import type { FidelityRow } from '../src/fidelity/fidelity-schema.ts';
import { fidelityTotals } from '../src/fidelity/fidelity-totals.ts';

interface Given {
  readonly compactor: string;
  readonly budget: number;
  readonly vital: number;
  readonly hindsight: number;
  readonly session?: string;
}

/** A session of 10,000 tokens, of which everybody leaves what the budget allows. */
const rowOf = ({ session = 'one', budget, ...given }: Given): FidelityRow => ({
  ...given,
  session,
  budget,
  project: 0,
  cut: 1,
  share: budget,
  tokens: 10_000 * budget,
  facts: 10,
  named: null,
  recall: null,
  recallWithRecovery: null,
  contradicted: 0,
  types: {},
  entities: 0,
  fabricated: 0,
  wrongClaims: 0,
});

const at = (budget: number, [random, own, oracle]: readonly number[], vital = 0) => [
  rowOf({ compactor: 'random-1', budget, vital: 0, hindsight: random ?? 0 }),
  rowOf({ compactor: 'own', budget, vital, hindsight: own ?? 0 }),
  rowOf({ compactor: 'oracle', budget, vital: 0, hindsight: oracle ?? 0 }),
];
const curvesOf = (rows: readonly FidelityRow[]) =>
  new Map(budgetCurves(rows, fidelityTotals(rows)).map((curve) => [curve.compactor, curve]));

describe('budgetCurves (EVALS f)', () => {
  test('chance is 0, the oracle 1, and what is half way between them at every budget a half', () => {
    const rows = [at(0.1, [0.2, 0.5, 0.8]), at(0.2, [0.4, 0.6, 0.8]), at(0.4, [0.5, 0.7, 0.9])];
    const curves = curvesOf(rows.flat());
    expect(curves.get('random')?.area).toBeCloseTo(0, 12);
    expect(curves.get('oracle')?.area).toBeCloseTo(1, 12);
    expect(curves.get('own')?.area).toBeCloseTo(0.5, 12);
    expect(curves.get('own')?.points.map(({ budget }) => budget)).toEqual([0.1, 0.2, 0.4]);
  });

  test.each([
    ['the lower half of a doubling weighs as much as the next one', [0, 0, 1], 0.25],
    ['a gain at the smallest budgets', [1, 0, 0], 0.25],
    ['a gain in the middle counts on both sides', [0, 1, 0], 0.5],
  ])('%s', (_, heights, expected) => {
    const rows = [0.1, 0.2, 0.4].flatMap((budget, index) =>
      at(budget, [0, heights[index] as number, 1]),
    );
    expect(curvesOf(rows).get('own')?.area).toBeCloseTo(expected, 12);
  });

  test('one budget is no curve, and a place where nothing is at stake is left out', () => {
    expect(curvesOf(at(0.1, [0.2, 0.5, 0.8])).get('own')?.area).toBeNull();
    const rows = [at(0.1, [0, 0.5, 1]), at(0.2, [0.7, 0.7, 0.7]), at(0.4, [0, 0.5, 1])];
    expect(curvesOf(rows.flat()).get('own')?.area).toBeCloseTo(0.5, 12);
  });

  test.each([
    ['never', [0.1, 0.5, 0.8], null],
    ['at the smallest budget', [0.95, 0.96, 0.97], 1_000],
    ['exactly at a budget', [0.5, 0.9, 0.95], 2_000],
    ['half way, over the logarithm, between two', [0.4, 0.8, 1], Math.sqrt(2) * 2_000],
  ])('nine tenths of the vital facts: %s', (_, vitals, expected) => {
    const rows = [0.1, 0.2, 0.4].flatMap((budget, index) => at(budget, [0, 0, 1], vitals[index]));
    const { neededTokens, reached } = curvesOf(rows).get('own') ?? {};
    expect(reached).toBe(expected === null ? 0 : 1);
    if (expected === null) expect(neededTokens).toBeNull();
    else expect(neededTokens).toBeCloseTo(expected, 6);
  });

  test('where fewer than half of the sessions get there, no number of tokens is given', () => {
    const vital = (session: string, value: number) =>
      [0.1, 0.2].map((budget) =>
        rowOf({ compactor: 'own', session, budget, vital: value, hindsight: 0 }),
      );
    const curve = (rows: readonly FidelityRow[]) => curvesOf(rows).get('own');
    const [good, bad] = [vital('one', 1), vital('two', 0)];
    expect(curve([...good, ...bad])).toMatchObject({
      reached: 1,
      sessions: 2,
      neededTokens: 1_000,
    });
    expect(curve([...good, ...bad, ...vital('three', 0)])).toMatchObject({ neededTokens: null });
  });

  test('summaries that models wrote have no budget and are no part of it', () => {
    const rows = [...at(0.1, [0, 0, 1]), ...at(0.2, [0, 0, 1])];
    const recorded = { ...(rows[1] as FidelityRow), budget: null };
    expect(curvesOf([...rows, recorded])).toEqual(curvesOf(rows));
    expect(budgetCurves([], [])).toEqual([]);
  });
});

test('how far a compactor is between chance and whole messages, of large places by itself', () => {
  const sized = (session: string, tokens: number, figures: readonly number[]) =>
    at(0.1, figures).map((row) => ({ ...row, session, tokens: tokens * 0.1 }));
  const rows = [
    ...sized('small', 20_000, [0.4, 0.4, 0.8]),
    ...sized('large', 60_000, [0.2, 0.6, 1]),
    ...sized('larger', 90_000, [0.2, 0.6, 1]),
  ];
  const own = fidelityTotals(rows).find(({ compactor }) => compactor === 'own');
  // a difference of 0, .4 and .4 of one of .4, .8 and .8
  expect(own?.normalised).toBeCloseTo(0.4, 12);
  expect(own?.normalisedLarge?.mean).toBeCloseTo(0.5, 12);
  expect(own?.normalisedLarge).toMatchObject({ sessions: 2 });
  const small = fidelityTotals(rows.slice(0, 3)).find(({ compactor }) => compactor === 'own');
  expect(small?.normalisedLarge).toBeNull();
});
