import { type Block, isText, isToolResult } from '@varve/messages';
import type { Candidate, Candidates } from './candidate.ts';
import { type Decision, nothing } from './decision-types.ts';

/** Sizes in tokens. */
export interface CountOptions {
  /**
   * Newest clearable results that stay.
   * @default 3
   */
  readonly keepRecent?: number | undefined;
  /**
   * Only what is larger is cleared.
   * @default 1_000
   */
  readonly candidateTokens?: number | undefined;
  /**
   * Nothing is cleared before so much can go at once. 0 switches the floor off: then everything with more than 120
   * characters of text is cleared.
   * @default 20_000
   */
  readonly minSavingsTokens?: number | undefined;
  /**
   * Nor before so many can go at once, so that the cached prefix breaks rarely.
   * @default 1 with a floor, 8 without
   */
  readonly minBatch?: number | undefined;
}

/** Clears everything old and large at once, as soon as it is worth breaking the cached prefix for. */
export function decideByCount(candidates: Candidates, options: CountOptions = {}): Decision {
  const { keepRecent = 3, candidateTokens = 1_000, minSavingsTokens = 20_000 } = options;
  const hasFloor = minSavingsTokens > 0;
  const { minBatch = hasFloor ? 1 : UNFLOORED_BATCH } = options;
  // Cheap: what is known without looking at any candidate, or even at what is new. That is read from half the floor on, so
  // that the turn which clears does not read all of it.
  const isBelow = () =>
    candidates.largeTokensAtMost < minSavingsTokens / 2 ||
    candidates.largeTokens < minSavingsTokens;
  if (hasFloor && isBelow()) return nothing('below-savings-floor');
  const isLarge = (candidate: Candidate) =>
    hasFloor ? candidate.tokens > candidateTokens : textLength(candidate.block) > MIN_CHARACTERS;
  const clear = candidates.list.filter(
    (candidate) => isLarge(candidate) && !candidates.protectionOf(candidate, keepRecent),
  );
  const tokens = clear.reduce((sum, candidate) => sum + candidate.tokens, 0);
  if (tokens < minSavingsTokens) return nothing('below-savings-floor');
  if (clear.length < Math.max(1, minBatch)) return nothing('below-batch');
  return { clear, reason: 'count' };
}

const MIN_CHARACTERS = 120;
const UNFLOORED_BATCH = 8;

/** UTF-16 units of the text in a block; of an input, of its JSON. */
function textLength(block: Block): number {
  if (isText(block)) return block.text.length;
  if (!isToolResult(block)) return (JSON.stringify(block.input ?? block) ?? '').length;
  const { content } = block;
  if (content === undefined || typeof content === 'string') return content?.length ?? 0;
  return content.reduce((sum, inner) => sum + (isText(inner) ? inner.text.length : 0), 0);
}
