import {
  type Block,
  isToolResult,
  isToolUse,
  type Message,
  type ToolUseBlock,
} from '@varve/messages';
import { remember } from './remember.ts';
import type { ClearToolUsesEdit } from './server-edits.ts';

/** A block and where it stands. */
interface PlacedBlock {
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly block: Block;
}

/** A replaced block beside the one it stands for. */
export interface ReplacedBlock extends PlacedBlock {
  readonly replacement: Block;
}

export interface ToolPair {
  readonly use: PlacedBlock & { readonly block: ToolUseBlock };
  readonly result: PlacedBlock;
}

/** What a server puts in place of a cleared result. The provider does not publish its own words. */
const CLEARED_RESULT = '[tool result cleared]';

/** Tool uses with their results, oldest first. An id that is used again belongs to its latest use. */
export function toolPairs(messages: readonly Message[]): readonly ToolPair[] {
  const waiting = new Map<string, ToolPair['use']>();
  const pairs: ToolPair[] = [];
  messages.forEach(({ content }, messageIndex) => {
    content.forEach((block, blockIndex) => {
      const place = { messageIndex, blockIndex };
      if (isToolUse(block)) waiting.set(block.id, { ...place, block });
      if (!isToolResult(block)) return;
      const use = waiting.get(block.tool_use_id);
      waiting.delete(block.tool_use_id);
      if (use) pairs.push({ use, result: { ...place, block } });
    });
  });
  return pairs;
}

/** The blocks an edit replaces: results, and inputs if it says so, of all but the newest and the excluded tools. */
export function blocksToClear(
  pairs: readonly ToolPair[],
  edit: ClearToolUsesEdit,
): readonly ReplacedBlock[] {
  const old = pairs.slice(0, Math.max(0, pairs.length - edit.keepToolUses));
  return old
    .filter(({ use }) => !edit.excludeTools.includes(use.block.name))
    .flatMap(({ use, result }) => [
      ...(clearsInput(use.block, edit) ? [{ ...use, replacement: withoutInput(use.block) }] : []),
      { ...result, replacement: withoutResult(result.block) },
    ]);
}

// The same object each time, because blocks are counted by reference.
const withoutInput = remember((block: Block): Block => ({ ...block, input: {} }));
const withoutResult = remember((block: Block): Block => ({ ...block, content: CLEARED_RESULT }));

function clearsInput({ name }: ToolUseBlock, { clearInputs }: ClearToolUsesEdit): boolean {
  return typeof clearInputs === 'boolean' ? clearInputs : clearInputs.includes(name);
}
