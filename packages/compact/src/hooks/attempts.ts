import { recordOf } from '@varve/guards';
import type { Entry, JsonObject } from '@varve/messages';

/** What a note says of an attempt to compact. An edit that carries the attempt's id in its receipt ends it as well. */
export type AttemptNote =
  | { readonly kind: 'compaction-started'; readonly attempt: string; readonly path: string }
  | {
      readonly kind: 'compaction-ended';
      readonly attempt: string;
      readonly outcome: 'compacted' | 'failed' | 'aborted' | 'interrupted';
      readonly reason?: string;
    };

/**
 * Notes that end the attempts which a log says began and does not say ended, the newest first. A process that died is
 * the only cause of them when a log has just been opened; appending the notes settles them for good. O(log), once.
 */
export function settleAttempts(entries: Iterable<Entry>): readonly AttemptNote[] {
  const open = new Set<string>();
  for (const entry of entries) {
    const data = dataOf(entry);
    if (typeof data.attempt !== 'string') continue;
    if (data.kind === 'compaction-started') open.add(data.attempt);
    else if (entry.type === 'edit' || data.kind === 'compaction-ended') open.delete(data.attempt);
  }
  return [...open]
    .toReversed()
    .map((attempt) => ({ kind: 'compaction-ended', attempt, outcome: 'interrupted' }));
}

function dataOf(entry: Entry): JsonObject {
  if (entry.type === 'edit') return entry.receipt ?? {};
  if (entry.type !== 'note' || entry.by !== 'compact') return {};
  const { data } = entry;
  return recordOf(data) as JsonObject;
}
