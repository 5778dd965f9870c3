import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GRID_CELLS } from '../src/grid/cells.ts';
import { clusterInterval } from '../src/grid/cluster-interval.ts';
import { bestCell, leaveOneProjectOut } from '../src/grid/folds.ts';
import { type GridReport, gridReport } from '../src/grid/grid-report.ts';
import { formatGrid } from '../src/grid/grid-text.ts';
import { runGrid } from '../src/grid/run-grid.ts';
import type { Score, Scores } from '../src/grid/scores.ts';
import batchedClear, { findBatched } from '../src/strategies/batched-clear.ts';
import { sessionFolder, temporaryFolder } from './files.ts';
import { planOf, rowFor } from './replays.ts';
import { generatedSteps } from './sessions.ts';

/** Relative cost and recall on the sessions 0, 1, 2, … of the projects 0, 0, 1, 2. */
const PROJECTS = [0, 0, 1, 2];
const scored = (...figures: readonly (readonly [number, number | null])[]): readonly Score[] =>
  figures.map(([relative, recall], at) => ({
    session: `s${at}`,
    project: PROJECTS[at] as number,
    relative,
    recall,
    reach: recall === null ? null : Math.min(1, recall + 0.05),
    perObject: relative / 2,
  }));

const CELLS = ['cheap', 'safe', 'dear'];
const SCORES: Scores = new Map([
  ['cheap', scored([0.4, 0.95], [0.4, 0.95], [0.4, 0.9], [0.9, 0.5])],
  ['safe', scored([0.6, 0.9], [0.6, 0.9], [0.6, 0.95], [0.6, 0.95])],
  ['dear', scored([0.8, 1], [0.8, 1], [0.8, 1], [0.8, 1])],
]);
const OPTIONS = { cells: CELLS, floor: 0.9, reachFloor: 0.5 };

describe('bestCell', () => {
  test.each([
    ['the cheapest that reaches the floor', 0.9, 'safe'],
    ['a lower floor', 0.5, 'cheap'],
    ['exactly at the floor', 0.925, 'safe'],
    ['a higher floor', 0.97, 'dear'],
    ['a floor that none reaches: the highest recall', 1.1, 'dear'],
  ])('%s', (_, floor, expected) => {
    expect(bestCell(SCORES, { cells: CELLS, floor, reachFloor: 0.5 })).toBe(expected);
  });

  test('of those that keep enough at hand the cheapest that keeps enough within one call (FIDELITY 5)', () => {
    const options = { cells: CELLS, floor: 0.5 };
    expect(bestCell(SCORES, { ...options, reachFloor: 0.97 })).toBe('safe');
    expect(bestCell(SCORES, { ...options, reachFloor: 0.99 })).toBe('dear');
  });

  test('looks at the counted sessions only', () => {
    expect(bestCell(SCORES, OPTIONS, ({ project }) => project !== 2)).toBe('cheap');
  });

  test('without cells or sessions there is none', () => {
    expect(bestCell(SCORES, { cells: [], floor: 0.9, reachFloor: 0.5 })).toBeUndefined();
    expect(bestCell(SCORES, OPTIONS, () => false)).toBeUndefined();
  });

  test('a session in which too little is needed counts for the cost alone', () => {
    const scores = new Map([['cheap', scored([0.4, null], [0.4, 0.95])]]);
    expect(bestCell(scores, { cells: ['cheap'], floor: 0.95, reachFloor: 0.95 })).toBe('cheap');
  });
});

describe('leaveOneProjectOut', () => {
  test('scores each project under the cell that was chosen without it', () => {
    const { folds, scores } = leaveOneProjectOut(SCORES, OPTIONS);
    expect(folds).toEqual([
      { project: 0, cell: 'safe' },
      { project: 1, cell: 'safe' },
      { project: 2, cell: 'cheap' },
    ]);
    expect(scores.map(({ session, relative }) => [session, relative])).toEqual([
      ['s0', 0.6],
      ['s1', 0.6],
      ['s2', 0.6],
      ['s3', 0.9],
    ]);
  });

  test('what happens in the project left out makes no difference to its choice', () => {
    const other = new Map(SCORES);
    other.set('cheap', scored([0.4, 0.95], [0.4, 0.95], [0.4, 0.9], [0.1, 1]));
    expect(leaveOneProjectOut(other, OPTIONS).folds.at(-1)).toEqual({ project: 2, cell: 'cheap' });
  });
});

