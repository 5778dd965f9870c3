import type { Block, StopReason, Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import { readBlocks } from './block-fields.ts';
import { type JsonRecord, textOf, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';

export const STOP_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['toolUse', 'tool_use'],
  ['length', 'max_tokens'],
  ['aborted', 'aborted'],
  ['error', 'error'],
]);

/** Blocks of a message's content; text alone is one block. */
export function blocksOf(content: unknown): Block[] {
  return readBlocks(content, blockOf);
}

function blockOf(block: JsonRecord): Block {
  if (block.type === 'toolCall') {
    const { type: _, id, name, arguments: input, partialJson: __, ...rest } = block;
    return { ...rest, type: 'tool_use', id: wordsOf(id), name: wordsOf(name), input };
  }
  if (block.type === 'thinking') {
    const signature = textOf(block.thinkingSignature) ?? NO_SIGNATURE;
    return { type: 'thinking', thinking: wordsOf(block.thinking), signature };
  }
  if (block.type === 'image') {
    const source = { type: 'base64', media_type: block.mimeType, data: block.data };
    return { type: 'image', source };
  }
  return block.type === 'text'
    ? { type: 'text', text: wordsOf(block.text) }
    : { ...block, type: wordsOf(block.type) };
}

/** The result that a `toolResult` message holds. */
export function resultOf(message: JsonRecord) {
  const isError = message.isError === true ? { is_error: true } : {};
  const tool_use_id = wordsOf(message.toolCallId);
  return {
    type: 'tool_result',
    tool_use_id,
    content: blocksOf(message.content),
    ...isError,
  } as const;
}

/** A command that the user ran, in words for the model. */
export function commandText(message: JsonRecord): string {
  return `The user ran \`${wordsOf(message.command)}\`:\n${wordsOf(message.output)}`;
}

const BILL = { always: ['input', 'output'], others: ['cacheWrite', 'cacheRead'] };

/** pi counts input without what was read from or written to the cache. */
export function usageOf(usage: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(usage, BILL, place);
  if (bill === undefined) return undefined;
  return {
    input_tokens: bill.count('input') ?? 0,
    output_tokens: bill.count('output') ?? 0,
    cache_creation_input_tokens: bill.count('cacheWrite') ?? 0,
    cache_read_input_tokens: bill.count('cacheRead') ?? 0,
    provider_usage: bill.fields,
  };
}
