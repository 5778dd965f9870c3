import { assumptions } from './assumptions.ts';
import { checkLines } from './checks.ts';
import { formatCount, formatDollars, formatRatio, formatTokens } from './format.ts';
import { NEED_COLUMNS, PAID_COLUMNS, TOTAL_COLUMNS } from './report-columns.ts';
import type { ReplayedThread, Report, ReportRow } from './report-schema.ts';
import { PAID_LEGEND } from './report-text.ts';
import { type Column, formatMarkdownTable } from './table.ts';
import { wrap } from './wrap.ts';

/** A report as a Markdown page of at most 100 columns: strategies, each session, and what was assumed. */
export function formatMarkdown(report: Report): string {
  const threads = report.sessions.flatMap(({ replayed }) => replayed);
  return [
    '# Replay',
    '',
    `Version ${report.version}, run as`,
    '',
    '```',
    ...wrap(report.command, { indent: '  ' }),
    '```',
    '',
    '## Strategies',
    '',
    ...formatMarkdownTable(report.totals, TOTAL_COLUMNS),
    '',
    ...formatMarkdownTable(report.totals, NEED_COLUMNS),
    '',
    ...formatMarkdownTable(report.totals, PAID_COLUMNS),
    '',
    ...wrap(PAID_LEGEND),
    '',
    ...checkLines(report.checks).flatMap((text) => wrap(`- ${text.trim()}`, { indent: '  ' })),
    '',
    '## Assumptions',
    '',
    ...assumptions(report).flatMap((text) => wrap(`- ${text}`, { indent: '  ' })),
    '',
    '## Sessions',
    '',
    ...threads.flatMap((thread) => sessionPart(thread, report)),
  ].join('\n');
}

function sessionPart(thread: ReplayedThread, { rows }: Report): readonly string[] {
  const { session, requests, tokens, headTokens, pricedAs, policy } = thread;
  const facts = `${requests} requests, ${formatTokens(tokens)} tokens behind a head of ${formatTokens(headTokens)}, priced as ${pricedAs} under ${policy}.`;
  const own = rows.filter((row) => row.session === session);
  return [`### ${session}`, '', ...wrap(facts), '', ...formatMarkdownTable(own, ROW_COLUMNS), ''];
}

const right = { align: 'right' } as const;

const ROW_COLUMNS: readonly Column<ReportRow>[] = [
  { title: 'strategy', cell: (row) => row.strategy },
  { title: 'acted', cell: (row) => (row.acted ? 'yes' : 'no') },
  { title: 'dollars', cell: (row) => formatDollars(row.dollars), ...right },
  { title: 'rel', cell: (row) => formatRatio(row.relativeToKeepAll), ...right },
  { title: 'hit', cell: (row) => formatRatio(row.hitRate), ...right },
  { title: 'breaks', cell: (row) => formatCount(row.breaks), ...right },
  { title: 'reread', cell: (row) => formatCount(row.rereads), ...right },
  { title: 'lost', cell: (row) => formatCount(row.irreproducible), ...right },
  { title: 'HR', cell: (row) => formatRatio(row.hindsightRecall, 2), ...right },
  { title: 'LBa/$', cell: (row) => formatRatio(row.perObjectShare, 2), ...right },
  { title: 'peak', cell: (row) => formatTokens(row.peakTokens), ...right },
  { title: 'bad', cell: (row) => String(row.invalidRequests), ...right },
];
