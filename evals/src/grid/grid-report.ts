import type { ReadPart } from '../session/describe-read.ts';
import { type Clustered, clusterInterval, type Interval } from './cluster-interval.ts';
import { bestCell, type Fold, type FoldOptions, leaveOneProjectOut } from './folds.ts';
import { type Score, type Scores, type Summary, summaryOf } from './scores.ts';

/** Fixed thresholds against other strategies; plain data. */
export interface GridReport extends GridScores, ReadPart {}

/** Without what was read. */
export interface GridScores {
  readonly floor: number;
  readonly reachFloor: number;
  readonly sessions: number;
  readonly projects: number;
  /** Every cell over all sessions. */
  readonly cells: readonly (Summary & { readonly cell: string })[];
  /** The best cell, chosen and scored on all sessions. */
  readonly inSample: (Summary & { readonly cell: string }) | null;
  /** Every session under the cell that was chosen on the other projects. */
  readonly leaveOneOut: Summary & { readonly folds: readonly Fold[] };
  readonly compared: readonly Compared[];
}

export interface Compared extends Summary {
  readonly strategy: string;
  /** Cost relative to keeping everything, less that of `leaveOneOut` on the same session. */
  readonly difference: Interval | null;
  /** Sessions on which it is cheaper than `leaveOneOut`. */
  readonly cheaper: number;
}

/** Arithmetic over scores: nothing is replayed. */
export function gridReport(
  { grid, others }: { readonly grid: Scores; readonly others: Scores },
  options: FoldOptions,
): GridScores {
  const { cells, floor, reachFloor } = options;
  const { folds, scores: held } = leaveOneProjectOut(grid, options);
  const chosen = bestCell(grid, options);
  const scored = (cell: string) => ({ cell, ...summaryOf(grid.get(cell) ?? []) });
  return {
    floor,
    reachFloor,
    sessions: held.length,
    projects: folds.length,
    cells: cells.map(scored),
    inSample: chosen === undefined ? null : scored(chosen),
    leaveOneOut: { ...summaryOf(held), folds },
    compared: [...others].map(([strategy, scores]) => compared(strategy, scores, held)),
  };
}

function compared(strategy: string, scores: readonly Score[], held: readonly Score[]): Compared {
  const differences = scores.flatMap((score): Clustered[] => {
    const other = held.find(({ session }) => session === score.session);
    if (other === undefined) return [];
    return [{ project: score.project, value: score.relative - other.relative }];
  });
  return {
    strategy,
    ...summaryOf(scores),
    difference: clusterInterval(differences) ?? null,
    cheaper: differences.filter(({ value }) => value < 0).length,
  };
}
