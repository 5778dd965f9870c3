import { formatRatio } from '../report/format.ts';
import { readText } from '../report/read-text.ts';
import { type Column, formatTable } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import type { Interval } from './cluster-interval.ts';
import type { GridReport } from './grid-report.ts';
import type { Summary } from './scores.ts';

interface Line extends Summary {
  readonly name: string;
  readonly difference?: Interval | null;
  readonly cheaper?: number;
}

/** The comparison for a terminal of 100 columns. */
export function formatGrid(report: GridReport): string {
  const { inSample, leaveOneOut, compared, floor, reachFloor, sessions, projects, cells } = report;
  const lines: readonly Line[] = [
    ...(inSample ? [{ ...inSample, name: `best in sample: ${inSample.cell}` }] : []),
    { ...leaveOneOut, name: 'chosen on the other projects' },
    ...compared.map((each) => ({ ...each, name: each.strategy })),
  ];
  return [
    ...formatTable(lines, COLUMNS),
    '',
    ...wrap(
      `${cells.length} fixed thresholds (batched-t<above, thousand tokens>-n<results kept>-f<least freed>), each scored once on ${sessions} sessions of ${projects} projects. A cell is chosen if it is the cheapest with a mean HR of ${formatRatio(floor, 2)} and more, and with one call more of ${formatRatio(reachFloor, 2)}, where none reaches both the one with the highest HR; HR and LBa/$ as in the report. diff: rel less that of the cell chosen on the other projects, mean over sessions; 95 %: bootstrap over projects; cheaper: on how many sessions.`,
    ),
    ...wrap(`Chosen: ${chosenCells(report)}.`),
    ...readText(report).flatMap((text) => wrap(text)),
    '',
  ].join('\n');
}

function chosenCells({ leaveOneOut }: GridReport): string {
  const counts = new Map<string, number>();
  for (const { cell } of leaveOneOut.folds) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return [...counts].map(([cell, count]) => `${cell} (${count})`).join(', ');
}

const right = { align: 'right' } as const;

const COLUMNS: readonly Column<Line>[] = [
  { title: 'strategy', cell: ({ name }) => name, maxCharacters: 42 },
  { title: 'rel', cell: ({ relative }) => formatRatio(relative), ...right },
  { title: 'HR', cell: ({ recall }) => formatRatio(recall, 2), ...right },
  { title: 'LBa/$', cell: ({ perObject }) => formatRatio(perObject, 2), ...right },
  { title: 'diff', cell: ({ difference }) => formatRatio(difference?.mean ?? null), ...right },
  {
    title: '95 %',
    cell: ({ difference }) =>
      difference ? `${formatRatio(difference.low)} to ${formatRatio(difference.high)}` : '-',
    ...right,
  },
  {
    title: 'cheaper',
    cell: ({ cheaper }) => (cheaper === undefined ? '-' : String(cheaper)),
    ...right,
  },
];
