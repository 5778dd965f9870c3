import { WRITTEN_PER_SECOND } from '../replay/waiting.ts';
import { assumptions } from './assumptions.ts';
import { checkLines } from './checks.ts';
import {
  NEED_COLUMNS,
  PAID_COLUMNS,
  sessionColumns,
  sessionLines,
  sessionWidth,
  TOTAL_COLUMNS,
} from './report-columns.ts';
import type { Report } from './report-schema.ts';
import { formatTable } from './table.ts';
import { WIDTH, wrap } from './wrap.ts';

/** A report for a terminal of 100 columns: strategies, sessions, and what was assumed. */
export function formatReport(report: Report): string {
  const lines = sessionLines(report);
  const compared = report.strategies.slice(1).map(({ name }) => name);
  return [
    ...formatTable(report.totals, TOTAL_COLUMNS),
    '',
    ...LEGEND.flatMap((text) => wrap(text)),
    '',
    'Where what is needed next is, before every request:',
    '',
    ...formatTable(report.totals, NEED_COLUMNS),
    '',
    ...wrap(NEED_LEGEND),
    '',
    'Against what was sent, and what a person waits for:',
    '',
    ...formatTable(report.totals, PAID_COLUMNS),
    '',
    ...wrap(PAID_LEGEND),
    '',
    ...checkLines(report.checks).flatMap((text) => wrap(text, { indent: '    ' })),
    '',
    'Cost of each session relative to keep-all:',
    '',
    ...groups(compared).flatMap((names) => [
      ...formatTable(lines, sessionColumns(names, compared)),
      '',
    ]),
    ...assumptions(report).flatMap((text) => wrap(text)),
    '',
  ].join('\n');
}

/** As many strategies as fit on a line; at least one group, so that sessions are listed even when nothing is compared. */
function groups(names: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const name of names) {
    const group = found.at(-1) as string[];
    if (group.length > 0 && sessionWidth([...group, name], names) > WIDTH) found.push([name]);
    else group.push(name);
  }
  return found;
}

const NEED_LEGEND =
  'calls: of what the next 24 tool calls use; words: of the names, paths and numbers that the assistant writes until then; of either what stood there before and is not shown again first. HR: the share that is in the request, with its 95 % interval, by a bootstrap over projects; +1: and what one call would bring, a stored result or a file that is as it was; gone: the rest.';

export const PAID_LEGEND = `saved: 1 - cost / cost of as-it-was, what the recorded agents sent with their own compactions, both summed; with its 95 % interval, by a bootstrap over projects. dearer: sessions of 60 requests and more that cost more than that. basis: a replay of recorded requests, or at most: what only foresight can do. Bills stand beside as-it-was, each session priced as one recorded model (--model recorded); no basis is added to another. LBo/$: what the cheaper of the legal oracles would pay, as a share of the cost: the same edits, rules and markers with foresight. waits: seconds a session while summaries and notes are written, modelled at ${WRITTEN_PER_SECOND} tokens a second.`;

const LEGEND = [
  'acted: sessions in which it did anything. rel: cost relative to keep-all, mean over sessions; $-wtd: the same of the sums of dollars. hit: share of prompt tokens read from the cache. breaks, reread: means per session; lost: re-reads that would not bring the same back. RRC: share of the cost that is rereads. HR: share of what the near future needs that is still at hand. LBa/$: what a per-object oracle would pay, as a share of the cost. peak: largest prompt, mean. bad: requests a provider would refuse; a session with one is in no mean.',
  '* changes the system prompt or the tools. ! loses the newest message of the user. ? drops what was just read again for it: its cost lacks what it then needs. ~ answers differently on a second run.',
];
