import type { Message } from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';
import type { Compacted } from './compactor.ts';
import { summariesIn } from './summaries-in.ts';

/** A place where somebody wrote a summary, and what that left. */
export interface RecordedCompaction {
  /** Index in the history before which it stands. */
  readonly messageIndex: number;
  /** One or more forms of it; the first says how large the others may be. */
  readonly left: readonly LeftAfter[];
}

export interface LeftAfter extends Compacted {
  readonly name: string;
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
    if (!isSummary || last < 0) continue;
    const left = [{ name: 'recorded', messages, synthesised: summariesIn(messages) }];
    found.push({ messageIndex: last + 1, left });
  }
  return found;
}
