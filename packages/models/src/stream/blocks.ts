import { type Fields, listOf, textOf } from '@varve/guards';
import type { Block, StopReason } from '@varve/messages';
import type { CutCall, ModelEvent } from '../types.ts';
import { wellFormedBlock } from './well-formed-block.ts';
import { blockStart } from './whole-events.ts';

interface OpenBlock {
  readonly index: number;
  block: Block;
  /** The input of a call as it arrives. */
  json: string;
}

/**
 * Assembles blocks from their deltas. A block is out only once it is whole; a call whose input is no JSON waits for the
 * stop reason: cut by a limit it never becomes a block, else it is the model's own mistake and keeps its text as input.
 */
export function createBlocks() {
  const open = new Map<unknown, OpenBlock>();
  const done = new Map<number, Block>();
  const unreadable: OpenBlock[] = [];
  let started = 0;
  let cutCall: CutCall | undefined;

  const finish = (index: number, given: Block): ModelEvent[] => {
    const block = wellFormedBlock(given);
    done.set(index, block);
    return [{ type: 'block-end', index, block }];
  };
  const stop = (key: unknown): ModelEvent[] => {
    const found = open.get(key);
    open.delete(key);
    if (!found) return [];
    const { index, block, json } = found;
    if (json === '') return finish(index, block);
    const input = readJson(json);
    if (input) return finish(index, { ...block, input: input.value });
    unreadable.push(found);
    return [];
  };
  return {
    start(key: unknown, block: Block): ModelEvent[] {
      const index = started++;
      open.set(key, { index, block, json: '' });
      return [blockStart(index, block), ...given(index, block)];
    },
    delta(key: unknown, delta: Fields): ModelEvent[] {
      const found = open.get(key);
      return found ? applyDelta(found, delta) : [];
    },
    stop,
    settle(stopReason: StopReason): ModelEvent[] {
      const events = [...open.keys()].flatMap(stop);
      for (const { index, block, json } of unreadable) {
        if (stopReason === 'tool_use') events.push(...finish(index, { ...block, input: json }));
        else cutCall = { id: textOf(block.id), name: textOf(block.name), json };
      }
      return events;
    },
    result() {
      const inOrder = [...done].sort(([left], [right]) => left - right);
      return { content: inOrder.map(([, block]) => block), ...(cutCall && { cutCall }) };
    },
  };
}

/** Text that came with the start of its block. */
function given(index: number, block: Block): ModelEvent[] {
  const text = textOf(block.text);
  if (block.type === 'text' && text !== '') return [{ type: 'text-delta', index, text }];
  const thinking = textOf(block.thinking);
  return thinking === '' ? [] : [{ type: 'thinking-delta', index, text: thinking }];
}

function applyDelta(open: OpenBlock, { type, ...fields }: Fields): ModelEvent[] {
  const { index, block } = open;
  switch (type) {
    case 'text_delta': {
      const text = textOf(fields.text);
      open.block = { ...block, text: textOf(block.text) + text };
      return [{ type: 'text-delta', index, text }];
    }
    case 'thinking_delta': {
      const text = textOf(fields.thinking);
      open.block = { ...block, thinking: textOf(block.thinking) + text };
      return [{ type: 'thinking-delta', index, text }];
    }
    case 'input_json_delta': {
      const json = textOf(fields.partial_json);
      open.json += json;
      return json === '' ? [] : [{ type: 'input-delta', index, json }];
    }
    case 'citations_delta':
      open.block = { ...block, citations: [...listOf(block.citations), fields.citation] };
      return [];
    default:
      // signatures, compaction blocks and what is new carry final values
      open.block = { ...block, ...fields };
      return [];
  }
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
