import { checkOptions, integer } from '@varve/guards';
import type { Message, ToolResultBlock } from '@varve/messages';
import { cutMiddle } from '@varve/messages/text';
import { delimited } from './delimited.ts';
import type { ForkResult } from './types.ts';

/** What the parent needs of a result. */
type HandedBack = Pick<ForkResult, 'id' | 'text' | 'stopReason'>;

interface HandBackOptions {
  /** UTF-16 units of the text; the middle of a longer one is cut. @default 20_000 */
  readonly maxUnits?: number | undefined;
}

/**
 * A child's answer as the result of the call that started it: one block of data with its origin, bounded, never its log.
 * The id is the handle under which the host keeps the child's messages.
 *
 * @throws RangeError for a bound that is no non-negative integer
 */
export function forkResultBlock(
  callId: string,
  result: HandedBack,
  options: HandBackOptions = {},
): ToolResultBlock {
  const block = {
    type: 'tool_result',
    tool_use_id: callId,
    content: shown(result, options),
  } as const;
  return result.stopReason === 'failed' ? { ...block, is_error: true } : block;
}

/**
 * The same as a message of its own, for a child that ran in the background and whose call was answered long ago.
 *
 * @throws RangeError as `forkResultBlock`
 */
export function forkNotification(result: HandedBack, options: HandBackOptions = {}): Message {
  return {
    id: `${result.id}:notification`,
    role: 'user',
    content: [{ type: 'text', text: shown(result, options) }],
    origin: { kind: 'reminder', agent: result.id },
  };
}

function shown(
  { id, text, stopReason }: HandedBack,
  { maxUnits = 20_000 }: HandBackOptions,
): string {
  checkOptions({ maxUnits }, { maxUnits: integer(0) });
  const headUnits = Math.ceil(maxUnits / 2);
  const tailUnits = maxUnits - headUnits;
  const cut = cutMiddle(text, { headUnits, tailUnits, marker: '\n[… cut …]\n' });
  const note = stopReason === 'end' ? '' : `${NOTES[stopReason]}\n`;
  return `${note}${delimited('agent-result', cut || '(no text)', { id, status: stopReason })}`;
}

const NOTES: Readonly<Record<Exclude<HandedBack['stopReason'], 'end'>, string>> = {
  'turn-limit': 'The agent used up its turns; this is the last it wrote.',
  'output-limit': 'The agent used up its output; this is the last it wrote.',
  cut: 'The answer was cut by the token limit of a reply.',
  'context-full': 'The agent ran out of context; this is the last it wrote.',
  refusal: 'The model refused to go on.',
  empty: 'The agent ended without an answer; this is the last it wrote.',
  failed: 'The agent failed before it was done; this is the last it wrote.',
};
