import { keepsEnough } from '../report/pick.ts';
import { type Score, type Scores, summaryOf } from './scores.ts';

export interface FoldOptions {
  /** Strategies to choose from. */
  readonly cells: readonly string[];
  /** The mean shares of what is needed next that a choice has to keep at hand, and at hand or one call away. */
  readonly floor: number;
  readonly reachFloor: number;
}

/**
 * The cheapest cell whose means reach both floors on the sessions that `isCounted` holds for; where none does, the one
 * with the highest recall. Undefined without cells or sessions.
 */
export function bestCell(
  scores: Scores,
  { cells, ...floors }: FoldOptions,
  isCounted: (score: Score) => boolean = () => true,
): string | undefined {
  const known = cells.flatMap((cell) => {
    const { relative, recall, reach } = summaryOf((scores.get(cell) ?? []).filter(isCounted));
    return relative === null ? [] : [{ cell, relative, recall: recall ?? 0, reach: reach ?? 0 }];
  });
  const allowed = known.filter(({ recall: hindsightRecall, reach: hindsightReach }) =>
    keepsEnough({ hindsightRecall, hindsightReach }, floors),
  );
  const [best] =
    allowed.length > 0
      ? allowed.sort((left, right) => left.relative - right.relative)
      : known.sort((left, right) => right.recall - left.recall);
  return best?.cell;
}

/** A project, and the cell that was chosen on all others. */
export interface Fold {
  readonly project: number;
  readonly cell: string;
}

export interface LeaveOneOut {
  readonly folds: readonly Fold[];
  /** Every session under the cell that was chosen without its project. */
  readonly scores: readonly Score[];
}

/** Chooses a cell on all projects but one and scores it on that one, for each project. */
export function leaveOneProjectOut(scores: Scores, options: FoldOptions): LeaveOneOut {
  const all = [...scores.values()].flat();
  const projects = [...new Set(all.map(({ project }) => project))].sort((a, b) => a - b);
  const folds = projects.flatMap((project) => {
    const cell = bestCell(scores, options, (score) => score.project !== project);
    return cell === undefined ? [] : [{ project, cell }];
  });
  const held = folds.flatMap(({ project, cell }) =>
    (scores.get(cell) ?? []).filter((score) => score.project === project),
  );
  return { folds, scores: held };
}
