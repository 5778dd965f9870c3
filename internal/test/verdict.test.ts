import type { Report } from '@varve/evals';
import { describe, expect, test } from 'vitest';
import { verdict } from '../src/verdict.ts';

interface Figures {
  readonly strategy: string;
  readonly costs: readonly number[];
  readonly recall: number;
  readonly reach?: number;
  readonly invalid?: number;
  readonly basis?: 'replayed' | 'at-most';
}

const reportOf = (all: readonly Figures[]): Report => {
  const totals = all.map(
    ({ strategy, costs, recall, reach = 1, invalid = 0, basis = 'replayed' }) => ({
      ...{ strategy, basis },
      sessions: costs.length,
      comparable: costs.length - Number(invalid > 0),
      relativeToKeepAll: costs.reduce((sum, each) => sum + each, 0) / costs.length,
      hindsightRecall: recall,
      hindsightReach: reach,
      perObjectShare: 0.5,
      invalidRequests: invalid,
      breaksUnannounced: 0,
    }),
  );
  const rows = all.flatMap(({ strategy, costs }) =>
    costs.map((relativeToKeepAll, at) => ({ strategy, session: `s${at}`, relativeToKeepAll })),
  );
  return { totals, rows, verdict: { floor: 0.9, reachFloor: 0.95 } } as unknown as Report;
};

const LAYERS: Figures = { strategy: 'layers', costs: [0.4, 0.6], recall: 0.92 };

describe('verdict', () => {
  test('names the cheapest peer and the cheapest of ours that keep enough, and where they win', () => {
    const text = verdict(
      reportOf([
        { strategy: 'keep-all', costs: [1, 1], recall: 1 },
        { strategy: 'batched-clear', costs: [0.5, 0.7], recall: 0.91 },
        { strategy: 'sliding-clear', costs: [0.1, 0.1], recall: 0.5 },
        { strategy: 'as-it-was', costs: [0.1, 0.1], recall: 1 },
        { strategy: 'legal-oracle', costs: [0.1, 0.1], recall: 1, basis: 'at-most' },
        LAYERS,
        { strategy: 'a-peer', costs: [0.7, 0.5], recall: 0.9 },
        { strategy: 'forgetful-peer', costs: [0.1, 0.1], recall: 0.89 },
        { strategy: 'lost-peer', costs: [0.1, 0.1], recall: 1, reach: 0.94 },
        { strategy: 'refused-peer', costs: [0.1, 0.1], recall: 1, invalid: 1 },
      ]),
    );
    expect(text.split('\n')).toEqual([
      '- layers: rel .500, HR .920, LBa/$ .500, invalid requests 0, breaks not announced 0',
      '- cheapest peer with HR ≥ .900 and .950 with one call more: a-peer, rel .600, HR .900, LBa/$ .500; cheaper on 1 of 2: s1 (.500 against .600)',
      '- cheapest other of ours with HR ≥ .900 and .950 with one call more: batched-clear, rel .600, HR .910, LBa/$ .500; nowhere cheaper',
      '',
    ]);
  });

  test('says so where nobody keeps enough, and is silent without our combination', () => {
    expect(verdict(reportOf([LAYERS]))).toContain(
      'cheapest peer with HR ≥ .900 and .950 with one call more: none',
    );
    expect(verdict(reportOf([{ strategy: 'keep-all', costs: [1], recall: 1 }]))).toBe('');
  });
});
