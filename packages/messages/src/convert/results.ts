import { isRecord, recordOf } from '@varve/guards';
import { type BlockLike, field, type MessageLike, safeBlocksOf } from '../like.ts';
import type { Lose } from './conversion.ts';
import { hasOtherFields } from './fields.ts';

/**
 * The content of a result as text or as blocks of text and media, with what every format loses of it reported:
 * the mark of failure, unknown blocks (of a tool that was found the name stays), and the difference between no content and empty text. `is_error: false` is no
 * loss: without the mark a call has not failed.
 */
export function resultParts(
  block: BlockLike,
  index: number,
  lose: Lose,
): string | readonly BlockLike[] {
  if (field(block, 'is_error') === true) lose('result-error', index);
  if (hasOtherFields(block, RESULT_FIELDS)) lose('block-fields', index);
  const content = field(block, 'content');
  if (typeof content === 'string') return content;
  const parts = (Array.isArray(content) ? content : []).flatMap((part): readonly BlockLike[] => {
    const known = isRecord(part) && KNOWN.includes(part.type);
    if (!known) {
      lose('block', index);
      return foundTool(part);
    }
    if (part.type === 'text' && hasOtherFields(part, ['type', 'text'])) lose('block-fields', index);
    return [part as unknown as BlockLike];
  });
  if (parts.length > 0) return parts;
  lose('result-content', index);
  return '';
}

/** A tool that a search of Anthropic's found, as a text: a result of such blocks alone would say nothing. */
function foundTool(part: unknown): readonly BlockLike[] {
  const { type, tool_name: name } = recordOf(part);
  return type === 'tool_reference' && typeof name === 'string'
    ? [{ type: 'text', text: `Found the tool ${name}.` } as BlockLike]
    : [];
}

const RESULT_FIELDS = ['type', 'tool_use_id', 'content', 'is_error'];
const KNOWN: readonly unknown[] = ['text', 'image', 'document'];

/** Blocks that the other side puts last have to stand last, or their order is lost. */
export function checkOrder(
  message: MessageLike,
  isLast: (block: BlockLike) => boolean,
  lose: Lose,
) {
  const blocks = safeBlocksOf(message);
  const firstLast = blocks.findIndex(isLast);
  if (firstLast !== -1 && !blocks.slice(firstLast).every(isLast)) lose('block-order');
}

/** A message of results alone reads back together with the user message that follows it. */
export function mergesIntoResults(message: MessageLike, previous: MessageLike): boolean {
  if (message.role !== 'user' || previous.role !== 'user') return false;
  const before = safeBlocksOf(previous);
  return before.length > 0 && before.every((block) => block.type === 'tool_result');
}

/** A run of results and the user message behind it: what one of our user messages became. */
export function resultGroupEnd<In>(
  messages: readonly In[],
  start: number,
  {
    isResult,
    isUser,
  }: { readonly isResult: (message: In) => boolean; readonly isUser: (message: In) => boolean },
): number {
  let end = start;
  while (end < messages.length && isResult(messages[end] as In)) end++;
  if (end === start) return start + 1;
  return end < messages.length && isUser(messages[end] as In) ? end + 1 : end;
}
