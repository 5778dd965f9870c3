import {
  createProjection,
  type Entry,
  isToolResult,
  isToolUse,
  type Message,
  type View,
} from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';
import { createUnitIndex, type UnitIndex } from '../../demand/unit-index.ts';
import { type RecordedCall, recordedCalls } from './recorded-calls.ts';

/** A place in a session as it was recorded, compactions and all. */
export interface RecordedPlace {
  readonly kind: 'compaction' | 'other';
  /** Calls before it. */
  readonly call: number;
  /** Messages before it. */
  readonly message: number;
  /** What the model saw from there on. */
  readonly visible: readonly Message[];
}

export interface RecordedThread {
  readonly calls: readonly RecordedCall[];
  readonly places: readonly RecordedPlace[];
  readonly index: UnitIndex;
  /** Number of the first message that shows a unit; undefined where none does. */
  firstShownAt(unit: number): number | undefined;
}

/** Recorded compactions, and between them places that are more than `apart` calls away from any. */
export function recordedThread(
  { entries }: Pick<ImportedThread, 'entries'>,
  { apart }: { readonly apart: number },
): RecordedThread {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const index = createUnitIndex(
    messages.flatMap((message) => recordedCalls(message).flatMap(({ units }) => [...units])),
  );
  const shown = firstShown(messages, index);
  const calls: RecordedCall[] = [];
  const places: RecordedPlace[] = [];
  const projection = createProjection();
  let [view, count]: [View, number] = [{ messages: [], changedFrom: 0 }, 0];
  const place = (kind: RecordedPlace['kind']): void => {
    places.push({ kind, call: calls.length, message: count, visible: [...view.messages] });
  };
  for (const entry of entries) {
    view = projection.append(entry);
    if (isCompaction(entry)) place('compaction');
    if (entry.type !== 'message') continue;
    count++;
    const own = recordedCalls(entry.message);
    calls.push(...own);
    const isDue = calls.length - (places.at(-1)?.call ?? 0) >= apart;
    if (own.length > 0 && isDue) place('other');
  }
  return { calls, places: alone(places, apart), index, firstShownAt: (unit) => shown.get(unit) };
}

const isCompaction = (entry: Entry): boolean =>
  entry.type === 'edit' &&
  entry.edit.kind === 'replace-span' &&
  entry.edit.with.some(({ origin }) => origin?.kind === 'summary');

function firstShown(messages: readonly Message[], index: UnitIndex): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const [at, { content }] of messages.entries()) {
    for (const block of content) {
      if (!isToolResult(block) && !isToolUse(block)) continue;
      for (const unit of index.unitsOf(block)) if (!first.has(unit)) first.set(unit, at);
    }
  }
  return first;
}

/** Without other places that are near to a compaction, and compactions that another one follows at once. */
function alone(places: readonly RecordedPlace[], apart: number): readonly RecordedPlace[] {
  const compactions = places.filter(({ kind }) => kind === 'compaction');
  return places.filter((place) => {
    if (place.kind === 'compaction')
      return compactions.findLast(({ call }) => call === place.call) === place;
    return compactions.every(({ call }) => Math.abs(call - place.call) >= apart);
  });
}
