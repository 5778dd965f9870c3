import { MOVED_CODE } from './moved-code.ts';
import { CASES, type Cases, packageOf } from './run-mutant.ts';

/** Files to break, and the tests that have to notice. */
export interface MutantSet {
  readonly files: readonly string[];
  /** Which of long lists of cases run: first a share, and all where that does not notice; or all at once. */
  readonly cases: readonly Cases[];
  /** Paths for vitest, of the tests for a file. */
  testsOf(file: string): readonly string[];
}

const ofPackage = (file: string): readonly string[] => [`${packageOf(file)}/`];

/** What says how much of a conversation is still there: matching, facts, need, bounds, and the grades of answers. */
const RULER: MutantSet = {
  files: [
    'evals/src/fidelity/match.ts',
    'evals/src/fidelity/match',
    'evals/src/fidelity/facts',
    'evals/src/fidelity/file-names.ts',
    'evals/src/fidelity/score.ts',
    'evals/src/fidelity/questions/agreement.ts',
    'evals/src/fidelity/questions/compare-arms.ts',
    'evals/src/fidelity/questions/readings.ts',
    'evals/src/fidelity/questions/suite-score.ts',
    'evals/src/demand',
    'evals/src/replay/watch.ts',
  ],
  cases: ['all'],
  testsOf: () =>
    [
      ...['said-facts', 'facts', 'fidelity', 'hindsight', 'lower-bounds', 'units', 'reach'],
      ...['fidelity-edges', 'fidelity-controls', 'questions-arms', 'fidelity-probes'],
      ...['fidelity-text-controls'],
      ...['controls', 'foresight'],
    ].map((name) => `evals/test/${name}.test.ts`),
};

/** By name. */
export const MUTANT_SETS: Readonly<Record<string, MutantSet>> = {
  moved: { files: MOVED_CODE, cases: CASES, testsOf: ofPackage },
  ruler: RULER,
};

export const PATHS_ONLY: MutantSet = { files: [], cases: CASES, testsOf: ofPackage };
