import { clusterInterval, type Interval } from '../grid/cluster-interval.ts';
import { AS_IT_WAS } from '../strategies/as-it-was.ts';
import type { ReplayedThread, Report, ReportRow, ReportTotal, Verdict } from './report-schema.ts';

/**
 * The shares of what is needed next that have to stay at hand, and at hand or one call away, for a cost to count, here and
 * wherever strategies are ranked.
 */
export const FLOOR = 0.85;
export const REACH_FLOOR = 0.95;
/** What saves less of the cost is no cheaper. */
const LEAST_SAVED = 0.005;
const KEEP_ALL = 'keep-all';
/** Of fewer there is no interval. */
export const MIN_PROJECTS = 5;

export interface Cheapest {
  /** What savings are a share of. */
  readonly reference: ReportTotal | undefined;
  /** What has to stay at hand, and within one call. */
  readonly floor: number;
  readonly reachFloor: number;
  /** The cheapest that may be named; undefined where nothing is cheaper than keep-all and the reference. */
  readonly best: ReportTotal | undefined;
  /** Cheaper than that, and below the floor. */
  readonly forgetful: ReportTotal | undefined;
}

/**
 * Which strategy is the cheapest of those that keep enough at hand and within one call: the floors, or as much as keep-all does
 * where that is less. One that is marked, or refused where keep-all is not, is never named; nor is what was sent, which is
 * nothing to choose.
 */
export function pickCheapest(totals: readonly ReportTotal[]): Cheapest {
  const [baseline, ...others] = totals;
  const reference = referenceOf(totals);
  const floors = {
    floor: Math.min(FLOOR, baseline?.hindsightRecall ?? FLOOR),
    reachFloor: Math.min(REACH_FLOOR, baseline?.hindsightReach ?? REACH_FLOOR),
  };
  if (baseline === undefined || reference === undefined)
    return { reference, ...floors, best: undefined, forgetful: undefined };
  const keeps = (total: ReportTotal): boolean => keepsEnough(total, floors);
  const cheaper = others
    .filter((total) => isWhole(total, baseline) && !isMarked(total, baseline))
    .filter((total) => total.strategy !== AS_IT_WAS && total.basis !== 'at-most')
    .filter((total) => costOf(total) <= 1 - LEAST_SAVED)
    .filter((total) => savedOf(total, reference) >= LEAST_SAVED)
    .sort((left, right) => costOf(left) - costOf(right));
  const best = cheaper.find(keeps);
  const forgetful = cheaper.find((total) => total.hindsightRecall !== null && !keeps(total));
  const isCheaper = forgetful && costOf(forgetful) < (best ? costOf(best) : 1);
  return { reference, ...floors, best, forgetful: isCheaper ? forgetful : undefined };
}

/** Whether enough of what is needed next is at hand, and at hand or one call away. */
export const keepsEnough = (
  { hindsightRecall, hindsightReach }: Pick<ReportTotal, 'hindsightRecall' | 'hindsightReach'>,
  { floor, reachFloor }: Pick<Cheapest, 'floor' | 'reachFloor'>,
): boolean => (hindsightRecall ?? -1) >= floor && (hindsightReach ?? -1) >= reachFloor;

/**
 * What savings are stated against: what the recorded agents sent; keep-all where that was not replayed, or is more than the
 * window takes while larger requests are refused.
 */
export function referenceOf(totals: readonly ReportTotal[]): ReportTotal | undefined {
  const [baseline] = totals;
  const asItWas = totals.find(({ strategy }) => strategy === AS_IT_WAS);
  if (baseline === undefined || asItWas === undefined) return baseline;
  if (asItWas.savedOfAsItWas === null) return baseline;
  const fits = asItWas.overWindowRequests === 0 || baseline.overWindowRequests > 0;
  return fits && isWhole(asItWas, baseline) ? asItWas : baseline;
}

/** What to stay with where nothing is named: the cheaper of the reference and keep-all. */
export function stayOf(totals: readonly ReportTotal[]): ReportTotal | undefined {
  const [baseline] = totals;
  const reference = referenceOf(totals);
  if (baseline === undefined || reference === undefined) return undefined;
  return savedOf(baseline, reference) >= LEAST_SAVED ? baseline : reference;
}

/** Share of the reference's cost. */
export function savedOf(total: ReportTotal, reference: ReportTotal): number {
  const saved = reference.strategy === AS_IT_WAS ? total.savedOfAsItWas : 1 - costOf(total);
  return saved ?? Number.NEGATIVE_INFINITY;
}

/** Cost relative to keep-all, both summed over sessions. */
export const costOf = ({ dollarsRelative }: ReportTotal): number => dollarsRelative ?? Infinity;

/** Whether each session that keep-all gets through has a price under the strategy. */
export const isWhole = (total: ReportTotal, baseline: ReportTotal): boolean =>
  total.comparable === baseline.comparable && total.comparable > 0;

/** Whether it breaks a gate that makes no request invalid, so often that its cost is not what it says. */
function isMarked(total: ReportTotal, baseline: ReportTotal): boolean {
  const { systemChangedRequests, personLostRequests, unrepeatable, unmetUnits } = total;
  const rereads = total.rereads * total.comparable;
  const fewUnmet = Math.max(baseline.unmetUnits, UNMET_SHARE * rereads);
  return systemChangedRequests + personLostRequests + unrepeatable > 0 || unmetUnits > fewUnmet;
}

/** Needs that are left open after a re-read, of all re-reads: a summary may come between, once in a long session. */
const UNMET_SHARE = 0.01;

/** What the first screen says of a window. */
export function verdictOf(
  { rows, totals }: Pick<Report, 'rows' | 'totals'>,
  threads: readonly Pick<ReplayedThread, 'session' | 'project'>[],
): Verdict {
  const { best, floor, reachFloor, reference } = pickCheapest(totals);
  const interval = best && reference && savedInterval(best, { rows, threads, reference });
  return {
    floor,
    reachFloor,
    reference: reference?.strategy ?? KEEP_ALL,
    cheapest: best?.strategy ?? null,
    saved: best && reference ? savedOf(best, reference) : null,
    interval: interval ? { low: interval.low, high: interval.high } : null,
    atHand: best
      ? { share: best.hindsightRecall, low: best.hindsightLow, high: best.hindsightHigh }
      : null,
    reach: best
      ? { share: best.hindsightReach, low: best.hindsightReachLow, high: best.hindsightReachHigh }
      : null,
  };
}

interface IntervalInput {
  readonly rows: readonly ReportRow[];
  readonly threads: readonly Pick<ReplayedThread, 'session' | 'project'>[];
  readonly reference: ReportTotal;
}

function savedInterval(
  { strategy }: ReportTotal,
  { rows, threads, reference }: IntervalInput,
): Interval | undefined {
  const projects = new Map(threads.map(({ session, project }) => [session, project]));
  const own = rows.filter((row) => row.strategy === strategy);
  const values = own.flatMap(({ session, dollars, relativeToKeepAll, relativeToAsItWas }) => {
    const relative = reference.strategy === AS_IT_WAS ? relativeToAsItWas : relativeToKeepAll;
    if (relative === null) return [];
    const weight = dollars / relative;
    return [{ project: projects.get(session) ?? 0, value: weight - dollars, weight }];
  });
  const found = new Set(values.map(({ project }) => project)).size;
  return found < MIN_PROJECTS ? undefined : clusterInterval(values);
}
