import type { PlanContext } from '@varve/messages';
import type { Candidate, Candidates } from '../candidate.ts';
import { dueAge } from './due-age.ts';
import { overdueByNeed } from './due-by-need.ts';

/** Everything that may go from one candidate to the end. Money in units of price. */
export interface ClearingPlace {
  readonly candidate: Candidate;
  /** Tokens. */
  readonly freed: number;
  /** What was paid for it since it was due. */
  readonly rent: number;
  /** What writing the rest of the prompt again costs more than reading it. */
  readonly rewrite: number;
  /** What is saved if the session goes on for as long as it has lasted, less the rewrite. */
  readonly net: number;
}

export interface ClearingPlaceOptions {
  readonly by: 'age' | 'need';
  readonly keepRecent: number;
  readonly caution: number;
  /** Whether what is not due may go as well. */
  readonly all: boolean;
}

/** One place for each candidate that may go, newest first, so that the first so many are what the last of them clears. */
export function clearingPlaces(
  candidates: Candidates,
  { prices, contextTokens, cache }: PlanContext,
  { by, keepRecent, caution, all: takesAll }: ClearingPlaceOptions,
): readonly ClearingPlace[] {
  const { list, all = list, requests, tailTokens } = candidates;
  const reachable = all === list ? undefined : new Set(list);
  const dearer = cache.warm ? Math.max(0, prices.write - prices.read) : 0;
  const cuts: ClearingPlace[] = [];
  const cachedTo = by === 'need' ? lastCached(cache) : Number.POSITIVE_INFINITY;
  const last = all.at(-1);
  /** Of what the cache holds: tokens behind a candidate, and those that go of them. */
  let [behind, gone] = [last && last.messageIndex < cachedTo ? tailTokens : 0, 0];
  let [rent, freed] = [0, 0];
  for (let at = all.length - 1; at >= 0; at--) {
    const candidate = all[at] as Candidate;
    const { tokens, clearedTokens, addedAt, gapTokens, messageIndex } = candidate;
    const isCached = messageIndex <= cachedTo;
    if (isCached) behind += tokens;
    const upkeep = { prices, contextTokens, caution };
    const overdue =
      by === 'need'
        ? overdueByNeed(candidate, candidates, upkeep)
        : requests - addedAt - dueAge(candidate, upkeep);
    const mayGo = (takesAll || overdue >= 0) && (reachable?.has(candidate) ?? true);
    if (mayGo && !isHeld(candidates, candidate, keepRecent)) {
      const saved = tokens - clearedTokens;
      freed += saved;
      if (isCached) gone += saved;
      rent += prices.read * saved * Math.max(0, overdue);
      const rewrite = dearer * (behind - gone);
      cuts.push({ candidate, freed, rent, rewrite, net: prices.read * freed * requests - rewrite });
    }
    if (isCached) behind += gapTokens;
  }
  return cuts;
}

/** The last message that is still cached: what stands behind it is written anyway. */
const lastCached = ({ markers }: PlanContext['cache']): number =>
  markers.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...markers);

/** What was fetched again is treated as anything else: it ages anew, so that it cannot come and go in a circle. */
function isHeld(candidates: Candidates, candidate: Candidate, keepRecent: number): boolean {
  const protection = candidates.protectionOf(candidate, keepRecent);
  if (protection !== 'repeated-call') return protection !== undefined;
  return candidate.ordinal >= candidates.results - keepRecent;
}
