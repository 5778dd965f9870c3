import type { MessageLike } from './like.ts';

/**
 * Remembers a history and says of the next one how many messages both begin with: the same objects, in the same places. Costs
 * a look at each of them, and nothing for the views of a log that only grew.
 *
 * @param first the history to begin with; none where it is left out
 */
export function createSharedStart<M extends MessageLike>(
  first: readonly M[] = [],
): (messages: readonly M[]) => number {
  let row = rows.get(first);
  const seen = [...first]; // who made a list of his own may change it
  return (messages) => {
    const most = Math.min(seen.length, messages.length);
    const next = rows.get(messages);
    let shared = next !== undefined && next === row ? most : 0;
    while (shared < most && seen[shared] === messages[shared]) shared++;
    seen.length = shared;
    for (let at = shared; at < messages.length; at++) seen.push(messages[at] as M);
    row = next;
    return shared;
  };
}

/** Says of a list, which never changes, that it is the beginning of a row that only grows. */
export const beginsRow = (list: readonly MessageLike[], row: readonly MessageLike[]): void =>
  void rows.set(list, row);

/** The row that a list is the beginning of; undefined for a list of which nothing is known. */
export const rowOf = (list: readonly MessageLike[]): readonly MessageLike[] | undefined =>
  rows.get(list);

// Memory of a pure function: dropping it changes nothing but time.
const rows = new WeakMap<readonly MessageLike[], readonly MessageLike[]>();
