import { MOVED_CODE } from './moved-code.ts';
import { packageOf } from './run-mutant.ts';

/** Files to break, and the tests that have to notice. */
export interface MutantSet {
  readonly files: readonly string[];
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
    'evals/src/fidelity/questions/grade.ts',
    'evals/src/fidelity/questions/question-table.ts',
    'evals/src/demand',
    'evals/src/replay/watch.ts',
  ],
  testsOf: () =>
    [
      ...['said-facts', 'facts', 'fidelity', 'hindsight', 'lower-bounds', 'units', 'reach'],
      ...['fidelity-controls', 'question-readings', 'fidelity-probes', 'fidelity-text-controls'],
      ...['controls', 'foresight'],
    ].map((name) => `evals/test/${name}.test.ts`),
};

/** By name. */
export const MUTANT_SETS: Readonly<Record<string, MutantSet>> = {
  moved: { files: MOVED_CODE, testsOf: ofPackage },
  ruler: RULER,
};

export const PATHS_ONLY: MutantSet = { files: [], testsOf: ofPackage };
