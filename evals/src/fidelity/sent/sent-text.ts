import type { Interval } from '../../grid/cluster-interval.ts';
import { formatRatio, formatTokens } from '../../report/format.ts';
import { readText } from '../../report/read-text.ts';
import { type Column, formatTable } from '../../report/table.ts';
import { wrap } from '../../report/wrap.ts';
import type { FoldRow, SentReport, SentTotal } from './compare-sent.ts';

/** The comparison for a terminal of 100 columns. */
export function formatSent(report: SentReport): string {
  const { strategies, folds } = report;
  const [first] = strategies;
  const lines = [
    ...wrap(
      `What requests hold at ${first?.places ?? 0} places of ${first?.sessions ?? 0} long sessions, and at the points of ${first?.questions ?? 0} questions`,
    ),
    '',
    ...formatTable(strategies, COLUMNS),
    '',
    ...(folds.length === 0 ? [] : [...formatTable(folds, FOLD_COLUMNS), '']),
    ...folds.flatMap((fold) => wrap(lostText(fold))),
    ...readText(report).flatMap((text) => wrap(text)),
    '',
    ...wrap(LEGEND),
  ];
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

const LEGEND =
  'said: share of what the assistant found, decided, gave up or meant to do, and comes back to later, that one statement of the request still says, of what one of the whole conversation says; mean over sessions. answered: share of the questions whose answer stands in one passage that is no longer than an answer (300 characters); nobody reads here. Both with their 95 % intervals over projects. Beside each fold: what the same strategy holds without it and the fold does not.';

const right = { align: 'right' } as const;

const range = (interval: Interval | null): string =>
  interval === null ? '-' : `${formatRatio(interval.low, 2)} to ${formatRatio(interval.high, 2)}`;

const COLUMNS: readonly Column<SentTotal>[] = [
  { title: 'strategy', cell: ({ strategy }) => strategy },
  {
    title: 'tokens',
    cell: ({ tokens }) => (tokens === null ? '-' : formatTokens(tokens)),
    ...right,
  },
  { title: 'said', cell: ({ said }) => formatRatio(said?.mean ?? null), ...right },
  { title: '95 %', cell: ({ said }) => range(said), ...right },
  { title: 'answered', cell: ({ answered }) => formatRatio(answered?.mean ?? null), ...right },
  { title: '95 %', cell: ({ answered }) => range(answered), ...right },
];

const FOLD_COLUMNS: readonly Column<FoldRow>[] = [
  { title: 'fold', cell: ({ fold }) => fold },
  { title: 'beside', cell: ({ unfolded }) => unfolded },
  { title: 'said lost', cell: ({ saidLost }) => formatRatio(saidLost?.mean ?? null), ...right },
  { title: '95 %', cell: ({ saidLost }) => range(saidLost), ...right },
  { title: 'of questions', cell: ({ questions }) => String(questions), ...right },
  { title: 'lost', cell: ({ lost }) => formatRatio(lost?.mean ?? null), ...right },
  { title: '95 %', cell: ({ lost }) => range(lost), ...right },
];

function lostText({ fold, unfolded, lostIds, gainedIds }: FoldRow): string {
  const lost = lostIds.length === 0 ? 'none' : lostIds.join(', ');
  const gained = gainedIds.length === 0 ? '' : `; only ${fold} answers ${gainedIds.join(', ')}`;
  return `Questions that ${unfolded} answers and ${fold} does not: ${lost}${gained}.`;
}
