import type { Block } from '@varve/messages';
import type { SummaryReply } from '../types.ts';

/** Why a provider's answer holds no compaction; `nothing-to-answer`: it was not asked, because its block would be the end. */
export type ProviderRefusal =
  | 'nothing-to-answer'
  | 'null-block'
  | 'no-block'
  | 'ambiguous-blocks'
  | 'cut-summary'
  | 'prompt-too-long'
  | 'tool-call'
  | 'refused';

export type ReadBlock =
  | { readonly kind: 'block'; readonly block: Block }
  | { readonly kind: 'refused'; readonly reason: ProviderRefusal };

/**
 * The compaction block of an answer, the same object that the provider sent: it may only go back byte for byte. A block
 * without content is a failed compaction.
 */
export function readBlock({ content, stopReason }: SummaryReply): ReadBlock {
  const blocks = content.filter(({ type }) => type === 'compaction');
  const [block] = blocks;
  if (blocks.length > 1) return { kind: 'refused', reason: 'ambiguous-blocks' };
  if (block === undefined) return { kind: 'refused', reason: reasonOf(stopReason) };
  if (isNullBlock(block)) return { kind: 'refused', reason: 'null-block' };
  return { kind: 'block', block };
}

/** Anthropic says that it failed by `content: null`; OpenAI's block has `encrypted_content` alone. */
export function isNullBlock(block: Block): boolean {
  const { content, encrypted_content: encrypted } = block as Readonly<Record<string, unknown>>;
  return 'content' in block ? typeof content !== 'string' || content === '' : !encrypted;
}

function reasonOf(stopReason: SummaryReply['stopReason']): ProviderRefusal {
  switch (stopReason) {
    case 'max_tokens':
      return 'cut-summary';
    case 'model_context_window_exceeded':
      return 'prompt-too-long';
    case 'tool_use':
      return 'tool-call';
    case 'refusal':
      return 'refused';
    default:
      return 'no-block';
  }
}
