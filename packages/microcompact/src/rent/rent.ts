import type { PlanContext } from '@varve/messages';
import type { Candidate, Candidates } from '../candidate.ts';
import { type Decision, nothing } from '../decision.ts';
import { dueAge } from './due-age.ts';

export interface RentOptions {
  /**
   * Newest clearable results that stay.
   * @default 4
   */
  readonly keepRecent?: number | undefined;
  /**
   * The cached prefix is broken once the rent that was paid too long is so many times what writing it anew costs.
   * @default 4
   */
  readonly patience?: number | undefined;
  /**
   * How many times dearer than its price fetching something again is taken to be. Higher keeps more.
   * @default 2
   */
  readonly caution?: number | undefined;
}

/**
 * Ski rental: what lies in the context pays rent, its reading in every request. Rent counts from the request on in which
 * something stopped being worth it (`dueAge`). Once that of everything behind a place is a multiple of what it costs to
 * write what follows the place again, all of it goes; at once when the cache is cold, and under pressure. No guess of how
 * long the session goes on is needed, and only ratios of prices count. Costs one step for each candidate.
 */
export function decideRent(
  candidates: Candidates,
  context: PlanContext,
  options: RentOptions = {},
): Decision {
  const { keepRecent = 4, patience = 4, caution = 2 } = options;
  const isPressed = context.contextTokens >= context.limits.autocompactTokens;
  const cuts = cutsFrom(candidates, context, { keepRecent, caution, isPressed });
  const best = cuts.reduce((one, other) => (other.net > one.net ? other : one), NO_CUT);
  if (best.clear === 0)
    return nothing(candidates.list.length > 0 ? 'rent-not-due' : 'no-candidates');
  const isFree = !context.cache.warm;
  if (!isFree && !isPressed && best.rent < patience * best.rewrite) {
    return { ...nothing('rent-not-paid'), queued: best.candidate };
  }
  const clear = cuts.slice(0, best.clear).map(({ candidate }) => candidate as Candidate);
  return {
    clear: clear.reverse(),
    reason: isFree ? 'cold-cache' : isPressed ? 'pressure' : 'rent',
  };
}

/** Everything due from one candidate to the end, in units of price. */
interface Cut {
  readonly candidate?: Candidate;
  /** How many candidates go: those of the cuts up to this one. */
  readonly clear: number;
  /** What was paid for them since they were due. */
  readonly rent: number;
  /** What writing the rest of the prompt again costs more than reading it. */
  readonly rewrite: number;
  /** What is saved if the session goes on for as long as it has lasted, less the rewrite. */
  readonly net: number;
}

const NO_CUT: Cut = { clear: 0, rent: 0, rewrite: 0, net: 0 };

interface CutOptions {
  readonly keepRecent: number;
  readonly caution: number;
  readonly isPressed: boolean;
}

/** One cut for each candidate that may go and is due, newest first. */
function cutsFrom(
  candidates: Candidates,
  { prices, contextTokens, cache }: PlanContext,
  { keepRecent, caution, isPressed }: CutOptions,
): readonly Cut[] {
  const { list, all = list, requests, tailTokens } = candidates;
  const reachable = all === list ? undefined : new Set(list);
  const { read } = prices;
  const cuts: Cut[] = [];
  let [behind, rent, freed] = [tailTokens, 0, 0];
  for (let at = all.length - 1; at >= 0; at--) {
    const candidate = all[at] as Candidate;
    behind += candidate.tokens;
    const overdue =
      requests - candidate.addedAt - dueAge(candidate, { prices, contextTokens, caution });
    const isDue = overdue >= 0 || isPressed;
    const mayGo = reachable === undefined || reachable.has(candidate);
    if (isDue && mayGo && !isHeld(candidates, candidate, keepRecent)) {
      const saved = candidate.tokens - candidate.clearedTokens;
      freed += saved;
      rent += read * saved * Math.max(0, overdue);
      const rewrite = cache.warm ? Math.max(0, prices.write - read) * (behind - freed) : 0;
      const net = read * freed * requests - rewrite;
      cuts.push({ candidate, clear: cuts.length + 1, rent, rewrite, net });
    }
    behind += candidate.gapTokens;
  }
  return cuts;
}

/** What was fetched again is treated as anything else: it ages anew, so that it cannot come and go in a circle. */
function isHeld(candidates: Candidates, candidate: Candidate, keepRecent: number): boolean {
  const protection = candidates.protectionOf(candidate, keepRecent);
  return protection !== undefined && protection !== 'repeated-call';
}
