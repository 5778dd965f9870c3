import type { NotesFile } from './notes-file.ts';
import type { NotesSnapshot } from './notes-snapshot.ts';

/** The newest text that is known of a file of notes. */
export interface NotesText {
  known(): Pick<NotesSnapshot, 'status' | 'notes'>;
  set(notes: string): void;
  read(): Promise<string | undefined>;
  /** Resolves when the first reading is over, well or not. */
  loaded(): Promise<void>;
}

/** Starts reading at once; what fails in that is told, not thrown. */
export function createNotesText(file: NotesFile, onError: (cause: unknown) => void): NotesText {
  let known: Pick<NotesSnapshot, 'status' | 'notes'> = { status: 'loading' };

  async function read(): Promise<string | undefined> {
    try {
      const notes = await file.read();
      known = { status: 'loaded', notes };
      return notes;
    } catch (cause) {
      known = { status: 'unreadable' };
      throw cause;
    }
  }

  const first = read().then(() => undefined, onError);
  return {
    known: () => known,
    set(notes) {
      known = { status: 'loaded', notes };
    },
    read,
    loaded: () => first,
  };
}
