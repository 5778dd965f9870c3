import type { View } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { describe, expect, test } from 'vitest';
import { fitNeed, type SampledSession } from '../src/fit/fit-need.ts';
import { formatFit } from '../src/fit/fit-text.ts';
import { chanceOf, fitLogistic } from '../src/fit/logistic.ts';
import {
  type CreateFeatureSource,
  HORIZON_REQUESTS,
  type Sample,
  sampleSession,
} from '../src/fit/sample-session.ts';
import { aucAtEqualAge, calibration } from '../src/fit/telling.ts';
import { withWeights } from '../src/fit/write-weights.ts';
import { planOf } from './replays.ts';
import { edit, randomFrom, read, type Step } from './sessions.ts';

describe('fitLogistic', () => {
  test('finds the weights that made the data, whatever the units', () => {
    const random = randomFrom(7);
    const rows = Array.from({ length: 20_000 }, () => {
      const features = [random() * 2 - 1, random() * 2_000, 5];
      const chance = chanceOf({ intercept: -2, weights: [1.5, 0.001, 0] }, features);
      return { features, isNeeded: random() < chance };
    });
    const { intercept, weights } = fitLogistic(rows);
    expect(weights[0]).toBeCloseTo(1.5, 0);
    expect(weights[1]).toBeCloseTo(0.001, 3);
    expect(weights[2]).toBe(0);
    expect(intercept).toBeCloseTo(-2, 0);
  });

  test('stays finite where a feature tells everything', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({
      ...{ features: [at % 2], isNeeded: at % 2 === 1 },
    }));
    const model = fitLogistic(rows);
    expect(Number.isFinite(model.weights[0])).toBe(true);
    expect(chanceOf(model, [1])).toBeGreaterThan(0.9);
    expect(chanceOf(model, [0])).toBeLessThan(0.1);
  });
});

describe('aucAtEqualAge', () => {
  const told = (age: number, chance: number, isNeeded: boolean) => ({ age, chance, isNeeded });

  test.each([
    ['every pair right', [told(1, 0.9, true), told(1, 0.1, false)], 1],
    ['a tie is half right', [told(1, 0.5, true), told(1, 0.5, false)], 0.5],
    ['pairs of different ages do not count', [told(1, 0.9, true), told(2, 0.1, false)], null],
    [
      'age alone is worth nothing',
      [told(1, 0.9, true), told(1, 0.9, false), told(9, 0.1, true), told(9, 0.1, false)],
      0.5,
    ],
    [
      'three of four',
      [told(1, 0.9, true), told(1, 0.3, true), told(1, 0.5, false), told(1, 0.1, false)],
      0.75,
    ],
    ['nothing', [], null],
  ])('%s', (_, rows, expected) => {
    expect(aucAtEqualAge(rows)).toBe(expected);
  });

  test('bins say what was said and what was', () => {
    const rows = Array.from({ length: 100 }, (_, at) => told(1, at / 100, at >= 50));
    const bins = calibration(rows);
    expect(bins[0]).toMatchObject({ was: 0, count: 50 });
    expect(bins.at(-1)).toMatchObject({ was: 1, count: 2 });
  });
});

/** Age and size, from a plan that nothing is fitted to. */
const plainFeatures: CreateFeatureSource = (sizeOf) => {
  const { candidates, observe } = createMicrocompact({ sizeOf });
  return {
    observe: (entry, view: View) => observe(entry, view),
    candidates: () => candidates.list,
    requests: () => candidates.requests,
    featuresOf: ({ tokens, kind }) => ({
      logTokens: Math.log(tokens),
      read: Number(kind === 'result'),
    }),
  };
};

const file = (name: string) =>
  Array.from({ length: 60 }, (_, at) => `export const ${name}Value${at} = compute${name}(${at});`);
const text = (name: string) => file(name).join('\n');

/** Reads two files, works for a while, and edits a line of the first. */
const session = (name: string, pause: number): readonly Step[] => [
  { user: 'Go on.' },
  read(`src/${name}/one.ts`, text(`${name}One`)),
  read(`src/${name}/two.ts`, text(`${name}Two`)),
  ...Array.from({ length: pause }, (_, at) => read(`src/${name}/n${at}.txt`, `note ${at}`)),
  edit(`src/${name}/one.ts`, file(`${name}One`)[7] as string),
  ...Array.from({ length: 60 }, (_, at) => read(`src/${name}/m${at}.txt`, `memo ${at}`)),
];

const samplesOf = (steps: readonly Step[]): readonly Sample[] =>
  sampleSession(planOf(steps), plainFeatures);

