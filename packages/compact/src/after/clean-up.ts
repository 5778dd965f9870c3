/** State beside the log that a compaction makes wrong. Plain data: `CLEAN_UP` says what it is and why it goes. */
export type CleanUpName =
  | 'cached-clearing'
  | 'collapse-queue'
  | 'expected-cache-miss'
  | 'file-reads'
  | 'first-request'
  | 'instruction-files'
  | 'note-baseline'
  | 'note-cursor'
  | 'prompt-sections'
  | 'recall';

export interface CleanUpItem {
  readonly name: CleanUpName;
  /** `thread`: each thread has its own. `session`: shared by all threads, so a sub-agent's compaction leaves it alone. */
  readonly scope: 'thread' | 'session';
  readonly why: string;
}

/**
 * What a successful compaction resets, in this order, whichever way it was made. Not what used skills say, because a later
 * compaction restores them; nor which skills were announced: to announce all of them again costs about 4,000 tokens of
 * cache writes.
 */
export const CLEAN_UP: readonly CleanUpItem[] = [
  {
    name: 'note-cursor',
    scope: 'thread',
    why: 'It names a message that is not in the view any more.',
  },
  { name: 'note-baseline', scope: 'thread', why: 'The next extraction counts from the new size.' },
  {
    name: 'file-reads',
    scope: 'thread',
    why: 'An answer that nothing changed since the last read would point at what is gone; files restored whole are shown.',
  },
  {
    name: 'cached-clearing',
    scope: 'thread',
    why: 'Deletions in the cache name results that are gone.',
  },
  { name: 'collapse-queue', scope: 'thread', why: 'Staged spans name messages that are gone.' },
  { name: 'prompt-sections', scope: 'session', why: 'They are made again with what is known now.' },
  {
    name: 'instruction-files',
    scope: 'session',
    why: 'They are read again, with the reason compact.',
  },
  {
    name: 'recall',
    scope: 'thread',
    why: 'What was recalled may be recalled again; its bytes count from zero.',
  },
  { name: 'expected-cache-miss', scope: 'thread', why: 'The next miss is no break.' },
  {
    name: 'first-request',
    scope: 'thread',
    why: 'The next request is the first after a compaction.',
  },
];

/** The compaction that has just been committed. */
export interface CommittedCompaction {
  readonly thread: 'main' | 'sub-agent';
  /** Paths of files that were restored whole: an edit of one needs no fresh read. */
  readonly restoredFiles: readonly string[];
  /** Size of the conversation now, in tokens. */
  readonly tokensAfter: number;
}

/** What resets each piece of state, of the thread that was compacted; a piece that nobody keeps has none. */
export type CleanUpHandlers = {
  readonly [name in CleanUpName]?: ((compaction: CommittedCompaction) => void) | undefined;
};

export interface CleanUpResult {
  readonly done: readonly CleanUpName[];
  /** A handler that throws keeps no other from running. */
  readonly failed: readonly { readonly name: CleanUpName; readonly cause: unknown }[];
}

/** Runs the clean-up of a committed compaction. Each way of compacting calls it, or none does: there is only one. */
export function cleanUpAfter(
  compaction: CommittedCompaction,
  handlers: CleanUpHandlers,
): CleanUpResult {
  const done: CleanUpName[] = [];
  const failed: { name: CleanUpName; cause: unknown }[] = [];
  for (const { name, scope } of CLEAN_UP) {
    const handle = handlers[name];
    if (handle === undefined || (scope === 'session' && compaction.thread !== 'main')) continue;
    try {
      handle(compaction);
      done.push(name);
    } catch (cause) {
      failed.push({ name, cause });
    }
  }
  return { done, failed };
}
