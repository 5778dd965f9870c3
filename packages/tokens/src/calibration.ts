import { type ClassTokens, CONTENT_CLASSES, type ContentClass } from './content-class.ts';

// A Kalman filter over one factor a class. Before anything is billed every factor is 1; how far they may be off together
// (the family factor) and each by itself (the mix) is what makes it learn the first fast and the second slowly.

/** How far the factors of all classes may be off together: a vocabulary nobody measured. */
const COMMON_DEVIATION = 0.3;
/** How far each may be off beside the others. */
const OWN_DEVIATION: ClassTokens = {
  text: 0.1,
  dense: 0.2,
  cjk: 0.2,
  script: 0.3,
  media: 0.5,
  framing: 1,
};
/** Noise of one pair: what a provider adds unseen, in tokens, and what an estimate cannot know, as a share. */
const NOISE_TOKENS = 6;
const NOISE_SHARE = 0.12;
/** A pair counts with at most this many deviations of surprise. */
const MAX_SURPRISE = 3;
/** Forgetting, as variance a pair adds. */
const DRIFT = 1e-5;
/** Bounds of every factor. */
const MIN_FACTOR = 0.4;
const MAX_FACTOR = 2.5;
/** A pair whose bill and estimate differ by more than this says that something else was billed. */
const MAX_RATIO = 12;

/** What was estimated for content, and what the provider billed for the same content. */
export interface CalibrationPair {
  readonly estimate: ClassTokens;
  readonly billedTokens: number;
}

export type LearnResult =
  | { readonly kind: 'learned' }
  | {
      readonly kind: 'dropped';
      readonly reason: 'nothing-billed' | 'nothing-estimated' | 'outlier';
    };

/** Plain data: survives JSON, and goes back into `createCalibration`. */
export interface CalibrationState {
  readonly pairs: number;
  /** In the order of `CONTENT_CLASSES`. */
  readonly factors: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

/** Learns how much a model's provider bills per estimated token, a factor for each class of content. */
export interface Calibration {
  /** Takes a pair. Costs the same whatever was learned before. */
  learn(pair: CalibrationPair): LearnResult;
  /** Estimated tokens as this model's provider would bill them; not rounded. */
  predict(estimate: ClassTokens): number;
  /** The factor of each class, between 0.4 and 2.5; 1 before anything was learned. */
  factors(): ClassTokens;
  state(): CalibrationState;
}

export interface CalibrationOptions {
  /** Carries on where another calibration of the same model and estimator stood. */
  readonly state?: CalibrationState | undefined;
}

/**
 * Creates the calibration of one model. It is damped (each pair moves the factors by what it can be trusted with),
 * bounded (every factor stays between 0.4 and 2.5) and robust: a pair that bills nothing, or more than 12 times the
 * estimate, or less than a twelfth, is dropped, and any other counts with at most three deviations.
 */
export function createCalibration(options: CalibrationOptions = {}): Calibration {
  const { state = UNTAUGHT } = options;
  let { pairs, factors, covariance } = state;
  return {
    learn({ estimate, billedTokens }) {
      const x = CONTENT_CLASSES.map((name) => estimate[name]);
      const dropped = whyDropped(total(x), billedTokens);
      if (dropped !== undefined) return { kind: 'dropped', reason: dropped };
      ({ factors, covariance } = update({ factors, covariance }, x, billedTokens));
      pairs++;
      return { kind: 'learned' };
    },
    // in the order of the classes, each by its name: this runs for every size
    predict: ({ text, dense, cjk, script, media, framing }) =>
      text * at(factors, 0) +
      dense * at(factors, 1) +
      cjk * at(factors, 2) +
      script * at(factors, 3) +
      media * at(factors, 4) +
      framing * at(factors, 5),
    factors: () => byClass((_, index) => at(factors, index)),
    state: () => ({ pairs, factors, covariance }),
  };
}

const UNTAUGHT: CalibrationState = {
  pairs: 0,
  factors: CONTENT_CLASSES.map(() => 1),
  covariance: CONTENT_CLASSES.map((row) =>
    CONTENT_CLASSES.map(
      (column) => COMMON_DEVIATION ** 2 + (row === column ? OWN_DEVIATION[row] ** 2 : 0),
    ),
  ),
};

function whyDropped(estimated: number, billed: number) {
  if (!(billed > 0)) return 'nothing-billed';
  if (!(estimated > 0)) return 'nothing-estimated';
  const ratio = billed / estimated;
  return ratio > MAX_RATIO || ratio < 1 / MAX_RATIO ? 'outlier' : undefined;
}

type Belief = Pick<CalibrationState, 'factors' | 'covariance'>;

function update({ factors, covariance }: Belief, x: readonly number[], billed: number): Belief {
  const expected = dot(factors, x);
  const surprise = billed - expected;
  const spread = covariance.map((row) => dot(row, x));
  const own = dot(spread, x);
  const noise = (NOISE_TOKENS + NOISE_SHARE * Math.max(expected, billed)) ** 2;
  const variance = Math.max(own + noise, (surprise / MAX_SURPRISE) ** 2);
  const gain = spread.map((value) => value / variance);
  return {
    factors: factors.map((factor, index) => bounded(factor + at(gain, index) * surprise)),
    covariance: covariance.map((row, i) =>
      row.map((value, j) => value - at(gain, i) * at(spread, j) + (i === j ? 2 * DRIFT : DRIFT)),
    ),
  };
}

const bounded = (factor: number): number => Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, factor));

const at = (values: readonly number[], index: number): number => values[index] ?? 0;

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * at(b, index), 0);

function byClass(of: (name: ContentClass, index: number) => number): ClassTokens {
  const entries = CONTENT_CLASSES.map((name, index) => [name, of(name, index)] as const);
  return Object.fromEntries(entries) as Record<ContentClass, number>;
}
