import type { ReportRow } from '../report/report-schema.ts';
import { AS_IT_WAS } from '../strategies/as-it-was.ts';
import type { Replay } from './replay.ts';
import type { SessionPlan } from './session-plan.ts';
import { waitSeconds } from './waiting.ts';

/** The row of a report: one strategy on one session. `baseline` is the replay that keeps everything. */
export function rowOf(
  names: { readonly session: string; readonly strategy: string },
  plan: SessionPlan,
  { replay, baseline }: { readonly replay: Replay; readonly baseline: Replay },
): ReportRow {
  const { bounds, needs, pricing } = plan;
  const { tally, hindsight, evicted, faulted, repeatable } = replay;
  const { violations, dollars, waitedTokens: _, ...counts } = tally;
  const isComparable = tally.invalidRequests === 0 && baseline.tally.invalidRequests === 0;
  return {
    ...names,
    ...counts,
    model: pricing.model.id,
    hitRate: share(tally.readTokens, tally.promptTokens),
    dollars,
    relativeToKeepAll: isComparable ? share(dollars, baseline.tally.dollars) : null,
    rereadShare: share(tally.rereadDollars, dollars),
    hindsightRecall: share(hindsight.calls.kept, hindsight.calls.wanted),
    hindsightReach: share(hindsight.calls.kept + hindsight.calls.near, hindsight.calls.wanted),
    hindsightUnits: needs.calls.uses,
    namedRecall: share(hindsight.words.kept, hindsight.words.wanted),
    namedReach: share(hindsight.words.kept + hindsight.words.near, hindsight.words.wanted),
    namedUnits: needs.words.uses,
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
    idle: isIdle(replay, baseline),
    waitSeconds: waitSeconds(tally.waitedTokens),
    billed: names.strategy === AS_IT_WAS ? billedOf(plan, replay) : null,
    relativeToAsItWas: null,
    oracleShare: null,
  };
}

/** What the bills say beside what the same requests cost here. */
function billedOf(
  { conditions }: SessionPlan,
  { billedRequestsDollars }: Replay,
): ReportRow['billed'] {
  if (conditions === undefined) return null;
  const { bills, models, losses, doubt } = conditions;
  return {
    requests: bills.size,
    dollars: [...bills.values()].reduce((sum, each) => sum + each, 0),
    replayedDollars: billedRequestsDollars,
    losses: losses.size,
    models: [...models],
    doubt: doubt ?? null,
  };
}

/** Whether it took nothing out, asked for nothing and put nothing in the place of anything: what it costs more is its tools. */
function isIdle({ tally, evicted }: Replay, { tally: other, evicted: others }: Replay): boolean {
  const isQuiet = QUIET.every((count) => tally[count] === other[count]) && evicted === others;
  return isQuiet && tally.promptTokens >= other.promptTokens;
}

const QUIET = ['breaks', 'breaksAnnounced', 'compactions', 'ownCalls', 'rereads'] as const;

/**
 * Whether a strategy did anything that keep-all does not. The same conversation written a little differently, such as
 * another word for a call that was stopped, is no deed.
 */
function hasActed(replay: Replay, baseline: Replay): boolean {
  const [own, other] = [replay.tally, baseline.tally];
  const isOther = DEEDS.some((deed) => own[deed] !== other[deed]);
  const isEvicting = replay.evicted !== baseline.evicted || replay.faulted !== baseline.faulted;
  const difference = Math.abs(own.dollars - other.dollars);
  return isOther || isEvicting || difference > WORDING_SHARE * other.dollars;
}

const DEEDS = [
  'rereads',
  'breaks',
  'breaksAnnounced',
  'breaksUnannounced',
  'forcedCompactions',
  'compactions',
  'ownCalls',
  'invalidRequests',
  'systemChangedRequests',
  'personLostRequests',
] as const;

/** What words around the same conversation may cost, of the whole. */
const WORDING_SHARE = 0.001;

/** Null where there is nothing to take a share of. */
export const share = (part: number, whole: number): number | null =>
  whole > 0 ? part / whole : null;

const byKey = ([left]: [string, number], [right]: [string, number]): number =>
  left < right ? -1 : Number(left > right);
