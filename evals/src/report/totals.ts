import { clusterInterval } from '../grid/cluster-interval.ts';
import { share } from '../replay/metrics.ts';
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
    return { ...total, ...hindsightInterval(own, projects) };
  });
}

function totalOf(
  strategy: string,
  rows: readonly ReportRow[],
  baselineOf: (row: ReportRow) => number,
): Omit<ReportTotal, 'hindsightLow' | 'hindsightHigh'> {
  const counted = rows.filter((row) => row.relativeToKeepAll !== null);
  const sum = (of: (row: ReportRow) => number): number => add(counted.map(of));
  const meanOf = (of: (row: ReportRow) => number | null): number | null => mean(counted.map(of));
  const count = (of: (row: ReportRow) => number): number => add(rows.map(of));
  const dollars = sum((row) => row.dollars);
  return {
    strategy,
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
    hindsightReach: meanOf((row) => (isTelling(row.hindsightUnits) ? row.hindsightReach : null)),
    namedRecall: meanOf((row) => (isTelling(row.namedUnits) ? row.namedRecall : null)),
    namedReach: meanOf((row) => (isTelling(row.namedUnits) ? row.namedReach : null)),
    faultRate: share(
      sum((row) => row.faultedResults),
      sum((row) => row.evictedResults),
    ),
    writeOnceShare: meanOf((row) => row.writeOnceShare),
    perObjectShare: meanOf((row) => row.perObjectShare),
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

/** Draws whole projects. Null where there are too few. */
function hindsightInterval(rows: readonly ReportRow[], projects: ReadonlyMap<string, number>) {
  const values = rows
    .filter((row) => row.relativeToKeepAll !== null)
    .flatMap((row) => {
      const [value, project] = [recallOf(row), projects.get(row.session)];
      return value === null || project === undefined ? [] : [{ project, value }];
    });
  const interval = clusterInterval(values, { resamples: RESAMPLES });
  const isTold = interval !== undefined && interval.clusters >= MIN_PROJECTS;
  return {
    hindsightLow: isTold ? interval.low : null,
    hindsightHigh: isTold ? interval.high : null,
  };
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
