import { type BlockLike, field, isBlank } from './like.ts';

/** What a result of a failed tool says that said nothing: Anthropic refuses one without text. Same bytes each time. */
export const NO_OUTPUT = '[The tool failed without any text output.]';

/** A block of text that says nothing, white space included: providers refuse it, inside a result too. */
export const isEmptyText = (block: BlockLike): boolean => {
  if (block.type !== 'text') return false;
  const text = field(block, 'text');
  return typeof text === 'string' && isBlank(text);
};

/** Whether a result is of a failed tool and its content says nothing. */
export function isSilentFailure(block: BlockLike): boolean {
  if (block.type !== 'tool_result' || field(block, 'is_error') !== true) return false;
  const content = field(block, 'content') ?? '';
  if (typeof content === 'string') return isBlank(content);
  return Array.isArray(content) && content.every(isEmptyText);
}
