import { formatRatio } from '../report/format.ts';
import { type Column, formatTable } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import type { ArmRow, QuestionTable } from './questions/question-table.ts';

/** The table of a run of the questions for a terminal of 100 columns. */
export function formatQuestions({
  readers,
  rows,
  agreement,
  tau,
  stale,
  open,
}: QuestionTable): string {
  const columns: readonly Column<ArmRow>[] = [
    { title: 'what is left', cell: ({ arm }) => arm },
    { title: 'points', cell: ({ points }) => String(points), ...right },
    { title: 'size', cell: ({ share }) => formatRatio(share), ...right },
    ...readers.map((reader, at) => ({
      title: reader,
      cell: ({ answered }: ArmRow) => formatRatio(answered[at] ?? null, 2),
      ...right,
    })),
    { title: 'answered', cell: ({ mean }) => formatRatio(mean, 2), ...right },
    { title: 'suite', cell: ({ suite }) => formatRatio(suite, 2), ...right },
  ];
  const { pairs, share, kappa } = agreement;
  const told = [
    LEGEND,
    pairs === 0
      ? 'No text was read twice.'
      : `Of ${pairs} answers that two readings gave, ${formatRatio(share, 2)} are graded alike (kappa ${formatRatio(kappa, 2)}).`,
    tau === null
      ? 'There is no order to compare.'
      : `Kendall tau between answered and suite over the arms that were read: ${tau.toFixed(2)}.`,
    ...(stale > 0
      ? [`${stale} answers were given to texts that are others now, and do not count.`]
      : []),
    ...(open > 0 ? [`${open} answers are wanted still.`] : []),
  ];
  return [...formatTable(rows, columns), '', ...told.flatMap((text) => wrap(text)), ''].join('\n');
}

const right = { align: 'right' } as const;

const LEGEND =
  'answered: share of the questions whose terms stand in the answer that a reader gave from the text alone, mean of the readings; keep-all holds the place that proves each. suite: mean of four shares, of what people said and asked to be kept to, of what the assistant found and comes back to, of the state of the work, and of what the next calls need and the next words name; what other projects hold as well counts here too. recorded summary: the last one before the point and what of the messages since fits.';
