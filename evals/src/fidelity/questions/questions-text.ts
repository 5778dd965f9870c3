import { formatRatio, formatTokens } from '../../report/format.ts';
import { readText } from '../../report/read-text.ts';
import { type Column, formatTable } from '../../report/table.ts';
import { wrap } from '../../report/wrap.ts';
import { groupBy, sum } from '../means.ts';
import type { ArmRow, Order, QuestionsReport, ReaderRow } from './compare-arms.ts';

/** The comparison for a terminal of 100 columns. */
export function formatQuestions(report: QuestionsReport): string {
  const { points, questions, budget, arms, readers, agreement } = report;
  const size = `${Math.round(budget * 100)} %`;
  const lines = [
    `${questions} questions at ${points} points, texts of ${size} of what stands before each`,
    '',
    ...formatTable(arms, ARM_COLUMNS),
    '',
    ...(readers.length === 0 ? [NO_READING] : formatTable(readers, READER_COLUMNS)),
    '',
    ...agreement.map(
      ({ readers: [one, other], both, same, kappa }) =>
        `${one} and ${other} grade ${formatRatio(same)} of ${both} answers the same, kappa ${formatRatio(kappa, 2)}.`,
    ),
    ...wrap(togetherText(report)),
    ...wrap(orderText('Each arm at its own points', report.order)),
    ...wrap(orderText('At the points that have all arms', report.orderAtSharedPoints)),
    ...wrap(absentText(report)),
    ...wrap(staleText(report)),
    ...readText(report).flatMap((text) => wrap(text)),
    '',
    ...wrap(LEGEND),
  ];
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

const NO_READING =
  'No reading is there yet: write the texts with --texts and read them blind (evals/questions).';

const LEGEND =
  'answered: share of the questions that readers could answer from an arm’s texts, with its 95 % interval over projects. suite: what the suite says of the same texts unasked, the mean of what people said, what the assistant found, the state of the work, and what is needed or named next. tau: Kendall’s tau-b of the two, over arms.';

const right = { align: 'right' } as const;

const ARM_COLUMNS: readonly Column<ArmRow>[] = [
  { title: 'arm', cell: ({ arm }) => arm },
  { title: 'points', cell: ({ points }) => String(points), ...right },
  { title: 'tokens', cell: ({ tokens }) => formatTokens(tokens), ...right },
  { title: 'answers', cell: ({ answers }) => String(answers), ...right },
  { title: 'answered', cell: ({ answered }) => formatRatio(answered), ...right },
  {
    title: '95 %',
    cell: ({ low, high }) =>
      low === null ? '-' : `${formatRatio(low, 2)} to ${formatRatio(high, 2)}`,
    ...right,
  },
  { title: 'suite', cell: ({ suite }) => formatRatio(suite), ...right },
];

const READER_COLUMNS: readonly Column<ReaderRow>[] = [
  { title: 'reader', cell: ({ reader }) => reader },
  { title: 'graded', cell: ({ graded }) => String(graded), ...right },
  { title: 'right', cell: (row) => String(row.right), ...right },
  { title: 'stale', cell: ({ stale }) => String(stale), ...right },
  { title: 'open', cell: ({ open }) => String(open), ...right },
];

function orderText(where: string, { tau, points, arms, leftOut }: Order): string {
  const without = leftOut.length === 0 ? '' : `, without ${leftOut.join(', ')}`;
  return `${where} (${points}): tau ${formatRatio(tau, 2)} over ${arms.length} arms${without}.`;
}

const togetherText = ({ together }: QuestionsReport): string =>
  together === null
    ? ''
    : `Whether the terms of a question stand together in a text tells ${formatRatio(together.same)} of ${together.both} answers as readers do, kappa ${formatRatio(together.kappa, 2)}.`;

function absentText({ absent }: QuestionsReport): string {
  const arms = [...groupBy(absent, ({ arm }) => arm)];
  return arms
    .map(([arm, own]) => `${arm} is not there at ${own.map(({ point }) => point).join(', ')}.`)
    .join(' ');
}

function staleText({ stale }: QuestionsReport): string {
  if (stale.length === 0) return '';
  const points = [...groupBy(stale, ({ point }) => point)].map(
    ([point, own]) => `${point} (${sum(own, ({ answers }) => answers)})`,
  );
  return `Stale, and left out: answers from texts that have changed since, at ${points.join(', ')}.`;
}
