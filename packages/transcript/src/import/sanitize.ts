import {
  type Block,
  isMedia,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type ToolResultBlock,
} from '@varve/messages';
import type { ImportContext } from './context.ts';
import { isRecord } from './json.ts';

/** What an empty id is called: in call and result alike, so that they still pair. */
const UNNAMED = 'unnamed';

/**
 * Makes blocks that a log takes: no blank text, nothing that the role cannot hold, inputs of calls as objects, no empty
 * ids. Counts what it drops; a block that needs nothing keeps its reference.
 */
export function sanitizeBlocks(
  content: readonly Block[],
  role: 'user' | 'assistant',
  context: ImportContext,
): readonly Block[] {
  return content.flatMap((block) => {
    if (isText(block) && block.text.trim() === '') context.unused('blank-text-block');
    else if (role === 'user' ? isOfAssistant(block) : isOfUser(block)) {
      context.unused(`${role}-message/${block.type}-block`);
    } else return [isToolUse(block) ? sanitizeCall(block) : block];
    return [];
  });
}

const isOfAssistant = (block: Block): boolean => isThinking(block) || isToolUse(block);
const isOfUser = (block: Block): boolean => isToolResult(block) || isMedia(block);

function sanitizeCall(block: Extract<Block, { type: 'tool_use' }>): Block {
  const { id, name, input } = block;
  if (id !== '' && name !== '' && isRecord(input)) return block;
  const named = { ...block, id: id || UNNAMED, name: name || UNNAMED };
  return isRecord(input) ? named : { ...named, input: input === undefined ? {} : { input } };
}

/** Text inside a result must not be empty, and its id neither. */
export function sanitizeResult(block: ToolResultBlock, context: ImportContext): ToolResultBlock {
  const content: unknown = block.content;
  const named = block.tool_use_id === '' ? { ...block, tool_use_id: UNNAMED } : block;
  if (content === undefined || typeof content === 'string') return named;
  if (!Array.isArray(content)) return { ...named, content: JSON.stringify(content) };
  const kept = content.filter(
    (inner) => isRecord(inner) && !(inner.type === 'text' && inner.text === ''),
  );
  if (kept.length === content.length) return named;
  context.unused('blank-text-block', content.length - kept.length);
  return { ...named, content: kept };
}

/** Leaves out calls whose id the reply has already. */
export function dropRepeatedCalls(
  content: readonly Block[],
  before: readonly Block[],
  report: () => void,
): readonly Block[] {
  const ids = new Set(before.filter(isToolUse).map(({ id }) => id));
  return content.filter((block) => {
    if (!isToolUse(block)) return true;
    const isNew = !ids.has(block.id);
    ids.add(block.id);
    if (!isNew) report();
    return isNew;
  });
}
