import type { Candidate, Candidates } from '../candidate.ts';
import { NEED_WEIGHTS } from '../need-weights.ts';
import { dueAge, fetchPrice, type Upkeep } from './due-age.ts';

/**
 * For how many requests something has been due: its reading in as many requests as the chance is told for costs more than the chance
 * that one of them needs it, times what bringing it back costs. Below 0 where it is not due now. What was due and is not any more
 * starts anew.
 */
export function overdueByNeed(
  candidate: Candidate,
  { requests, needs }: Pick<Candidates, 'requests' | 'needs'>,
  upkeep: Upkeep,
): number {
  const { kind, tokens, clearedTokens, addedAt } = candidate;
  if (kind === 'thinking' || needs === undefined) {
    return requests - addedAt - dueAge(candidate, upkeep);
  }
  const { prices, caution } = upkeep;
  const keeping = prices.read * (tokens - clearedTokens) * NEED_WEIGHTS.horizonRequests;
  const chance = keeping / (caution * fetchPrice(tokens, upkeep));
  if (needs.chanceOf(candidate) >= chance) return -1;
  return requests - Math.max(addedAt, needs.lastAtLeast(candidate, chance));
}
