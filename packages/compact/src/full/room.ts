import type { Situation } from './situation.ts';

/**
 * Tokens that a summary may have beside so many kept ones without another compaction at once. In a window so small that it is
 * always over the threshold of compaction, half of it counts: an empty summary would be the price otherwise.
 */
export function roomTokens(situation: RoomSource, keptTokens: number): number {
  return goalTokens(situation) - situation.overheadTokens - keptTokens;
}

type RoomSource = Pick<Situation, 'autocompactTokens' | 'effectiveTokens' | 'overheadTokens'>;

/** What the next request should stay under, in tokens. */
export const goalTokens = ({
  autocompactTokens,
  effectiveTokens,
}: Pick<RoomSource, 'autocompactTokens' | 'effectiveTokens'>): number =>
  Math.max(autocompactTokens, effectiveTokens / 2);
