import { loadedBy } from './loaded-by.ts';
import { MOVED_CODE } from './moved-code.ts';
import { CASES, type Cases, packageOf } from './run-mutant.ts';

/** Files to break, and the tests that have to notice. */
export interface MutantSet {
  readonly files: readonly string[];
  /** Which of long lists of cases run: first a share, and all where that does not notice; or all at once. */
  readonly cases: readonly Cases[];
  /** Paths for vitest, of the tests for a file: the next only run where those before them do not notice. */
  testsOf(file: string): readonly (readonly string[])[];
}

const ofPackage = (file: string): readonly (readonly string[])[] => [[`${packageOf(file)}/`]];

const RULER_TESTS = [
  ...['said-facts', 'facts', 'fidelity', 'hindsight', 'lower-bounds', 'units', 'reach'],
  ...['fidelity-edges', 'fidelity-controls', 'questions-arms', 'fidelity-probes'],
  ...['fidelity-text-controls', 'fidelity-numbers', 'controls', 'foresight', 'legal-oracle'],
  'laws',
].map((name) => `evals/test/${name}.test.ts`);

/** Of the tests that load a file first the three that load least, then the rest. */
function nearestFirst(file: string): readonly (readonly string[])[] {
  const seeing = RULER_TESTS.map((test) => ({ test, loaded: loadedBy(test) }))
    .filter(({ loaded }) => loaded.has(file))
    .sort((one, other) => one.loaded.size - other.loaded.size)
    .map(({ test }) => test);
  return [seeing.slice(0, NEAREST), seeing.slice(NEAREST)].filter(({ length }) => length > 0);
}

const NEAREST = 3;

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
  testsOf: nearestFirst,
};

/** By name. */
export const MUTANT_SETS: Readonly<Record<string, MutantSet>> = {
  moved: { files: MOVED_CODE, cases: CASES, testsOf: ofPackage },
  ruler: RULER,
};

export const PATHS_ONLY: MutantSet = { files: [], cases: CASES, testsOf: ofPackage };
