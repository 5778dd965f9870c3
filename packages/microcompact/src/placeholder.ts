import { isRecord } from '@varve/guards';
import type { Block, ToolResultBlock, ToolUseBlock } from '@varve/messages';

const START = '[Output cleared';

/** Stands in place of a result that nothing stored: the tool has to run again. */
export const CLEARED_RESULT = `${START}. Run the tool again if needed.]`;

/** Stands in place of each long value of an old input. */
export const CLEARED_VALUE = '[Input cleared.]';

/** Inputs keep scalars and strings up to this many characters: paths, patterns, line numbers, short commands. */
const KEPT_CHARACTERS = 200;

/** A result without its output: same call, same error flag, a constant text that says how to get the output back. */
export function clearedResult(
  block: ToolResultBlock,
  handle?: string | undefined,
): ToolResultBlock {
  return { ...block, content: clearedText(handle) };
}

/** What stands in place of an output; `handle` where it is stored. */
export function clearedText(handle: string | undefined): string {
  if (handle === undefined) return CLEARED_RESULT;
  return `${START}. Stored as ${handle}.]`;
}

/** Whether a result holds nothing but a placeholder of ours. */
export function isCleared(block: Block): boolean {
  return typeof block.content === 'string' && block.content.startsWith(START);
}

/** A call whose long arguments are gone; what is left is an object with the same keys, paths and flags. */
export function clearedInput(block: ToolUseBlock): ToolUseBlock {
  const { input } = block;
  if (!isRecord(input)) return { ...block, input: { cleared: CLEARED_VALUE } };
  const entries = Object.entries(input).map(([key, value]) => [key, shortened(value)] as const);
  return { ...block, input: Object.fromEntries(entries) };
}

function shortened(value: unknown): unknown {
  const isScalar = typeof value !== 'object' || value === null;
  const length = typeof value === 'string' ? value.length : isScalar ? 0 : jsonLength(value);
  return length > KEPT_CHARACTERS ? CLEARED_VALUE : value;
}

const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
