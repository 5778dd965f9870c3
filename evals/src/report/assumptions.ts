import { compactionLimit, SUMMARY_OUTPUT_TOKENS } from '../replay/forced-compaction.ts';
import { ASSUMED_HEAD_TOKENS } from '../session/head-size.ts';
import { formatCount, formatRatio, formatTokens } from './format.ts';
import { readText } from './read-text.ts';
import type { ReplayedThread, Report, ReportTotal } from './report-schema.ts';

/** What a reader has to know before believing the figures, one sentence or two each. */
export function assumptions(report: Report): readonly string[] {
  const { settings, sessions, estimator, unpriced } = report;
  const threads = sessions.flatMap(({ replayed }) => replayed);
  const models = counted(threads.map((thread) => `${thread.pricedAs} under ${thread.policy}`));
  return [
    `Priced as ${models}, lifetime ${settings.ttl}; tokens estimated (varve ${estimator.version}). Replayed: ${plural(threads.length, 'main thread')} of ${plural(sessions.length, 'file')}, without recorded compactions and sub-agents.`,
    ...readText(report),
    headText(threads),
    ...clockText(threads),
    ...variantText(report),
    ...windowText(report),
    ...actedText(report),
    ...compactionText(report),
    ...breakText(report),
    ...backgroundText(threads),
    ...listed(
      'Left out, because their models have no known price',
      unpriced.map(({ session, recordedModel }) => `${session} (${recordedModel ?? 'none'})`),
    ),
  ];
}

function headText(threads: readonly ReplayedThread[]): string {
  const sources = counted(threads.map((thread) => HEAD_SOURCES[thread.headSource]));
  return `System prompt and tools: ${sources}.`;
}

const HEAD_SOURCES = {
  'first-prompt': 'size from the first billed prompt',
  'recorded-text': 'size of the recorded text',
  assumed: `${ASSUMED_HEAD_TOKENS.toLocaleString('en-US')} tokens assumed`,
} as const;

function clockText(threads: readonly ReplayedThread[]): readonly string[] {
  const without = threads.filter(({ clock }) => clock === 'assumed').length;
  return without === 0
    ? []
    : [`No usable clock in ${plural(without, 'thread')}: 10 seconds between requests are assumed.`];
}

function windowText({ rows, totals, sessions, settings }: Report): readonly string[] {
  const windows = sessions.flatMap(({ replayed }) => replayed.map((each) => each.windowTokens));
  const sizes = [...new Set(windows)].map(formatTokens).join(', ');
  if (settings.window === 'none') {
    const over = rows.reduce((sum, row) => sum + row.overWindowRequests, 0);
    return [
      `No window is enforced: ${plural(over, 'request')} larger than ${sizes} priced as if accepted.`,
    ];
  }
  const refused = rows.filter(({ violations }) => 'over-window' in violations);
  const names = new Set(refused.map(({ strategy }) => strategy));
  return [
    `Window of ${sizes}, enforced: before a request passes ${limits(windows)} the agent has a summary written (${formatTokens(SUMMARY_OUTPUT_TOKENS)} tokens of output; 6K stay, with the newest round and the person's newest message, and hold nothing that is needed later). Summaries, mean per session: ${figures(totals, (total) => total.forcedCompactions)}.`,
    ...(refused.length === 0
      ? []
      : [
          `Refused because they are larger than the window, whatever is summarised: requests in ${plural(new Set(refused.map(({ session }) => session)).size, 'session')} under ${[...names].join(', ')}.`,
        ]),
  ];
}

const limits = (windows: readonly number[]): string =>
  [...new Set(windows.map(compactionLimit))].map(formatTokens).join(', ');

/** `keep-all 1, offload 0.8`, those that have any. */
const figures = (totals: Report['totals'], of: (total: ReportTotal) => number): string =>
  totals
    .filter((total) => of(total) > 0)
    .map((total) => `${total.strategy} ${formatCount(of(total))}`)
    .join(', ') || 'none';

/** Which strategies had nothing to do, and which only in some sessions. */
function actedText({ totals }: Report): readonly string[] {
  const [, ...others] = totals;
  const never = others.filter(({ actedSessions }) => actedSessions === 0);
  return never.length === 0
    ? []
    : [
        `Acted in no session, so that their figures are those of keep-all: ${never.map(({ strategy }) => strategy).join(', ')}.`,
      ];
}

function compactionText({ totals }: Report): readonly string[] {
  const active = totals.filter(({ compactions, ownCalls }) => compactions + ownCalls > 0);
  const shown = active.map((total) => {
    const { strategy, compactions, ownCalls, ownCallShare, standInShare } = total;
    const calls = `${formatCount(ownCalls)} calls at ${formatRatio(ownCallShare)} of the cost`;
    const asked = `${calls}, ${formatRatio(standInShare, 2)} of them answered by a stand-in`;
    return `${strategy} ${formatCount(compactions)}${ownCalls > 0 ? ` (${asked})` : ''}`;
  });
  return shown.length === 0
    ? []
    : [
        `Compactions by strategies, and calls of their own, means per session: ${shown.join('; ')}.`,
      ];
}

function variantText({ settings }: Report): readonly string[] {
  const { readPrice, rereadFactor, rereads, thinking } = settings;
  return [
    ...(readPrice === null ? [] : [`Reads cost ${readPrice} of a plain token.`]),
    ...(rereadFactor === 1 ? [] : [`Re-reads cost ${rereadFactor} times their price.`]),
    ...(rereads === 'whole'
      ? []
      : ['Lost results come back by the lines that are needed, with 20 around them.']),
    ...(thinking === null ? [] : [`Thinking rule: ${thinking}.`]),
  ];
}

function breakText({ totals }: Report): readonly string[] {
  const others = totals.filter(({ breaksUnannounced }) => breaksUnannounced > 0);
  const shown = others.map((total) => `${total.strategy} ${total.breaksUnannounced}`);
  const announced = totals.reduce((sum, total) => sum + total.breaksAnnounced, 0);
  return [
    `Requests that do not begin with the one before, block by block: ${announced} where the strategy had announced an edit; others: ${shown.join(', ') || 'none'}.`,
  ];
}

function backgroundText(threads: readonly ReplayedThread[]): readonly string[] {
  const fewest = Math.min(...threads.map(({ foreignSessions }) => foreignSessions));
  return fewest >= 2
    ? []
    : [
        'Fewer than two sessions of other projects stand beside some session, so that words anybody would know count as demand there.',
      ];
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const listed = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${what}: ${names.join(', ')}.`];

/** `a (3), b (1)`, the most frequent first; a single one without its count. */
function counted(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size === 1) return [...counts.keys()].join();
  const sorted = [...counts].sort((left, right) => right[1] - left[1]);
  return sorted.map(([value, count]) => `${value} (${count})`).join(', ');
}
