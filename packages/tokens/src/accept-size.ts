/** What stands in place of something may have so many tokens. */
export interface SizeBounds {
  /** Tokens of what it stands for. */
  readonly ofTokens: number;
  /** The share of them that has to be saved at least, from 0 to 1. */
  readonly minSavings: number;
  /** It has to have less than these, e.g. those of the window. @default no bound */
  readonly belowTokens?: number | undefined;
}

/** Whether a size is accepted; `roomTokens` is how much more it may have, below 0 where it is refused. */
export type SizeVerdict =
  | { readonly kind: 'accepted'; readonly roomTokens: number }
  | {
      readonly kind: 'refused';
      /** `still-too-large`: it is not below its bound; `not-smaller`: it saves too little. */
      readonly reason: 'still-too-large' | 'not-smaller';
      readonly roomTokens: number;
    };

/** Judges the size of a summary, or of a conversation with one, whoever wrote it: it saves enough and fits. */
export function acceptSize(
  tokens: number,
  { ofTokens, minSavings, belowTokens = Number.POSITIVE_INFINITY }: SizeBounds,
): SizeVerdict {
  const most = ofTokens * (1 - minSavings);
  const roomTokens = Math.min(Math.max(0, belowTokens - 1), Math.floor(most)) - tokens;
  if (tokens >= belowTokens) return { kind: 'refused', reason: 'still-too-large', roomTokens };
  if (tokens > most) return { kind: 'refused', reason: 'not-smaller', roomTokens };
  return { kind: 'accepted', roomTokens };
}
