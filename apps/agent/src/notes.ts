import { recordOf } from '@varve/guards';
import type { Entry, JsonObject } from '@varve/messages';

/** What the agent keeps in a log beside what is said. No model sees it. */
export type AgentNote = JsonObject & { readonly kind: string };

/** Writes one. */
export type WriteNote = (data: AgentNote) => Promise<void>;

/** What a note of the agent says; empty where an entry is none. */
export const noteOf = (entry: Entry): Readonly<Record<string, unknown>> =>
  recordOf(entry.type === 'note' && entry.by === 'agent' ? entry.data : undefined);

/** What the notes of a kind say, in order. */
export const notesOf = (
  entries: readonly Entry[],
  kind: string,
): Readonly<Record<string, unknown>>[] => entries.map(noteOf).filter((note) => note.kind === kind);
