import type { Block, Head, Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
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
