import { formatCount, formatDollars, formatRatio, formatTokens } from './format.ts';
import type { Report, ReportTotal } from './report-schema.ts';
import type { Column } from './table.ts';

const right = { align: 'right' } as const;

/** One line per strategy over all sessions; fits 100 characters. */
export const TOTAL_COLUMNS: readonly Column<ReportTotal>[] = [
  { title: 'strategy', cell: (total) => `${total.strategy}${gateMarks(total)}`, maxCharacters: 20 },
  { title: 'acted', cell: (total) => String(total.actedSessions), ...right },
  { title: 'rel', cell: (total) => formatRatio(total.relativeToKeepAll), ...right },
  { title: '$-wtd', cell: (total) => formatRatio(total.dollarsRelative, 2), ...right },
  { title: 'hit', cell: (total) => formatRatio(total.hitRate), ...right },
  { title: 'breaks', cell: (total) => formatCount(total.breaks), ...right },
  { title: 'reread', cell: (total) => formatCount(total.rereads), ...right },
  { title: 'lost', cell: (total) => formatCount(total.irreproducible), ...right },
  { title: 'RRC', cell: (total) => formatRatio(total.rereadShare), ...right },
  { title: 'HR', cell: (total) => formatRatio(total.hindsightRecall, 2), ...right },
  { title: 'LBa/$', cell: (total) => formatRatio(total.perObjectShare, 2), ...right },
  { title: 'peak', cell: (total) => formatTokens(total.peakTokens), ...right },
  { title: 'bad', cell: (total) => String(total.invalidRequests), ...right },
];

/** Where what is needed next is, by who needs it; fits 100 characters. */
export const NEED_COLUMNS: readonly Column<ReportTotal>[] = [
  { title: 'strategy', cell: ({ strategy }) => strategy, maxCharacters: 20 },
  { title: 'calls: HR', cell: (total) => formatRatio(total.hindsightRecall, 3), ...right },
  {
    title: '95 %',
    cell: ({ hindsightLow: low, hindsightHigh: high }) =>
      low === null ? '-' : `${formatRatio(low, 2)} to ${formatRatio(high, 2)}`,
    ...right,
  },
  { title: '+1', cell: (total) => formatRatio(total.hindsightReach, 3), ...right },
  {
    title: '95 %',
    cell: ({ hindsightReachLow: low, hindsightReachHigh: high }) =>
      low === null ? '-' : `${formatRatio(low, 2)} to ${formatRatio(high, 2)}`,
    ...right,
  },
  { title: 'gone', cell: (total) => formatRatio(goneOf(total.hindsightReach), 3), ...right },
  { title: 'words: HR', cell: (total) => formatRatio(total.namedRecall, 3), ...right },
  { title: '+1', cell: (total) => formatRatio(total.namedReach, 3), ...right },
  { title: 'gone', cell: (total) => formatRatio(goneOf(total.namedReach), 3), ...right },
];

/** What is saved of what was sent, what stands beside it, and how long somebody waits. */
export const PAID_COLUMNS: readonly Column<ReportTotal>[] = [
  { title: 'strategy', cell: ({ strategy }) => strategy, maxCharacters: 20 },
  { title: 'basis', cell: ({ basis }) => (basis === 'at-most' ? 'at most' : basis) },
  { title: 'dollars', cell: (total) => formatDollars(total.dollars), ...right },
  { title: 'saved', cell: (total) => formatRatio(total.savedOfAsItWas), ...right },
  {
    title: '95 %',
    cell: ({ savedOfAsItWasLow: low, savedOfAsItWasHigh: high }) =>
      low === null ? '-' : `${formatRatio(low, 2)} to ${formatRatio(high, 2)}`,
    ...right,
  },
  {
    title: 'dearer',
    cell: ({ dearerThanAsItWas: dearer }) => (dearer ? `${dearer.sessions} of ${dearer.of}` : '-'),
    ...right,
  },
  { title: 'HR', cell: (total) => formatRatio(total.hindsightRecall), ...right },
  { title: 'LBo/$', cell: (total) => formatRatio(total.oracleShare, 2), ...right },
  { title: 'LBa/$', cell: (total) => formatRatio(total.perObjectShare, 2), ...right },
  { title: 'waits', cell: (total) => `${formatCount(total.waitSeconds)} s`, ...right },
];

const goneOf = (reach: number | null): number | null => (reach === null ? null : 1 - reach);

/** Marks a strategy that breaks a gate which makes no request invalid. */
function gateMarks(total: ReportTotal): string {
  const system = total.systemChangedRequests > 0 ? '*' : '';
  const person = total.personLostRequests > 0 ? '!' : '';
  const unmet = total.unmetUnits > 0 ? '?' : '';
  return `${system}${person}${unmet}${total.unrepeatable > 0 ? '~' : ''}`;
}

/** A session and what each strategy costs there, relative to keeping everything. */
export interface SessionLine {
  readonly session: string;
  readonly requests: number;
  readonly peakTokens: number;
  readonly relative: ReadonlyMap<string, number | null>;
}

/** The sessions of a report in its order. */
export function sessionLines({ sessions, rows }: Report): readonly SessionLine[] {
  return sessions
    .flatMap(({ replayed }) => replayed)
    .map(({ session, requests }) => {
      const own = rows.filter((row) => row.session === session);
      return {
        session,
        requests,
        peakTokens: own[0]?.peakTokens ?? 0,
        relative: new Map(own.map((row) => [row.strategy, row.relativeToKeepAll])),
      };
    });
}

/** Columns of the sessions' table for some of the strategies; their titles tell all strategies apart. */
export function sessionColumns(
  strategies: readonly string[],
  all: readonly string[],
): readonly Column<SessionLine>[] {
  return [
    {
      title: 'session',
      cell: (line) => line.session.replace(EXTENSION, ''),
      maxCharacters: SESSION_CHARACTERS,
    },
    { title: 'req', cell: (line) => String(line.requests), ...right },
    { title: 'peak', cell: (line) => formatTokens(line.peakTokens), ...right },
    ...strategies.map(
      (strategy): Column<SessionLine> => ({
        title: shortName(strategy, all),
        cell: (line) => formatRatio(line.relative.get(strategy) ?? null, 2),
        ...right,
      }),
    ),
  ];
}

/** Characters that a line of that table takes at most. */
export function sessionWidth(strategies: readonly string[], all: readonly string[]): number {
  const widths = strategies.map((strategy) => Math.max(shortName(strategy, all).length, FIGURE));
  return widths.reduce(
    (sum, width) => sum + GAP + width,
    SESSION_CHARACTERS + GAP + COUNT + GAP + FIGURE,
  );
}

/**
 * `batched-clear+parked` → `batched+p`: the first word, and the beginning of what is added. Where strategies of different
 * names share the first word, its beginning and the rest: `microcompact-time` → `mi-time`.
 */
function shortName(strategy: string, all: readonly string[]): string {
  const [name = '', ...added] = strategy.split('+');
  const [word = '', ...rest] = name.split('-');
  const isShared = all.some(
    (other) => other.split(/[-+]/)[0] === word && other.split('+')[0] !== name,
  );
  const short = isShared ? [word.slice(0, 2), ...rest].join('-') : word;
  return [short.slice(0, isShared ? 13 : 8), ...added.map((each) => each.slice(0, 1))].join('+');
}

const EXTENSION = /\.(?:jsonl|json|traj)(?=#|$)/;
const SESSION_CHARACTERS = 30;
/** Of a column of figures, of one of requests, and between two columns. */
const FIGURE = 5;
const COUNT = 4;
const GAP = 2;
