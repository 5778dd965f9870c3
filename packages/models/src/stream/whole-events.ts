import { textOf } from '@varve/guards';
import { type Block, isText, isThinking, isToolUse } from '@varve/messages';
import type { ModelEvent } from '../types.ts';

/** The events of a block that arrived whole: each kind of delta once. */
export function blockEvents(index: number, block: Block): ModelEvent[] {
  return [blockStart(index, block), ...deltaOf(index, block), { type: 'block-end', index, block }];
}

export function blockStart(index: number, block: Block): ModelEvent {
  const call = isToolUse(block) ? { id: block.id, name: block.name } : {};
  return { type: 'block-start', index, blockType: block.type, ...call };
}

function deltaOf(index: number, block: Block): ModelEvent[] {
  if (isText(block)) return [{ type: 'text-delta', index, text: block.text }];
  if (isThinking(block)) {
    const text = textOf(block.thinking);
    return text === '' ? [] : [{ type: 'thinking-delta', index, text }];
  }
  if (!isToolUse(block)) return [];
  return [{ type: 'input-delta', index, json: JSON.stringify(block.input) ?? '{}' }];
}
