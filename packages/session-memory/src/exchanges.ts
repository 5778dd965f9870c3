import type { Entry, View } from '@varve/messages';
import { broughtMessages, logOf } from '@varve/messages/log';
import { isCollapse, isSummary } from './message-facts.ts';

/** Whether an edit put a summary in place of a stretch of the conversation. Collapsing folds a stretch and is none. */
export const isCompaction = (entry: Entry): boolean =>
  entry.type === 'edit' && broughtMessages(entry).some(isSummary);

/**
 * What edits did to the stretches that notes cover. A compaction takes the messages a cursor names; the undo of one that was
 * there when notes were taken, or of a removal (a rewind, a snip), brings messages back that the note taker did not see. The
 * undo of an undo takes that back.
 */
export interface Exchanges {
  /** Takes the next entry and the view after it, as the projection gave it. */
  observe(entry: Entry, view: View): void;
  /** Counts from here: notes were taken of what stands there now. */
  restart(): void;
  /** Whether the conversation holds something else than what notes were taken of, more than what was appended. */
  isAny(): boolean;
  /** How often that may have changed. */
  count(): number;
}

interface Span {
  readonly isCompaction: boolean;
  /** In force at the last restart. */
  wasLive: boolean;
}

export function createExchanges(): Exchanges {
  /** By the id of the edit. */
  const spans = new Map<string, Span>();
  let log = logOf({ messages: [], changedFrom: 0 });
  let count = 0;

  function isExchanged([entryId, { isCompaction: took, wasLive }]: [string, Span]): boolean {
    const isLive = log.isLive(entryId);
    return took ? isLive !== wasLive : wasLive && !isLive;
  }

  return {
    observe(entry, view) {
      log = logOf(view);
      if (entry.type !== 'edit') return;
      if (entry.edit.kind === 'replace-span' && !broughtMessages(entry).some(isCollapse)) {
        spans.set(entry.id, { isCompaction: isCompaction(entry), wasLive: false });
      }
      if (spans.has(log.undoes(entry.id) ?? '')) count++;
    },
    restart() {
      for (const [entryId, span] of spans) span.wasLive = log.isLive(entryId);
    },
    isAny: () => [...spans].some(isExchanged),
    count: () => count,
  };
}
