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
  type Known = Pick<NotesSnapshot, 'status' | 'notes'>;
  let known: Known = { status: 'loading' };
  let [asked, knownSince] = [0, 0];

  /** What was asked for earlier says nothing about what is known already. */
  function learn(next: Known, at = ++asked): void {
    if (at < knownSince) return;
    known = next;
    knownSince = at;
  }

  async function read(): Promise<string | undefined> {
    const at = ++asked;
    try {
      const notes = await file.read();
      learn({ status: 'loaded', notes }, at);
      return notes;
    } catch (cause) {
      learn({ status: 'unreadable' }, at);
      throw cause;
    }
  }

  const first = read().then(() => undefined, onError);
  return {
    known: () => known,
    set: (notes) => learn({ status: 'loaded', notes }),
    read,
    loaded: () => first,
  };
}