describe('clusterInterval', () => {
  const values = (...list: readonly (readonly [number, number])[]) =>
    list.map(([project, value]) => ({ project, value }));

  test.each([
    ['one value', values([0, -0.2]), { mean: -0.2, low: -0.2, high: -0.2, clusters: 1 }],
    ['one project', values([0, 1], [0, 3]), { mean: 2, low: 2, high: 2, clusters: 1 }],
    [
      'the same everywhere',
      values([0, 1], [1, 1], [2, 1]),
      { mean: 1, low: 1, high: 1, clusters: 3 },
    ],
    ['two projects', values([0, 0], [1, 1]), { mean: 0.5, low: 0, high: 1, clusters: 2 }],
  ])('%s', (_, given, expected) => {
    expect(clusterInterval(given)).toEqual(expected);
  });

  test('without values there is none', () => {
    expect(clusterInterval([])).toBeUndefined();
  });

  test('the same seed gives the same interval, and whole projects are drawn', () => {
    const alike = values(...Array.from({ length: 40 }, (_, at) => [at % 4, at % 4] as const));
    const apart = values(...Array.from({ length: 40 }, (_, at) => [at, at % 4] as const));
    expect(clusterInterval(alike)).toEqual(clusterInterval(alike, { seed: 1 }));
    const width = (given: typeof alike) => {
      const { low = 0, high = 0 } = clusterInterval(given) ?? {};
      return high - low;
    };
    expect(width(alike)).toBeGreaterThan(2 * width(apart));
  });

  test('agrees with the normal interval of many independent values', () => {
    const many = values(...Array.from({ length: 400 }, (_, at) => [at, at % 2] as const));
    const { mean, low, high } = clusterInterval(many) ?? { mean: 0, low: 0, high: 0 };
    expect(mean).toBe(0.5);
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
  });
});

describe('gridReport', () => {
  const others: Scores = new Map([
    ['ours', scored([0.5, 0.95], [0.5, 0.95], [0.5, 0.95], [0.5, 0.95])],
    ['one-missing', scored([0.7, 0.95], [0.5, 0.95], [0.6, 0.95])],
  ]);
  const report = gridReport({ grid: SCORES, others }, OPTIONS);

  test('compares each strategy with what was chosen on other projects, session by session', () => {
    expect(report).toMatchObject({ sessions: 4, projects: 3, inSample: { cell: 'safe' } });
    expect(report.leaveOneOut.relative).toBeCloseTo(0.675);
    const [ours, missing] = report.compared;
    expect(ours?.difference?.mean).toBeCloseTo(-0.175);
    expect(ours?.cheaper).toBe(4);
    expect(missing?.difference?.mean).toBeCloseTo(0);
    expect(missing?.cheaper).toBe(1);
  });

  test('is shown in 100 columns', () => {
    const nothing = { read: [], leftOut: [], skipped: [], refused: [] };
    const text = formatGrid({ ...report, ...nothing });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(text).toContain('best in sample: safe');
    expect(text).toContain('Chosen: safe (2), cheap (1).');
  });
});

describe('findBatched', () => {
  test('knows every cell of the grid, and the setting that has a name of its own', () => {
    expect(new Set(GRID_CELLS).size).toBe(60);
    for (const cell of GRID_CELLS) expect(findBatched(cell)?.name).toBe(cell);
    const plan = planOf(generatedSteps({ seed: 1, calls: 90, lines: 110 }));
    const named = findBatched('batched-t120-n3-f10');
    if (named === undefined) throw new Error('the setting has no strategy');
    const { strategy: _, ...row } = rowFor(plan, named);
    expect(rowFor(plan, batchedClear)).toMatchObject(row);
  });

  test('keeping 0 results clears all of them', () => {
    const plan = planOf(generatedSteps({ seed: 1, calls: 30, lines: 60 }));
    const none = findBatched('batched-t20-n0-f0');
    const all = findBatched('batched-t20-n999-f0');
    if (none === undefined || all === undefined) throw new Error('the setting has no strategy');
    expect(rowFor(plan, none).breaks).toBeGreaterThan(0);
    expect(rowFor(plan, all).breaks).toBe(0);
  });

  test.each([
    'batched',
    'batched-t-n3-f10',
    'batched-t1-n3-f10+p',
    'batched-t1.5-n3-f1',
    'keep-all',
  ])('%s is no setting', (name) => {
    expect(findBatched(name)).toBeUndefined();
  });
});

describe('runGrid', () => {
  const cells = ['batched-t18-n1-f0+parked', 'batched-t500-n3-f0+parked'];
  const setUp = () => {
    const cacheFolder = temporaryFolder();
    const options = { sessions: [sessionFolder()], strategies: ['sliding-clear'], ttl: 'none' };
    const run = (more: object = {}): Promise<GridReport> =>
      runGrid({ ...options, ttl: 'none', cacheFolder, cells, ...more });
    return { cacheFolder, run };
  };
  const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

  test('replays cells once, and what is kept is used again for the same run only', async () => {
    const { cacheFolder, run } = setUp();
    const first = await run();
    expect(first.compared.map(({ strategy }) => strategy)).toEqual(['keep-all', 'sliding-clear']);
    expect(first.cells.map(({ cell }) => cell)).toEqual(cells);
    expect(first.cells[1]?.relative).toBe(1);
    const [path] = filesIn(cacheFolder);
    const kept = readFileSync(path as string, 'utf8');
    writeFileSync(
      path as string,
      kept.replaceAll('"relativeToKeepAll":1,', '"relativeToKeepAll":2,'),
    );
    expect((await run()).cells[1]?.relative).toBe(2);
    expect((await run({ rereadFactor: 2 })).cells[1]?.relative).toBe(1);
    expect(filesIn(cacheFolder)).toHaveLength(2);
  });

  test('a damaged file is replayed anew', async () => {
    const { cacheFolder, run } = setUp();
    const first = await run();
    for (const damage of ['', '{"batched', '{"batched-t18-n1-f0+parked":[{"session":1}]}']) {
      for (const path of filesIn(cacheFolder)) writeFileSync(path, damage);
      expect(await run()).toEqual(first);
    }
  });
});
