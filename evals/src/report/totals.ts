import { clusterInterval } from '../grid/cluster-interval.ts';
import { share } from '../replay/metrics.ts';
import { LEGAL_ORACLE } from '../strategies/legal-oracle.ts';
import { MIN_PROJECTS } from './pick.ts';
import type { ReplayedThread, ReportRow, ReportTotal } from './report-schema.ts';

/** `threads` say which project a session is of. One line per strategy over the rows in which no request was invalid, in the order in which strategies first appear. */
export function totalsOf(
  rows: readonly ReportRow[],
  threads: readonly Pick<ReplayedThread, 'session' | 'project'>[] = [],
): ReportTotal[] {
  const projects = new Map(threads.map(({ session, project }) => [session, project]));
  const names = [...new Set(rows.map(({ strategy }) => strategy))];
  const baseline = new Map(
    rows.filter(({ strategy }) => strategy === names[0]).map((row) => [row.session, row.dollars]),
  );
  return names.map((name) => {
    const own = rows.filter(({ strategy }) => strategy === name);
    const total = totalOf(name, own, (row) => baseline.get(row.session) ?? 0);
    return {
      ...total,
      ...hindsightIntervals(own, projects),
      ...asItWasFigures(own, projects),
    };
  });
}

function totalOf(
  strategy: string,
  rows: readonly ReportRow[],
  baselineOf: (row: ReportRow) => number,
): Omit<
  ReportTotal,
  keyof (ReturnType<typeof hindsightIntervals> & ReturnType<typeof asItWasFigures>)
> {
  const counted = rows.filter((row) => row.relativeToKeepAll !== null);
  const sum = (of: (row: ReportRow) => number): number => add(counted.map(of));
  const meanOf = (of: (row: ReportRow) => number | null): number | null => mean(counted.map(of));
  const count = (of: (row: ReportRow) => number): number => add(rows.map(of));
  const dollars = sum((row) => row.dollars);
  return {
    strategy,
    basis: strategy.startsWith(LEGAL_ORACLE) ? 'at-most' : 'replayed',
    sessions: rows.length,
    comparable: counted.length,
    relativeToKeepAll: meanOf((row) => row.relativeToKeepAll),
    dollarsRelative: share(dollars, sum(baselineOf)),
    dollars,
    hitRate: share(
      sum((row) => row.readTokens),
      sum((row) => row.promptTokens),
    ),
    breaks: meanOf((row) => row.breaks) ?? 0,
    rereads: meanOf((row) => row.rereads) ?? 0,
    irreproducible: meanOf((row) => row.irreproducible) ?? 0,
    rereadShare: share(
      sum((row) => row.rereadDollars),
      dollars,
    ),
    hindsightRecall: meanOf(recallOf),
    hindsightReach: meanOf(reachOf),
    namedRecall: meanOf((row) => (isTelling(row.namedUnits) ? row.namedRecall : null)),
    namedReach: meanOf((row) => (isTelling(row.namedUnits) ? row.namedReach : null)),
    faultRate: share(
      sum((row) => row.faultedResults),
      sum((row) => row.evictedResults),
    ),
    writeOnceShare: meanOf((row) => row.writeOnceShare),
    perObjectShare: meanOf((row) => row.perObjectShare),
    oracleShare: meanOf((row) => row.oracleShare ?? null),
    waitSeconds: meanOf((row) => row.waitSeconds ?? 0) ?? 0,
    billed: billedIn(rows),
    overWindowRequests: count((row) => row.overWindowRequests ?? 0),
    peakTokens: meanOf((row) => row.peakTokens) ?? 0,
    breaksAnnounced: count((row) => row.breaksAnnounced),
    breaksUnannounced: count((row) => row.breaksUnannounced),
    invalidRequests: count((row) => row.invalidRequests),
    systemChangedRequests: count((row) => row.systemChangedRequests),
    personLostRequests: count((row) => row.personLostRequests),
    unmetUnits: count((row) => row.unmetUnits),
    actedSessions: count((row) => Number(row.acted)),
    unrepeatable: count((row) => Number(!row.repeatable)),
    forcedCompactions: meanOf((row) => row.forcedCompactions) ?? 0,
    compactions: meanOf((row) => row.compactions) ?? 0,
    ownCalls: meanOf((row) => row.ownCalls) ?? 0,
    standInShare: share(
      sum((row) => row.standInCalls),
      sum((row) => row.ownCalls),
    ),
    ownCallShare: share(
      sum((row) => row.ownCallDollars),
      dollars,
    ),
  };
}

