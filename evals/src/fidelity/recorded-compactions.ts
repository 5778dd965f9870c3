import type { Message } from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';

/** A compaction that the recorded agent made. */
export interface RecordedCompaction {
  /** Index in the history before which it stands. */
  readonly messageIndex: number;
  /** What it left: its summary, and what it took over. */
  readonly messages: readonly Message[];
}

/** The recorded compactions whose summary can be read, in order. `history` is that of the same thread without them. */
export function recordedCompactions(
  { entries }: Pick<ImportedThread, 'entries'>,
  history: readonly Message[],
): readonly RecordedCompaction[] {
  const places = new Map(history.map(({ id }, at) => [id, at]));
  const found: RecordedCompaction[] = [];
  let last = -1;
  for (const entry of entries) {
    if (entry.type === 'message') last = places.get(entry.message.id) ?? last;
    if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') continue;
    const messages = entry.edit.with;
    const isSummary = messages.some(({ origin }) => origin?.kind === 'summary');
    if (isSummary && last >= 0) found.push({ messageIndex: last + 1, messages });
  }
  return found;
}
