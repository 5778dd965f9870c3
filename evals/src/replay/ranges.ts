import { type Block, isText, type ToolResultBlock } from '@varve/messages';
import type { UnitIndex } from '../demand/unit-index.ts';

/** How a lost result comes back: `whole`, or only the lines around what is needed. */
export type Rereads = 'whole' | 'ranges';

export const REREADS = ['whole', 'ranges'] as const;

/**
 * What a tool that reads by line gives of a result: for each of `units` the first line that shows it, with 20 lines around
 * it. The result itself where a unit stands on no line alone, or where that would be no shorter.
 */
export function neededRanges(
  result: ToolResultBlock,
  units: readonly number[],
  index: UnitIndex,
): ToolResultBlock {
  const text = textOf(result);
  const lines = text.split('\n');
  const missing = new Set(units);
  const isKept = new Uint8Array(lines.length);
  for (const [at, line] of lines.entries()) {
    const found = index.unitsOf({ type: 'text', text: line });
    if (!found.filter((unit) => missing.delete(unit)).length) continue;
    isKept.fill(1, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  }
  const shown = ranges(lines, isKept);
  return missing.size > 0 || shown.length >= text.length ? result : { ...result, content: shown };
}

function ranges(lines: readonly string[], isKept: Uint8Array): string {
  const shown: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (!isKept[at]) continue;
    if (!isKept[at - 1]) shown.push(`[from line ${at + 1} of ${lines.length}]`);
    shown.push(line);
  }
  return shown.join('\n');
}

const textOf = ({ content = '' }: ToolResultBlock): string =>
  typeof content === 'string' ? content : content.map(blockText).join('\n');

const blockText = (block: Block): string => (isText(block) ? block.text : '');

/** A screen of code. */
const CONTEXT_LINES = 20;
