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
  let growing = growingListOf(first);
  const seen = [...first]; // who made a list of his own may change it
  return (messages) => {
    const most = Math.min(seen.length, messages.length);
    const next = growingListOf(messages);
    let shared = next !== undefined && next === growing ? most : 0;
    while (shared < most && seen[shared] === messages[shared]) shared++;
    seen.length = shared;
    for (let at = shared; at < messages.length; at++) seen.push(messages[at] as M);
    growing = next;
    return shared;
  };
}

/** Says of a list, which never changes, that it is the beginning of a growing list. */
export const beginsGrowingList = (
  list: readonly MessageLike[],
  growing: readonly MessageLike[],
): void => void growingLists.set(list, growing);

/** The growing list that a list is the beginning of; undefined for a list of which nothing is known. */
export const growingListOf = (list: readonly MessageLike[]): readonly MessageLike[] | undefined =>
  growingLists.get(list);

// Memory of a pure function: dropping it changes nothing but time.
const growingLists = new WeakMap<readonly MessageLike[], readonly MessageLike[]>();
