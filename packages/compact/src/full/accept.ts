import type { Situation } from './situation.ts';

type Sizes = Pick<Situation, 'tokensBefore' | 'effectiveTokens'>;

/** Whether what stands in place of so many tokens saves enough of them. */
export const savesEnough = (tokens: number, ofTokens: number, minSavings: number): boolean =>
  tokens <= ofTokens * (1 - minSavings);

/** The most that a compaction may leave, in tokens: it saves enough of what the next request had, and fits the window. */
export const mostTokensAfter = (
  { tokensBefore, effectiveTokens }: Sizes,
  minSavings: number,
): number =>
  Math.min(Math.max(0, effectiveTokens - 1), Math.floor(tokensBefore * (1 - minSavings)));

/** Why a conversation that would have so many tokens is not worth its compaction; undefined where it is. */
export function refusalOf(
  tokensAfter: number,
  sizes: Sizes,
  minSavings: number,
): 'still-too-large' | 'not-smaller' | undefined {
  if (tokensAfter >= sizes.effectiveTokens) return 'still-too-large';
  return tokensAfter > mostTokensAfter(sizes, minSavings) ? 'not-smaller' : undefined;
}
