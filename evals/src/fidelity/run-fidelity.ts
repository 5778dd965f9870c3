import { EvalsError } from '../error.ts';
import { packageVersion } from '../report/package-version.ts';
import type { ProgressStep } from '../run-eval.ts';
import { largestFirst, surveyAll } from '../run-phases.ts';
import { readPart } from '../session/describe-read.ts';
import { lookForSessions } from '../session/session-files.ts';
import { createTaskRunner } from '../task-runner.ts';
import type { TaskResult } from '../worker.ts';
import { budgetCurves } from './budget-curve.ts';
import { findCompactors } from './built-in-compactors.ts';
import type { Fidelity } from './fidelity-schema.ts';
import { attackTotals, fidelityTotals, stabilityTotals } from './fidelity-totals.ts';
import { foresightOf } from './foresight/foresight.ts';
import type { MeasuredFile } from './measure-file.ts';
import { loadSummarisers, PEER_COMPACTORS } from './peers/peer-compactors.ts';
import { readSummaries } from './recorded-summaries.ts';

export interface RunFidelityOptions {
  /** Session files, and folders to search for some. */
  readonly sessions: readonly string[];
  /** Names. @default all built-in ones */
  readonly compactors?: readonly string[] | undefined;
  /** Adds the summarisers of other projects, from their own packages. @default false */
  readonly peers?: boolean | undefined;
  /** Sizes to compact to, as shares of what is there. @default 2, 5, 10, 20 and 40 % */
  readonly budgets?: readonly number[] | undefined;
  /** Folder of summaries that were written once for these sessions. @default none */
  readonly summaries?: string | undefined;
  /** Threads to work in. The report does not depend on it. @default 1 */
  readonly jobs?: number | undefined;
  readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}

/**
 * Compacts recorded sessions at 25, 40, 55, 70 and 85 % of their tokens and reports what is left of what was said, done and
 * needed next. No model is called. Throws an `EvalsError` where it cannot start.
 */
export async function runFidelity(options: RunFidelityOptions): Promise<Fidelity> {
  const { compactors = [], peers = false, budgets = BUDGETS, jobs = 1 } = options;
  const found = await findCompactors(compactors);
  const names = [...found.map(({ name }) => name), ...(peers ? PEER_COMPACTORS : [])];
  if (peers) await loadSummarisers();
  const { files, passedOver } = await lookForSessions(options.sessions);
  const summaries = options.summaries === undefined ? [] : await readSummaries(options.summaries);
  const runner = createTaskRunner(jobs);
  let done = 0;
  const onDone = (file: string): void =>
    options.onProgress?.({ file, done: ++done, total: files.length * 2 });
  try {
    const surveyed = await surveyAll(files, { runner, onDone, passedOver });
    const { usable } = surveyed;
    const given = { compactors: names, budgets, summaries, peers };
    const measured = await largestFirst(usable, async ({ file, backgrounds }) => {
      const result = await runner.run({ kind: 'measure', file, backgrounds, ...given });
      onDone(file.name);
      return measuredOf(result, file.name);
    });
    return {
      ...reportOf(measured, budgets),
      ...readPart(surveyed),
    };
  } finally {
    await runner.close();
  }
}

function measuredOf(result: TaskResult, name: string): MeasuredFile {
  if (result.kind === 'measured') return result.measured;
  if (result.kind === 'failed') throw new EvalsError(result.code, result.message);
  throw new EvalsError('not-found', `${name} could be read before and no longer can.`);
}

function reportOf(measured: readonly MeasuredFile[], budgets: readonly number[]) {
  const rows = measured.flatMap((file) => file.rows);
  const stability = measured.flatMap((file) => file.stability);
  const attacks = measured.flatMap((file) => file.attacks);
  const totals = fidelityTotals(rows);
  return {
    version: packageVersion(),
    budgets: [...budgets],
    totals,
    curves: budgetCurves(rows, totals),
    stabilityTotals: stabilityTotals(stability),
    rows,
    stability,
    attacks,
    attackTotals: attackTotals(attacks),
    foresight: foresightOf(measured.flatMap((file) => file.needs)),
  };
}

const BUDGETS: readonly number[] = [0.02, 0.05, 0.1, 0.2, 0.4];