const isTelling = (uses: number): boolean => uses >= MIN_HINDSIGHT_UNITS;
const recallOf = (row: ReportRow): number | null =>
  isTelling(row.hindsightUnits) ? row.hindsightRecall : null;

/** The bills of sessions whose files hold what was sent. */
function billedIn(rows: readonly ReportRow[]): ReportTotal['billed'] {
  const known = rows.flatMap(({ billed }) => (billed && billed.doubt === null ? [billed] : []));
  if (known.length === 0) return null;
  return {
    sessions: known.length,
    dollars: add(known.map(({ dollars }) => dollars)),
    replayedDollars: add(known.map(({ replayedDollars }) => replayedDollars)),
  };
}

/** What is saved of what was sent. Null where that was not replayed, and without an interval where there are too few projects. */
function asItWasFigures(rows: readonly ReportRow[], projects: ReadonlyMap<string, number>) {
  const known = rows.flatMap((row) => {
    const { dollars, relativeToAsItWas: relative = null } = row;
    if (relative === null || relative === 0) return [];
    const weight = dollars / relative;
    const project = projects.get(row.session) ?? 0;
    return [{ row, relative, value: weight - dollars, weight, project }];
  });
  const interval = clusterInterval(known, { resamples: RESAMPLES });
  const isTold = interval !== undefined && interval.clusters >= MIN_PROJECTS;
  const long = known.filter(({ row }) => row.requests >= LONG_REQUESTS);
  return {
    savedOfAsItWas: interval?.mean ?? null,
    savedOfAsItWasLow: isTold ? interval.low : null,
    savedOfAsItWasHigh: isTold ? interval.high : null,
    dearerThanAsItWas:
      interval === undefined
        ? null
        : { sessions: long.filter(({ relative }) => relative > 1).length, of: long.length },
  };
}

/** Of a session in which a strategy has time to pay. */
const LONG_REQUESTS = 60;

const reachOf = (row: ReportRow): number | null =>
  isTelling(row.hindsightUnits) ? row.hindsightReach : null;

function hindsightIntervals(rows: readonly ReportRow[], projects: ReadonlyMap<string, number>) {
  const recall = intervalOf(rows, projects, recallOf);
  const reach = intervalOf(rows, projects, reachOf);
  return {
    hindsightLow: recall?.low ?? null,
    hindsightHigh: recall?.high ?? null,
    hindsightReachLow: reach?.low ?? null,
    hindsightReachHigh: reach?.high ?? null,
  };
}

/** Draws whole projects. Undefined where there are too few. */
function intervalOf(
  rows: readonly ReportRow[],
  projects: ReadonlyMap<string, number>,
  of: (row: ReportRow) => number | null,
) {
  const values = rows
    .filter((row) => row.relativeToKeepAll !== null)
    .flatMap((row) => {
      const [value, project] = [of(row), projects.get(row.session)];
      return value === null || project === undefined ? [] : [{ project, value }];
    });
  const interval = clusterInterval(values, { resamples: RESAMPLES });
  return interval !== undefined && interval.clusters >= MIN_PROJECTS ? interval : undefined;
}

/** For each strategy of a long list. */
const RESAMPLES = 2_000;

/** Null where no value is known. */
function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? add(known) / known.length : null;
}

const add = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Fewer say nothing about a session. */
export const MIN_HINDSIGHT_UNITS = 10;
