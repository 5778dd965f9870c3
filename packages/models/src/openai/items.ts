import {
  type Block,
  fromOpenAIResponses,
  isToolUse,
  type Loss,
  type OpenAIResponsesItemLike,
  type StopReason,
} from '@varve/messages';
import { type Fields, recordOf, textOf } from '../fields.ts';
import { blockEvents } from '../stream/whole-events.ts';
import type { CutCall, ModelEvent } from '../types.ts';

/**
 * Assembles output items into blocks. A block is taken from its finished item, never from deltas; a call whose arguments
 * are no JSON waits for the stop reason, as it may have been cut.
 */
export function createItems(onLosses: ((losses: readonly Loss[]) => void) | undefined) {
  const slots = new Map<string, { readonly index: number; readonly order: number }>();
  const blocks = new Map<number, { readonly order: number; readonly block: Block }>();
  const unreadable: { readonly index: number; readonly order: number; readonly block: Block }[] =
    [];
  let isEmpty = true;
  let cutCall: CutCall | undefined;
  const slotOf = (output: unknown, part: unknown = 0) => {
    const key = `${output} ${part}`;
    const order = Number(output) * PARTS + Number(part);
    const isNew = !slots.has(key);
    const slot = slots.get(key) ?? { index: slots.size, order };
    slots.set(key, slot);
    return { ...slot, isNew };
  };
  const begin = (output: unknown, part: unknown, start: Omit<Start, 'type' | 'index'>) => {
    const { index, isNew } = slotOf(output, part);
    const events: ModelEvent[] = isNew ? [{ type: 'block-start', index, ...start }] : [];
    return { index, events };
  };
  const finish = (index: number, order: number, block: Block): ModelEvent => {
    blocks.set(index, { order, block });
    return { type: 'block-end', index, block };
  };
  return {
    added(output: unknown, value: unknown): ModelEvent[] {
      const { type, call_id: id, name } = recordOf(value);
      if (type === 'message') return [];
      const isCall = type === 'function_call';
      const start = isCall
        ? { blockType: 'tool_use', id: textOf(id), name: textOf(name) }
        : { blockType: textOf(type) };
      return begin(output, 0, start).events;
    },
    text(type: 'text-delta' | 'thinking-delta', event: Fields): ModelEvent[] {
      const part = type === 'text-delta' ? (event.content_index ?? 0) : 0;
      const start = { blockType: type === 'text-delta' ? 'text' : 'reasoning' };
      const { index, events } = begin(event.output_index, part, start);
      return [...events, { type, index, text: textOf(event.delta) }];
    },
    input(event: Fields): ModelEvent[] {
      const { index, events } = begin(event.output_index, 0, { blockType: 'tool_use' });
      return [...events, { type: 'input-delta', index, json: textOf(event.delta) }];
    },
    done(output: unknown, value: unknown): ModelEvent[] {
      isEmpty = false;
      return readItem(value, onLosses).flatMap((block, part) => {
        const { index, order, isNew } = slotOf(output, part);
        if (isToolUse(block) && typeof block.input === 'string') {
          unreadable.push({ index, order, block });
          return [];
        }
        const events = isNew ? blockEvents(index, block).slice(0, -1) : [];
        return [...events, finish(index, order, block)];
      });
    },
    settle(stopReason: StopReason): ModelEvent[] {
      return unreadable.splice(0).flatMap(({ index, order, block }) => {
        if (stopReason === 'tool_use') return [finish(index, order, block)];
        cutCall = { id: textOf(block.id), name: textOf(block.name), json: textOf(block.input) };
        return [];
      });
    },
    isEmpty: () => isEmpty,
    hasUnreadable: () => unreadable.length > 0,
    result() {
      const inOrder = [...blocks.values()].sort((left, right) => left.order - right.order);
      return { content: inOrder.map(({ block }) => block), ...(cutCall && { cutCall }) };
    },
  };
}

type Start = Extract<ModelEvent, { type: 'block-start' }>;

/** More parts than any message has. */
const PARTS = 100_000;

function readItem(
  value: unknown,
  onLosses: ((losses: readonly Loss[]) => void) | undefined,
): readonly Block[] {
  const item = recordOf(value);
  const { messages, losses } = fromOpenAIResponses([item as OpenAIResponsesItemLike]);
  if (losses.length > 0) onLosses?.(losses);
  const content = messages[0]?.content ?? [];
  // a call without arguments is not one that was cut
  return item.type === 'function_call' && item.arguments === ''
    ? content.map((block) => ({ ...block, input: {} }))
    : content;
}
