import type { Block } from '@varve/messages';
import { isText, isToolResult } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { blocksOf as anyBlocksOf } from '@varve/messages/blocks';
import { isSummary as isAnySummary } from '@varve/messages/persons';

/** Facts about anybody's messages: those of the Messages API, and ours with an `origin`. */
const blocksOf = (message: MessageLike): readonly Block[] =>
  anyBlocksOf(message) as readonly Block[];

type WithOrigin = { readonly origin?: { readonly kind?: string; readonly by?: unknown } };

export const bringsResults = (message: MessageLike): boolean =>
  blocksOf(message).some(isToolResult);

/** Written by a compaction. What stands for a collapsed stretch stands among the rest, and is none. */
export const isSummary = (message: MessageLike): boolean =>
  isAnySummary(message) && !isCollapse(message);

export const isCollapse = (message: MessageLike): boolean =>
  (message as WithOrigin).origin?.by === 'collapse';

export const hasText = (message: MessageLike): boolean =>
  blocksOf(message).some((block) => isText(block) && block.text.trim() !== '');
