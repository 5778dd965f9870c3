import { isRecord } from '@varve/guards';
import type { Block } from '@varve/messages';
import { itemsOf, type JsonRecord, textOf } from './json.ts';

const STRING_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text']],
  ['thinking', ['thinking', 'signature']],
  ['redacted_thinking', ['data']],
  ['tool_use', ['id', 'name']],
  ['tool_result', ['tool_use_id']],
]);

/** A block with the fields that its type cannot do without. */
export function isBlock(value: unknown): value is JsonRecord & Block {
  if (!isRecord(value)) return false;
  const type = textOf(value.type);
  if (type === undefined) return false;
  return (STRING_FIELDS.get(type) ?? []).every((field) => typeof value[field] === 'string');
}

/**
 * The blocks of a message's content: a text is a block, an object what `read` makes of it. Anything else becomes a block
 * without a type: a message counts it as malformed, a result keeps it as JSON.
 */
export function readBlocks(content: unknown, read: (item: JsonRecord) => Block): Block[] {
  return itemsOf(content).map((item) => {
    if (typeof item === 'string') return { type: 'text', text: item };
    return isRecord(item) ? read(item) : { type: '', value: item };
  });
}
