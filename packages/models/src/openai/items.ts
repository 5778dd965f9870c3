import { type Fields, recordOf, textOf } from '@varve/guards';
import { type Block, isToolUse, type StopReason } from '@varve/messages';
import { fromOpenAIResponses, type Loss } from '@varve/messages/convert';
import { wellFormedBlock } from '../stream/well-formed-block.ts';
import { blockEvents } from '../stream/whole-events.ts';
import type { CutCall, ModelEvent } from '../types.ts';
import { argumentsText } from './tools.ts';

/**
 * Assembles output items into blocks. A block is taken from its finished item, never from deltas; a call whose arguments
 * are no JSON waits for the stop reason, as it may have been cut.
 */
export function createItems(onLosses: OnLosses | undefined) {
  const slots = createSlots();
  const blocks: Placed[] = [];
  const unreadable: Placed[] = [];
  const finished = new Set<unknown>();
  let cutCall: CutCall | undefined;
  const finish = (placed: Placed): ModelEvent => {
    blocks.push(placed);
    return { type: 'block-end', index: placed.index, block: placed.block };
  };
  return {
    ...createDeltaReaders(slots),
    done(output: unknown, value: unknown): ModelEvent[] {
      finished.add(output);
      return readItem(value, onLosses).flatMap((given, part) => {
        const block = wellFormedBlock(given);
        const { index, order, isNew } = slots.find(output, part);
        const placed = { index, order, block };
        if (isToolUse(block) && typeof block.input === 'string') {
          unreadable.push(placed);
          return [];
        }
        const events = isNew ? blockEvents(index, block).slice(0, -1) : [];
        return [...events, finish(placed)];
      });
    },
    settle(stopReason: StopReason): ModelEvent[] {
      return unreadable.splice(0).flatMap((placed) => {
        if (stopReason === 'tool_use') return [finish(placed)];
        const { id, name, input } = placed.block;
        cutCall = { id: textOf(id), name: textOf(name), json: textOf(input) };
        return [];
      });
    },
    isFinished: (output: unknown) => finished.has(output),
    hasUnreadable: () => unreadable.length > 0,
    result() {
      const inOrder = blocks.toSorted((left, right) => left.order - right.order);
      return { content: inOrder.map(({ block }) => block), ...(cutCall && { cutCall }) };
    },
  };
}

type OnLosses = (losses: readonly Loss[]) => void;

interface Placed {
  /** As events number it: in the order in which blocks began. */
  readonly index: number;
  /** As the provider places it. */
  readonly order: number;
  readonly block: Block;
}

/** Numbers the parts of items in the order in which they are first heard of. */
function createSlots() {
  const slots = new Map<number, number>();
  const find = (output: unknown, part: unknown = 0) => {
    const order = Number(output) * PARTS + Number(part);
    const isNew = !slots.has(order);
    const index = slots.get(order) ?? slots.size;
    slots.set(order, index);
    return { index, order, isNew };
  };
  return {
    find,
    begin(output: unknown, part: unknown, start: Omit<Start, 'type' | 'index'>) {
      const { index, isNew } = find(output, part);
      const events: ModelEvent[] = isNew ? [{ type: 'block-start', index, ...start }] : [];
      return { index, events };
    },
  };
}

/** Events of what is on its way; blocks are not made of them. */
function createDeltaReaders({ begin }: ReturnType<typeof createSlots>) {
  return {
    added(output: unknown, value: unknown): ModelEvent[] {
      const { type, call_id: id, name } = recordOf(value);
      // a message begins with its first part
      if (type === 'message') return [];
      const isCall = type === 'function_call';
      const call = { blockType: 'tool_use', id: textOf(id), name: textOf(name) };
      return begin(output, 0, isCall ? call : { blockType: textOf(type) }).events;
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
  };
}

type Start = Extract<ModelEvent, { type: 'block-start' }>;

/** More parts than any message has. */
const PARTS = 100_000;

function readItem(value: unknown, onLosses: OnLosses | undefined): readonly Block[] {
  const { arguments: json, ...fields } = recordOf(value);
  const item =
    fields.type === 'function_call'
      ? { ...fields, arguments: argumentsText(json) }
      : recordOf(value);
  const { messages, losses } = fromOpenAIResponses([
    item as Parameters<typeof fromOpenAIResponses>[0][number],
  ]);
  if (losses.length > 0) onLosses?.(losses);
  const content = messages[0]?.content ?? [];
  // a call without arguments is not one that was cut
  return fields.type === 'function_call' && argumentsText(json) === ''
    ? content.map((block) => ({ ...block, input: {} }))
    : content;
}
