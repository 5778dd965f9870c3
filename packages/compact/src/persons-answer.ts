import { type Block, isText, isToolResult } from '@varve/messages';
import { callStop } from '@varve/messages/persons';

/** A person refused or stopped the call, and may have said in the result what to do instead. */
export function isPersonsAnswer(block: Block): boolean {
  if (!isToolResult(block)) return false;
  const { content } = block;
  const [first] = Array.isArray(content) ? (content as readonly Block[]) : [];
  const text = first && isText(first) ? first.text : content;
  return typeof text === 'string' && callStop(text) !== undefined;
}
