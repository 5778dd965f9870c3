import { isToolResult, type Message } from '@varve/messages';
import type { Lookback } from './policy.ts';
import { KIND } from './prefix-columns.ts';
import type { ThreadPrefix } from './thread-prefix.ts';

/** The positions a marker looks for an entry at, its own first. */
export function placesBack(thread: ThreadPrefix, position: number, lookback: Lookback): number[] {
  return lookback.counts === 'blocks'
    ? blocksBack(thread, position, lookback)
    : messageEndsBack(thread, position, lookback);
}

function blocksBack({ columns }: ThreadPrefix, position: number, lookback: Lookback): number[] {
  const limit = lookback.positions ?? Infinity;
  const places: number[] = [];
  let counted = 0;
  let run = -1;
  for (let at = position; at >= 0; at--) {
    const kind = columns.kinds[at] as number;
    if (kind === KIND.boundary) continue;
    const continues = lookback.collapseToolRuns && kind !== KIND.other && kind === run;
    if (!continues && ++counted > limit) break;
    run = kind;
    places.push(at);
  }
  return places;
}

function messageEndsBack(thread: ThreadPrefix, position: number, lookback: Lookback): number[] {
  const limit = lookback.positions ?? Infinity;
  const places = [position];
  let index = thread.ends.length - 1;
  while (index >= 0 && (thread.ends[index] as number) > position) index--;
  for (; index >= 0 && places.length < limit; index--) {
    const end = (thread.ends[index] as number) - 1;
    if (end !== position && isPlace(thread.messages, index)) places.push(end);
  }
  // The last position of the head is a boundary; the end of the system prompt stands before it.
  if (places.length < limit) places.push(thread.headEnd - 2);
  return places;
}

/** Every message that is not the assistant's, but of a group of results only the last. */
function isPlace(messages: readonly Message[], index: number): boolean {
  const message = messages[index];
  if (!message || message.role === 'assistant') return false;
  return !(carriesResult(message) && carriesResult(messages[index + 1]));
}

function carriesResult(message: Message | undefined): boolean {
  return message?.content[0] !== undefined && isToolResult(message.content[0]);
}
