import { AS_IT_WAS } from '../strategies/as-it-was.ts';
import { formatDollars, formatRatio } from './format.ts';
import type { Report, ReportRow } from './report-schema.ts';

export type Check = Report['checks'][number];
type Exception = Check['exceptions'][number];

/** What has to hold of the rows of a run in one window; what was not replayed is not checked. */
export function checksOf(rows: readonly ReportRow[]): Check[] {
  const baselines = new Map(
    rows.filter(({ strategy }) => strategy === KEEP_ALL).map((row) => [row.session, row]),
  );
  return [
    billsCheck(rows),
    idleCheck(rows, baselines),
    layersCheck(rows, baselines),
    notesCheck(rows),
  ]
    .flat()
    .filter(({ of }) => of > 0);
}

const KEEP_ALL = 'keep-all';
const MOST_OFF_BILLS = 0.03;
const MOST_IDLE = 1.01;
const MOST_LAYERS = 1.02;
const MOST_NOTES = 1.05;

/** As it was against the bills, in sum; the exceptions are those of the sum that are further off. One in doubt is in neither. */
function billsCheck(rows: readonly ReportRow[]): Check {
  const billed = rows.filter(({ strategy, billed }) => strategy === AS_IT_WAS && billed !== null);
  const known = billed.filter((row) => row.billed?.doubt === null);
  const lacking = billed.length - known.length;
  const sum = (of: (billed: NonNullable<ReportRow['billed']>) => number): number =>
    known.reduce((total, row) => total + of(row.billed as NonNullable<ReportRow['billed']>), 0);
  const [dollars, replayed] = [sum((each) => each.dollars), sum((each) => each.replayedDollars)];
  const off = replayed / dollars - 1;
  return {
    name: 'as-it-was-within-bills',
    text: `As it was costs ${formatDollars(replayed)} (replayed), the bills say ${formatDollars(dollars)}: ${percent(off)} in sum (at most 3 %)${lacking === 0 ? '' : `; ${lacking} more lack most of what was sent`}`,
    holds: Math.abs(off) <= MOST_OFF_BILLS,
    of: known.length,
    exceptions: known
      .filter((row) => Math.abs(figureOf(row) - 1) > MOST_OFF_BILLS)
      .map((row) => ({ ...namesOf(row), value: figureOf(row), why: whyOffBills(row) })),
  };
}

const figureOf = ({ billed }: ReportRow): number =>
  billed && billed.dollars > 0 ? billed.replayedDollars / billed.dollars : 1;

function whyOffBills({ billed, compactions }: ReportRow): string {
  if ((billed?.models.length ?? 0) > 1) return 'several models, all priced as one';
  return compactions > 0
    ? 'compacted: what the agent attached behind it is not in the file'
    : 'what the cache held in part is read as whole, or not at all';
}

/** Where nothing acts, nothing may cost more than 1.01 of keep-all. */
function idleCheck(rows: readonly ReportRow[], baselines: ReadonlyMap<string, ReportRow>): Check {
  const idle = rows.filter((row) => row.idle && row.strategy !== KEEP_ALL && isPriced(row));
  return {
    name: 'idle-costs-nothing',
    ...listed(idle, {
      most: MOST_IDLE,
      figureOf: relative,
      whyOf: (row) => whyDearer(row, baselines),
    }),
    text: 'Where a strategy does nothing, it costs at most 1.01 of keep-all',
  };
}

/** No thread is dearer by more than a fiftieth under `layers`. */
function layersCheck(rows: readonly ReportRow[], baselines: ReadonlyMap<string, ReportRow>): Check {
  const own = rows.filter((row) => row.strategy === 'layers' && isPriced(row));
  return {
    name: 'layers-never-dearer',
    ...listed(own, {
      most: MOST_LAYERS,
      figureOf: relative,
      whyOf: (row) => whyDearer(row, baselines),
    }),
    text: 'layers costs at most 1.02 of keep-all in every session',
  };
}

/** Notes may cost a twentieth of what the session costs without them. */
function notesCheck(rows: readonly ReportRow[]): Check {
  const own = rows.filter((row) => row.strategy === 'session-memory' && isPriced(row));
  return {
    name: 'notes-cost-little',
    ...listed(own, {
      most: MOST_NOTES,
      figureOf: ({ dollars, ownCallDollars }) => dollars / (dollars - ownCallDollars),
      whyOf: ({ ownCalls, requests }) => `${ownCalls} calls for notes in ${requests} requests`,
    }),
    text: 'Running notes, off by default, cost at most 1.05 of the session without them',
  };
}

interface Limit {
  readonly most: number;
  readonly figureOf: (row: ReportRow) => number;
  readonly whyOf: (row: ReportRow) => string;
}

function listed(rows: readonly ReportRow[], { most, figureOf, whyOf }: Limit) {
  const exceptions = rows
    .filter((row) => figureOf(row) > most)
    .map((row): Exception => ({ ...namesOf(row), value: figureOf(row), why: whyOf(row) }))
    .sort((one, other) => other.value - one.value);
  return { holds: exceptions.length === 0, of: rows.length, exceptions };
}

const isPriced = ({ relativeToKeepAll }: ReportRow): boolean => relativeToKeepAll !== null;
const relative = ({ relativeToKeepAll }: ReportRow): number => relativeToKeepAll ?? 1;
const namesOf = ({ session, strategy }: ReportRow) => ({ session, strategy });

function whyDearer(row: ReportRow, baselines: ReadonlyMap<string, ReportRow>): string {
  const baseline = baselines.get(row.session);
  const more = ((baseline ? row.promptTokens - baseline.promptTokens : 0) / row.requests) | 0;
  if (row.idle) return `${more} tokens more in each of ${row.requests} requests: its tools`;
  const { rereads, breaks, rereadShare } = row;
  return `${breaks} breaks, ${rereads} re-reads at ${formatRatio(rereadShare, 2)} of the cost`;
}

const percent = (share: number): string =>
  `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;

/** One line a check, and one for each of its first exceptions. */
export function checkLines(checks: readonly Check[]): readonly string[] {
  return checks.flatMap(({ text, holds, of, exceptions }) => [
    `${holds ? 'holds' : 'FAILS'}: ${text}; ${of} looked at${exceptions.length > 0 ? `, ${exceptions.length} beyond` : ''}.`,
    ...exceptions
      .slice(0, MOST_SHOWN)
      .map(
        ({ session, strategy, value, why }) =>
          `  ${value.toFixed(3)}  ${strategy}  ${session}: ${why}`,
      ),
    ...(exceptions.length > MOST_SHOWN
      ? [`  ${exceptions.length - MOST_SHOWN} more stand in report.json`]
      : []),
  ]);
}

const MOST_SHOWN = 12;
