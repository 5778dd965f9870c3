import { SessionMemoryError } from './error.ts';

/** Where the notes of one session are kept. `notesFile` of `@varve/session-memory/node` is one on disk. */
export interface NotesFile {
  /** Named to the note taker, whose edit tool has to be asked for exactly this path. */
  readonly path: string;
  /** The notes, or undefined where there are none yet. Throws `not-read` when that cannot be told. */
  read(options?: NotesFileOptions): Promise<string | undefined>;
  /**
   * Puts the notes in place of `basis` (undefined: there were none) in one step: whoever reads sees all of the old or all
   * of the new. Throws `changed-meanwhile` where something else than `basis` is there, and `not-written`.
   */
  write(text: string, options: NotesWriteOptions): Promise<void>;
}

/** An abort leaves the file as it was. */
export interface NotesFileOptions {
  readonly signal?: AbortSignal | undefined;
}

/** `basis`: what has to be there still, as it was read. */
export interface NotesWriteOptions extends NotesFileOptions {
  readonly basis: string | undefined;
}

/** Notes in memory, for tests and for sessions that leave nothing behind. */
export function memoryNotes(path = 'notes.md', initial?: string): NotesFile {
  let current = initial;
  return {
    path,
    async read({ signal } = {}) {
      signal?.throwIfAborted();
      return current;
    },
    async write(text, { basis, signal }) {
      signal?.throwIfAborted();
      if (current !== basis) throw changedMeanwhile();
      current = text;
    },
  };
}

export const changedMeanwhile = (): SessionMemoryError =>
  new SessionMemoryError(
    'changed-meanwhile',
    'The notes were changed since they were read. What is there now stays; take notes again.',
  );
