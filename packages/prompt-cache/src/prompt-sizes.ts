import type { Block, Head, Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { PromptCacheError } from './error.ts';
import type { CachePolicy } from './policy.ts';

/** Tokens of the parts of a prompt; an estimator of `@varve/tokens` fits. Each part is asked for once. */
export interface PromptSizes {
  block(block: Block): number;
  message(message: Message): number;
  /** System prompt and tools. */
  head(head: Head): number;
}

/** Estimates for the tokenizer of a policy. */
export function estimatedSizes({ tokenizer }: CachePolicy): PromptSizes {
  return createEstimator({ family: tokenizer });
}

/** The same sizes; throws `invalid-size` for one that is no number of tokens, which would silently make the price one. */
export function checkedSizes(sizes: PromptSizes): PromptSizes {
  return {
    block: (block) => tokenCount(sizes.block(block), 'sizeOf.block'),
    message: (message) => tokenCount(sizes.message(message), 'sizeOf.message'),
    head: (head) => tokenCount(sizes.head(head), 'sizeOf.head'),
  };
}

/** The number itself. Throws `invalid-size` unless it is finite and not negative. */
export function tokenCount(tokens: number, name: string): number {
  if (Number.isFinite(tokens) && tokens >= 0) return tokens;
  throw new PromptCacheError(
    'invalid-size',
    `Expected \`${name}\` to be a number of tokens, 0 or more, got \`${tokens}\`.`,
  );
}
