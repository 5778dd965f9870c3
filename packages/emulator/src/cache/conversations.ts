/**
 * Tells conversations apart that share an account, because requests do not say which one they belong to. A request that
 * begins with all messages of another one's latest request goes on with it; one that has later messages of it behind a
 * difference is an edit of it; anything else is a conversation of its own.
 */
export interface Conversations {
  /** The name of the conversation whose messages (as numbers) these are. */
  find(messages: readonly number[]): string;
}

interface Thread {
  readonly name: string;
  tip: readonly number[];
}

export function createConversations(): Conversations {
  const tips = new Map<number, Thread>();
  const holders = new Map<number, Thread>();
  const chain = createChain();
  let count = 0;
  const keep = (thread: Thread, messages: readonly number[]): string => {
    const old = chain(thread.tip).at(-1);
    if (old !== undefined && tips.get(old) === thread) tips.delete(old);
    const end = chain(messages).at(-1);
    if (end !== undefined) tips.set(end, thread);
    for (let index = sharedLength(thread.tip, messages); index < messages.length; index++) {
      holders.set(messages[index] as number, thread);
    }
    thread.tip = messages;
    return thread.name;
  };
  return {
    find(messages) {
      const holderAt = messages.findLastIndex((message) => holders.has(message));
      const ends = chain(messages);
      const tipAt = ends.findLastIndex((end) => tips.has(end));
      if (tipAt >= holderAt && tipAt >= 0) {
        return keep(tips.get(ends[tipAt] as number) as Thread, messages);
      }
      const holder = holders.get(messages[holderAt] as number);
      const isEdit = holder && sharedLength(holder.tip, messages) <= holderAt;
      if (isEdit) return keep(holder, messages);
      count += 1;
      return keep({ name: count === 1 ? 'main' : `thread-${count}`, tip: [] }, messages);
    },
  };
}

/** Numbers the beginnings of lists: two lists have the same number at a place exactly when they are equal up to there. */
function createChain(): (messages: readonly number[]) => readonly number[] {
  const known = new Map<string, number>();
  return (messages) => {
    let before = 0;
    return messages.map((message) => {
      const key = `${before} ${message}`;
      const found = known.get(key);
      before = found ?? known.size + 1;
      if (found === undefined) known.set(key, before);
      return before;
    });
  };
}

function sharedLength(left: readonly number[], right: readonly number[]): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left[index] === right[index]) index++;
  return index;
}
