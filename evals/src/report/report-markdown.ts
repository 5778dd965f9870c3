import { assumptions } from './assumptions.ts';
import { formatCount, formatDollars, formatRatio, formatTokens } from './format.ts';
import { TOTAL_COLUMNS } from './report-columns.ts';
import type { Report, ReportRow } from './report-schema.ts';
import { type Column, formatMarkdownTable } from './table.ts';

/** A report as a Markdown page: strategies, every row, and what was assumed. */
export function formatMarkdown(report: Report): string {
  return [
    '# Replay',
    '',
    `\`${report.command}\`, version ${report.version}`,
    '',
    '## Strategies',
    '',
    ...formatMarkdownTable(report.totals, TOTAL_COLUMNS),
    '',
    '## Sessions',
    '',
    ...formatMarkdownTable(report.rows, ROW_COLUMNS),
    '',
    '## Assumptions',
    '',
    ...assumptions(report).map((text) => `- ${text}`),
    '',
  ].join('\n');
}

const right = { align: 'right' } as const;

const ROW_COLUMNS: readonly Column<ReportRow>[] = [
  { title: 'session', cell: (row) => row.session },
  { title: 'strategy', cell: (row) => row.strategy },
  { title: 'requests', cell: (row) => String(row.requests), ...right },
  { title: 'dollars', cell: (row) => formatDollars(row.dollars), ...right },
  { title: 'rel', cell: (row) => formatRatio(row.relativeToKeepAll), ...right },
  { title: 'hit', cell: (row) => formatRatio(row.hitRate), ...right },
  { title: 'breaks', cell: (row) => formatCount(row.breaks), ...right },
  { title: 'rereads', cell: (row) => formatCount(row.rereads), ...right },
  { title: 'HR', cell: (row) => formatRatio(row.hindsightRecall, 2), ...right },
  { title: 'LBa/$', cell: (row) => formatRatio(row.perObjectShare, 2), ...right },
  { title: 'peak', cell: (row) => formatTokens(row.peakTokens), ...right },
  { title: 'invalid', cell: (row) => String(row.invalidRequests), ...right },
];
