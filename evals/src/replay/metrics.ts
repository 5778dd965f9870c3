import { isDeepStrictEqual } from 'node:util';
import type { ReportRow } from '../report/report-schema.ts';
import type { Replay } from './replay.ts';
import type { SessionPlan } from './session-plan.ts';

/** The row of a report: one strategy on one session. `baseline` is the replay that keeps everything. */
export function rowOf(
  names: { readonly session: string; readonly strategy: string },
  { bounds, pricing }: SessionPlan,
  { replay, baseline }: { readonly replay: Replay; readonly baseline: Replay },
): ReportRow {
  const { tally, hindsight, evicted, faulted, repeatable } = replay;
  const { violations, dollars, ...counts } = tally;
  const isComparable = tally.invalidRequests === 0 && baseline.tally.invalidRequests === 0;
  return {
    ...names,
    ...counts,
    model: pricing.model.id,
    hitRate: share(tally.readTokens, tally.promptTokens),
    dollars,
    relativeToKeepAll: isComparable ? share(dollars, baseline.tally.dollars) : null,
    rereadShare: share(tally.rereadDollars, dollars),
    hindsightRecall: share(hindsight.kept, hindsight.wanted),
    hindsightUnits: hindsight.units,
    evictedResults: evicted,
    faultedResults: faulted,
    faultRate: share(faulted, evicted),
    writeOnceDollars: bounds.writeOnce,
    perObjectDollars: bounds.perObject,
    writeOnceShare: isComparable ? share(bounds.writeOnce, dollars) : null,
    perObjectShare: isComparable ? share(bounds.perObject, dollars) : null,
    violations: Object.fromEntries([...violations].sort(byKey)),
    repeatable,
    acted: hasActed(replay, baseline),
  };
}

/** Whether anything that is counted differs from what is counted where everything is kept. */
const hasActed = (replay: Replay, baseline: Replay): boolean =>
  !isDeepStrictEqual({ ...replay, repeatable: true }, { ...baseline, repeatable: true });

/** Null where there is nothing to take a share of. */
export const share = (part: number, whole: number): number | null =>
  whole > 0 ? part / whole : null;

const byKey = ([left]: [string, number], [right]: [string, number]): number =>
  left < right ? -1 : Number(left > right);
