import type { Entry } from '@varve/messages';
import { isCollapse, isSummary } from './message-facts.ts';

/** Whether an edit put a summary in place of a stretch of the conversation. Collapsing folds a stretch and is none. */
export const isCompaction = (entry: Entry): boolean => newMessages(entry).some(isSummary);

/**
 * What edits did to the stretches that notes cover. A compaction takes the messages a cursor names; the undo of one that was
 * there when notes were taken, or of a removal (a rewind, a snip), brings messages back that the note taker did not see. The
 * undo of an undo takes that back.
 */
export interface Exchanges {
  observe(entry: Entry): void;
  /** Counts from here: notes were taken of what stands there now. */
  restart(): void;
  /** Whether the conversation holds something else than what notes were taken of, more than what was appended. */
  isAny(): boolean;
  /** How often that may have changed. */
  count(): number;
}

interface Span {
  readonly isCompaction: boolean;
  isLive: boolean;
  /** At the last restart. */
  wasLive: boolean;
}

export function createExchanges(): Exchanges {
  const spans = new Map<string, Span>();
  const undoTargets = new Map<string, string>();
  let count = 0;
  return {
    observe(entry) {
      if (entry.type !== 'edit') return;
      const { edit, id } = entry;
      if (edit.kind === 'replace-span' && !newMessages(entry).some(isCollapse)) {
        spans.set(id, { isCompaction: isCompaction(entry), isLive: true, wasLive: false });
        count++;
      }
      if (edit.kind !== 'undo') return;
      const target = undoTargets.get(edit.entryId) ?? edit.entryId;
      undoTargets.set(id, target);
      const span = spans.get(target);
      if (span === undefined) return;
      span.isLive = !span.isLive;
      count++;
    },
    restart() {
      for (const span of spans.values()) span.wasLive = span.isLive;
    },
    isAny: () => [...spans.values()].some(isExchanged),
    count: () => count,
  };
}

const isExchanged = ({ isCompaction: took, isLive, wasLive }: Span): boolean =>
  took ? isLive !== wasLive : wasLive && !isLive;

function newMessages(entry: Entry) {
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return [];
  return [...entry.edit.with, ...entry.edit.then];
}
