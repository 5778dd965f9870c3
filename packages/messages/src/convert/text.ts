import { textOf } from '@varve/guards';
import { isThought } from '../guards.ts';
import { type BlockLike, field } from '../like.ts';
import type { Lose } from './conversion.ts';
import { hasOtherFields } from './fields.ts';

/** The text of a block as a list of one, or none with the loss reported: it is something else, or there is no text. */
export function carriedText(block: BlockLike, index: number, lose: Lose): readonly string[] {
  const text = block.type === 'text' ? textOf(field(block, 'text')) : '';
  if (text === '') {
    lose(isThought(block) ? 'thinking' : 'block', index);
    return [];
  }
  if (hasOtherFields(block, ['type', 'text'])) lose('block-fields', index);
  return [text];
}
