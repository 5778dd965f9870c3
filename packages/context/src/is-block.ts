import { isRecord } from '@varve/guards';
import type { Block } from '@varve/messages';

/** Whether it has what every block has: a type, and text where that is its type. */
export function isBlock(value: unknown): value is Block {
  if (!isRecord(value)) return false;
  const { type, text } = value as { readonly type?: unknown; readonly text?: unknown };
  if (typeof type !== 'string' || type === '') return false;
  return type !== 'text' || typeof text === 'string';
}

export const isBlocks = (value: unknown): value is readonly Block[] =>
  Array.isArray(value) && value.every(isBlock);
