import { checkOptions, required } from '@varve/guards';
import { printable } from '@varve/memdir/files';
import type { Usage } from '@varve/messages';
import type { LeftSecret } from './draft.ts';
import type { ApplyResult, DreamPatch, SkippedStep, StepKind } from './patch.ts';
import { DREAM_PROMPT_VERSION } from './prompt.ts';
import type { StalePath } from './stale-paths.ts';

/** What came of a dream. Counts are of what took effect, or, where it is reviewed first, of what would. */
export interface DreamReport {
  /** `without-model`: only what code does by itself: equal files, index, links. */
  readonly mode: 'model' | 'without-model';
  /** Nothing was changed: the patch waits for `apply`. */
  readonly isReviewed: boolean;
  /** Of the words that the child was asked with: a recording of another one says nothing of this. */
  readonly promptVersion: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Sessions since the last dream. */
  readonly sessions: number;
  /** Memory files whose bytes changed or that went. */
  readonly improved: number;
  /** Steps that took effect, by kind. */
  readonly steps: Readonly<Partial<Record<StepKind, number>>>;
  /** Calls of the child that were refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Steps in the inbox that still apply. */
  readonly waiting: number;
  readonly skipped: readonly SkippedStep[];
  /** Paths whose bytes changed. */
  readonly paths: readonly string[];
  /** Indexes whose lines changed. */
  readonly indexes: readonly string[];
  /** Files that hold a secret and stay as they are. */
  readonly secrets: readonly LeftSecret[];
  readonly stale: readonly StalePath[];
  /** Of the change, for `undo`; undefined where nothing changed. */
  readonly changeId: string | undefined;
  readonly usage: Usage | undefined;
}

export interface ReportInput
  extends Pick<
    DreamReport,
    'mode' | 'isReviewed' | 'sessions' | 'refused' | 'waiting' | 'secrets' | 'stale' | 'usage'
  > {
  readonly startMs: number;
  readonly endMs: number;
  readonly patch: DreamPatch;
  readonly applied: ApplyResult;
}

export function reportOf(input: ReportInput): DreamReport {
  const { startMs, endMs, patch, applied, ...rest } = input;
  const done = applied.kind === 'applied' ? applied : undefined;
  const steps: Partial<Record<StepKind, number>> = {};
  for (const { id, kind } of patch.steps)
    if (done?.steps.includes(id)) steps[kind] = (steps[kind] ?? 0) + 1;
  return {
    ...rest,
    promptVersion: DREAM_PROMPT_VERSION,
    startedAt: new Date(startMs).toISOString(),
    endedAt: new Date(endMs).toISOString(),
    improved: done?.paths.filter((path) => !path.startsWith('.')).length ?? 0,
    steps,
    skipped: applied.skipped,
    paths: done?.paths ?? [],
    indexes: done?.indexes ?? [],
    changeId: rest.isReviewed ? undefined : done?.id,
  };
}

const DONE: Readonly<Record<StepKind, string>> = {
  mask: 'secrets masked',
  fold: 'equal files folded',
  merge: 'files merged',
  rewrite: 'files put right',
  retype: 'files given another type',
  archive: 'files archived',
};

/**
 * A report for people, a few lines.
 *
 * @throws TypeError for what is no report
 */
export function reportText(report: DreamReport): string {
  checkOptions<DreamReport>(
    report,
    {
      ...{ steps: required('an object'), refused: required('an object') },
      ...{ paths: required('a list of texts'), indexes: required('a list of texts') },
      ...{ skipped: required('a list'), stale: required('a list'), secrets: required('a list') },
    },
    'report',
  );
  const { mode, isReviewed, improved, steps, refused, waiting, changeId, sessions } = report;
  const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const head = [
    `Memory ${isReviewed ? 'can be' : 'was'} tidied${mode === 'without-model' ? ' without a model' : ''}: ${improved} ${isReviewed ? 'to improve' : 'improved'}`,
    ...(refusals > 0 ? [`${refusals} refused`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for you`] : []),
  ];
  const lines = [
    `${head.join(', ')}.`,
    ...(mode === 'model' ? [`Sessions since the last time: ${sessions}`] : []),
    ...Object.entries(steps).map(([kind, count]) => `${DONE[kind as StepKind]}: ${count}`),
    ...report.paths.map((path) => `  ${path}`),
    ...report.indexes.map((path) => `index ${isReviewed ? 'to repair' : 'repaired'}: ${path}`),
    ...report.skipped
      .filter(({ reason }) => reason !== 'waits')
      .map(({ paths, reason }) => `skipped (${reason}): ${paths.join(', ')}`),
    ...report.secrets.map(secretText),
    ...report.stale.map(
      ({ path, claim }) => `${path} names ${claim}, which is gone from the repository`,
    ),
    ...(changeId === undefined ? [] : [`undo: ${changeId}`]),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

export const secretText = ({ path, why }: LeftSecret): string =>
  `${path} holds a secret and stays as it is (${why}): take it out by hand`;
