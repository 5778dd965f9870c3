import { acceptSize } from '@varve/tokens/limits';
import { type Situation, wholeBounds } from './situation.ts';

/**
 * Tokens that a summary may have beside so many kept ones without another compaction at once. In a window so small that it is
 * always over the threshold of compaction, half of it counts: an empty summary would be the price otherwise.
 */
export function roomTokens(situation: RoomSource, keptTokens: number): number {
  return goalTokens(situation) - situation.overheadTokens - situation.restTokens - keptTokens;
}

/** Tokens that a summary may have beside so many kept ones, so that the next request is smaller by enough. */
export const savingRoom = (
  situation: RoomSource & Pick<Situation, 'tokensBefore'>,
  keptTokens: number,
  minSavings: number,
): number =>
  acceptSize(
    situation.overheadTokens + situation.restTokens + keptTokens,
    wholeBounds(situation, minSavings),
  ).roomTokens;

type RoomSource = Pick<
  Situation,
  'autocompactTokens' | 'effectiveTokens' | 'overheadTokens' | 'restTokens'
>;

/** What the next request should stay under, in tokens. */
export const goalTokens = ({
  autocompactTokens,
  effectiveTokens,
}: Pick<RoomSource, 'autocompactTokens' | 'effectiveTokens'>): number =>
  Math.max(autocompactTokens, effectiveTokens / 2);