describe('sampleSession', () => {
  const ofFirst = (samples: readonly Sample[]) => {
    const large = samples.filter(({ features }) => features.read === 1);
    return large.filter((_, at) => at % 2 === 0);
  };

  test('what an edit needs is needed for as long as the edit is near, and no longer', () => {
    const samples = samplesOf(session('alpha', 10));
    const needed = samples.filter(({ isNeeded }) => isNeeded);
    expect(needed.map(({ age }) => age)).toEqual([1, 2, 3, 4, 6, 8, 11]);
    expect(ofFirst(samples).length).toBeGreaterThan(0);
  });

  test('what is needed later than the horizon is not needed yet', () => {
    const samples = samplesOf(session('alpha', HORIZON_REQUESTS + 10));
    const ages = samples.filter(({ isNeeded }) => isNeeded).map(({ age }) => age);
    expect(Math.min(...ages)).toBeGreaterThan(10);
    expect(Math.max(...ages)).toBeLessThanOrEqual(HORIZON_REQUESTS + 12);
  });

  test('near the end only what was needed is known', () => {
    const short = session('alpha', 10).slice(0, 14);
    expect(samplesOf(short).every(({ isNeeded }) => isNeeded)).toBe(true);
  });

  test('what a newer block shows as well is not needed of the older one', () => {
    const again: Step[] = [
      ...session('alpha', 3).slice(0, 3),
      read('src/alpha/copy.ts', text('alphaOne')),
      ...session('alpha', 10).slice(3),
    ];
    const needed = samplesOf(again).filter(({ isNeeded }) => isNeeded);
    expect(needed.length).toBeGreaterThan(0);
    expect(Math.max(...needed.map(({ age }) => age))).toBeLessThanOrEqual(11);
  });
});

describe('fitNeed', () => {
  const sampled = Array.from({ length: 5 }, (_, project): SampledSession => {
    const random = randomFrom(project + 1);
    const samples = Array.from({ length: 400 }, (): Sample => {
      const coverage = random();
      const noise = random();
      const isNeeded = random() < 0.6 * (1 - coverage);
      const features = { coverage, noise, logTokens: 5, read: 1 };
      return { features, age: 1 + Math.floor(random() * 4), tokens: 500, isNeeded };
    });
    return { session: `s${project}`, project, samples };
  });
  const fit = fitNeed(sampled);

  test('says how well it tells on the project left out, and what told before', () => {
    expect(fit.heldOut.auc).toBeGreaterThan(0.7);
    expect(fit.plain.auc).toBeLessThan(0.6);
    expect(fit.heldOut.low).toBeLessThan(fit.heldOut.high as number);
    expect(fit.folds).toHaveLength(5);
    const large = fit.bins.filter(({ count }) => count >= 200);
    for (const { said, was } of large) expect(Math.abs(said - was)).toBeLessThan(0.1);
  });

  test('a project that says the opposite does not choose its own weights', () => {
    const [first, ...rest] = sampled as [SampledSession, ...SampledSession[]];
    const opposite = first.samples.map((each) => ({ ...each, isNeeded: !each.isNeeded }));
    const found = fitNeed([{ ...first, samples: opposite }, ...rest]);
    const own = found.folds.find(({ project }) => project === 0);
    const at = found.names.indexOf('coverage');
    expect(own?.model.weights[at]).toBeLessThan(-1);
    expect(found.heldOut.auc).toBeLessThan(fit.heldOut.auc as number);
  });

  test('prints held-out figures and the range of every weight', () => {
    const printed = formatFit(fit);
    expect(printed).toContain('2000 samples');
    expect(printed).toMatch(/AUC at equal age\s+\.7/);
    expect(printed).toMatch(/coverage\s+-\d\.\d{3}\s+-\d\.\d\d to -\d\.\d\d/);
  });

  test('takes the place of the constant, with where it comes from, and of nothing else', () => {
    const before = `/** A type. */\nexport interface NeedWeights {}\n\n/** Old. */\nexport const NEED_WEIGHTS: NeedWeights = {\n  intercept: 0,\n  weights: {\n    coverage: 0,\n  },\n};\n\nexport const OTHER = 1;\n`;
    const after = withWeights(before, fit, 'pnpm fit --write') ?? '';
    expect(after).toContain(
      '/** A type. */\nexport interface NeedWeights {}\n\n/**\n * Written by `pnpm fit --write`',
    );
    expect(after).toContain('export const OTHER = 1;');
    const told = withWeights(before, { ...fit, heldOut: { auc: 0.75, low: 0.6, high: 0.7 } }, '');
    expect(told).toContain(
      'AUC at equal age 0.75, all pairs pooled; its mean over projects: 0.6 to 0.7.',
    );
    expect(after).toMatch(/coverage: -\d/);
    expect(after).not.toContain('Old.');
    expect(withWeights(after, fit, 'pnpm fit --write')).toBe(after);
    expect(withWeights('export const x = 1;\n', fit, '')).toBeUndefined();
  });
});
