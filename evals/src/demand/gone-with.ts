import { isRecord } from '@varve/guards';
import { type Block, isToolUse } from '@varve/messages';

/** What of a block goes when it is cleared: of a call only long values. */
export function goneWith(block: Block): Block {
  if (!isToolUse(block)) return block;
  return { ...block, input: longValues(block.input) as Record<string, unknown> } as Block;
}

/** As long as a clearing leaves a value of a call. */
const KEPT_CHARACTERS = 200;

function longValues(value: unknown): unknown {
  if (typeof value === 'string') return value.length > KEPT_CHARACTERS ? value : '';
  if (Array.isArray(value)) return value.map(longValues);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, longValues(each)]));
}
