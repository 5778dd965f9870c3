import { blocksOf, type MessageLike } from './like.ts';
import { pairId } from './validity-pairs.ts';

/**
 * Where a history may be cut: indexes (ascending, 0 to the number of messages) such that every call has its results on
 * its own side and what is kept on the right starts with a user message or is empty. The last index is missing while
 * calls wait for results. Pairs are found by id, so results out of order and ids that later turns use again are fine.
 * O(messages and blocks); reads ids only. Thinking is another matter: a `prefix-bound` model refuses what was written
 * behind the left side.
 */
export function legalCuts(
  messages: readonly MessageLike[],
  { behindSummary = false }: LegalCutsOptions = {},
): readonly number[] {
  return cutsBefore(messages, (index) => {
    const role = messages[index]?.role;
    if (role === 'user') return true;
    return behindSummary && role === 'assistant' && messages[index - 1]?.role !== 'assistant';
  });
}

export interface LegalCutsOptions {
  /**
   * A user message, such as a summary, comes to stand before what is kept: one may also cut before an assistant message
   * that starts a response. @default false
   */
  readonly behindSummary?: boolean | undefined;
}

function cutsBefore(
  messages: readonly MessageLike[],
  mayStart: (index: number) => boolean,
): readonly number[] {
  const lastPairEnd = pairEnds(messages);
  const cuts: number[] = [];
  let blockedTo = 0;
  for (let index = 0; index <= messages.length; index++) {
    const atStart = index === messages.length || mayStart(index);
    if (index >= blockedTo && atStart) cuts.push(index);
    const end = lastPairEnd.get(index);
    if (end !== undefined) blockedTo = Math.max(blockedTo, end);
  }
  return cuts;
}

/** For each message with calls the first index at which they may stand left of a cut: behind the last of their results. */
function pairEnds(messages: readonly MessageLike[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const callers = new Map<string, number>();
  const waiting = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    if (message.role === 'assistant') {
      if (messages[index - 1]?.role !== 'assistant') waiting.clear();
      for (const block of blocks) {
        const id = pairId(block, 'tool_use', 'id');
        if (id === undefined) continue;
        callers.set(id, index);
        waiting.add(id);
      }
    }
    for (const block of blocks) {
      const id = pairId(block, 'tool_result', 'tool_use_id');
      if (id === undefined) continue;
      const caller = callers.get(id);
      if (caller !== undefined) ends.set(caller, index + 1);
      waiting.delete(id);
    }
  }
  for (const id of waiting) ends.set(callers.get(id) as number, Number.POSITIVE_INFINITY);
  return ends;
}
