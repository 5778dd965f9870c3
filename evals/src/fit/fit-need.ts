import { clusterInterval } from '../grid/cluster-interval.ts';
import { chanceOf, fitLogistic, type LogisticModel, type Observation } from './logistic.ts';
import type { Sample } from './sample-session.ts';
import { aucAtEqualAge, type CalibrationBin, calibration, type Told } from './telling.ts';

/** The samples of a session. */
export interface SampledSession {
  readonly session: string;
  readonly project: number;
  readonly samples: readonly Sample[];
}

/** How well something tells what is needed, on sessions of projects that it was not fitted to. */
export interface HeldOut {
  readonly auc: number | null;
  /** 95 %, by a bootstrap over projects; null where fewer than five. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface NeedFit {
  readonly sessions: number;
  readonly projects: number;
  readonly samples: number;
  readonly neededShare: number;
  readonly names: readonly string[];
  /** Fitted to all; what is published of it is held out. */
  readonly model: LogisticModel;
  /** What the sum is multiplied by and what is added then, so that chances are shares: chosen on held-out sums. */
  readonly calibration: { readonly scale: number; readonly shift: number };
  readonly heldOut: HeldOut;
  /** The same for what was known before: age, size and kind of tool. */
  readonly plain: HeldOut;
  readonly bins: readonly CalibrationBin[];
  /** Where one kind alone is looked at. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly samples: number;
    readonly auc: number | null;
  }[];
  /** By the number of the project: the weights that were fitted to the others. */
  readonly folds: readonly { readonly project: number; readonly model: LogisticModel }[];
}

/** Features that need no look at what came later. */
const PLAIN: readonly string[] = [
  ...['logAge', 'logTokens', 'read', 'search', 'shell', 'editInput', 'otherInput'],
];
const KINDS = ['read', 'search', 'shell', 'editInput', 'otherInput'];
const MIN_PROJECTS = 5;

/** Chooses weights project by project, and says how well they tell on the project left out. */
export function fitNeed(sessions: readonly SampledSession[]): NeedFit {
  const names = Object.keys(sessions.flatMap(({ samples }) => samples)[0]?.features ?? {});
  const rows = sessions.flatMap(({ project, samples }) =>
    samples.map((sample) => ({ project, sample, ...observationOf(sample, names) })),
  );
  const projects = [...new Set(rows.map(({ project }) => project))];
  const folds = projects.map((project) => ({
    project,
    model: fitLogistic(rows.filter((row) => row.project !== project)),
  }));
  const byProject = new Map(folds.map(({ project, model }) => [project, model]));
  const raw = rows.map((row) =>
    chanceOf(byProject.get(row.project) as LogisticModel, row.features),
  );
  const calibrated = calibrate(rows, raw);
  const told = rows.map((row, at): TellingRow => {
    const sum = calibrated.scale * logit(raw[at] as number) + calibrated.shift;
    return { ...row, age: row.sample.age, chance: 1 / (1 + Math.exp(-sum)) };
  });
  return {
    sessions: sessions.length,
    projects: projects.length,
    samples: rows.length,
    neededShare: rows.filter(({ isNeeded }) => isNeeded).length / rows.length,
    names,
    model: fitLogistic(rows),
    calibration: calibrated,
    heldOut: heldOutOf(told),
    plain: heldOutOf(plainTold(rows, { names, projects })),
    bins: calibration(told),
    kinds: KINDS.flatMap((kind) => {
      const own = told.filter(({ sample }) => sample.features[kind] === 1);
      return own.length === 0 ? [] : [{ kind, samples: own.length, auc: aucAtEqualAge(own) }];
    }),
    folds,
  };
}

interface Row extends Observation {
  readonly project: number;
  readonly sample: Sample;
}

type TellingRow = Row & Told;

const observationOf = ({ features, isNeeded }: Sample, names: readonly string[]): Observation => ({
  features: names.map((name) => features[name] ?? 0),
  isNeeded,
});

/** A straight line through held-out sums. */
function calibrate(rows: readonly Row[], chances: readonly number[]): NeedFit['calibration'] {
  const { intercept, weights } = fitLogistic(
    rows.map(({ isNeeded }, at) => ({ features: [logit(chances[at] as number)], isNeeded })),
  );
  return { scale: weights[0] ?? 1, shift: intercept };
}

const logit = (chance: number): number => {
  const held = Math.min(1 - 1e-9, Math.max(1e-9, chance));
  return Math.log(held / (1 - held));
};

function plainTold(
  rows: readonly Row[],
  { names, projects }: { readonly names: readonly string[]; readonly projects: readonly number[] },
): readonly TellingRow[] {
  const places = PLAIN.map((name) => names.indexOf(name)).filter((at) => at !== -1);
  const plain = rows.map((row) => ({
    ...row,
    features: places.map((at) => row.features[at] as number),
  }));
  return projects.flatMap((project) => {
    const model = fitLogistic(plain.filter((row) => row.project !== project));
    return plain
      .filter((row) => row.project === project)
      .map((row) => ({ ...row, age: row.sample.age, chance: chanceOf(model, row.features) }));
  });
}

/**
 * Of pairs of one age, all projects pooled. The interval draws whole projects and is that of the mean over projects, each counting
 * once: the pooled figure may stand outside it.
 */
function heldOutOf(told: readonly TellingRow[]): HeldOut {
  const projects = [...new Set(told.map(({ project }) => project))];
  const values = projects.flatMap((project) => {
    const value = aucAtEqualAge(told.filter((row) => row.project === project));
    return value === null ? [] : [{ project, value }];
  });
  const interval = clusterInterval(values);
  const isTold = interval !== undefined && interval.clusters >= MIN_PROJECTS;
  return {
    auc: aucAtEqualAge(told),
    low: isTold ? interval.low : null,
    high: isTold ? interval.high : null,
  };
}
