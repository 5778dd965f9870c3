import type { Report } from '../report/report-schema.ts';
import { MIN_HINDSIGHT_UNITS } from '../report/totals.ts';

/** What one strategy does on one session. */
export interface Score {
  readonly session: string;
  /** Sessions of one project have one number. */
  readonly project: number;
  /** Cost relative to keeping everything. */
  readonly relative: number;
  /** Hindsight recall; null where too little is needed to say. */
  readonly recall: number | null;
  /** The same with what is one call away. */
  readonly reach: number | null;
  /** What the per-object oracle would pay, as a share of the cost. */
  readonly perObject: number | null;
}

/** Scores of each strategy, in the order of the sessions. */
export type Scores = ReadonlyMap<string, readonly Score[]>;

/** The scores of a report; sessions in which a strategy has an invalid request are left out of its own. */
export function scoresOf({ rows, sessions }: Pick<Report, 'rows' | 'sessions'>): Scores {
  const projects = new Map(
    sessions.flatMap(({ replayed }) => replayed).map(({ session, project }) => [session, project]),
  );
  const scores = new Map<string, Score[]>();
  for (const row of rows) {
    const own = scores.get(row.strategy) ?? [];
    scores.set(row.strategy, own);
    if (row.relativeToKeepAll === null) continue;
    own.push({
      session: row.session,
      project: projects.get(row.session) ?? -1,
      relative: row.relativeToKeepAll,
      recall: row.hindsightUnits >= MIN_HINDSIGHT_UNITS ? row.hindsightRecall : null,
      reach: row.hindsightUnits >= MIN_HINDSIGHT_UNITS ? row.hindsightReach : null,
      perObject: row.perObjectShare,
    });
  }
  return scores;
}

/** Means over sessions; null without any. */
export interface Summary {
  readonly relative: number | null;
  readonly recall: number | null;
  readonly reach: number | null;
  readonly perObject: number | null;
}

export const summaryOf = (scores: readonly Score[]): Summary => ({
  relative: mean(scores.map(({ relative }) => relative)),
  recall: mean(scores.map(({ recall }) => recall)),
  reach: mean(scores.map(({ reach }) => reach)),
  perObject: mean(scores.map(({ perObject }) => perObject)),
});

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : null;
}
