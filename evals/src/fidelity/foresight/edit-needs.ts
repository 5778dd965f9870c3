import type { ImportedThread } from '@varve/transcript/import';
import type { EditNeed } from '../fidelity-schema.ts';
import { isSame, type RecordedCall } from './recorded-calls.ts';
import { type RecordedPlace, type RecordedThread, recordedThread } from './recorded-places.ts';

export interface EditNeedOptions {
  readonly names: { readonly session: string; readonly project: number };
}

/**
 * The first edits of files in the 24 calls behind recorded compactions, and behind other places of the same sessions: how
 * much of what an edit needs was no longer to be seen, and whether the file was looked at again before it. Only files
 * that were touched in the 48 calls before count, at either kind of place.
 */
export function editNeeds(
  thread: Pick<ImportedThread, 'entries'>,
  { names }: EditNeedOptions,
): readonly EditNeed[] {
  const recorded = recordedThread(thread, { apart: HORIZON_CALLS });
  if (!recorded.places.some(({ kind }) => kind === 'compaction')) return [];
  return recorded.places.flatMap((place) =>
    needsAt(place, recorded).map((need) => ({
      ...names,
      kind: place.kind,
      place: place.call,
      ...need,
    })),
  );
}

const HORIZON_CALLS = 24;
const RECENT_CALLS = 48;

function needsAt(place: RecordedPlace, recorded: RecordedThread) {
  const { calls, index, firstShownAt } = recorded;
  const recent = calls.slice(Math.max(0, place.call - RECENT_CALLS), place.call);
  const next = calls.slice(place.call, place.call + HORIZON_CALLS);
  const visible = new Set(place.visible.flatMap((message) => index.unitsOf(message)));
  return firstEdits(next).flatMap(({ path, at }) => {
    if (!recent.some((call) => call.touches(path))) return [];
    const ids = [...(next[at] as RecordedCall).units].map((unit) => index.idOf(unit) as number);
    const wanted = ids.filter((id) => (firstShownAt(id) ?? place.message) < place.message);
    if (wanted.length === 0) return [];
    const lost = wanted.filter((id) => !visible.has(id)).length / wanted.length;
    return [{ lost, readAgain: next.slice(0, at).some((call) => call.shows(path)) }];
  });
}

function firstEdits(calls: readonly RecordedCall[]) {
  const found: { readonly path: string; readonly at: number }[] = [];
  for (const [at, { changes }] of calls.entries()) {
    for (const path of changes) {
      if (!found.some((each) => isSame(each.path, path))) found.push({ path, at });
    }
  }
  return found;
}
