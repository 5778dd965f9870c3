import type { ImportedSession, ImportedThread } from '@varve/transcript/import';
import { importFile } from '@varve/transcript/node';
import type { SessionFile } from './session-files.ts';

/** A main thread and the name of its rows. */
export interface NamedThread {
  readonly session: string;
  readonly thread: ImportedThread;
}

/** Imports a file under its report name. Rejects with a `TranscriptError` where nothing can be made of it. */
export const importNamed = ({ path, name }: SessionFile): Promise<ImportedSession> =>
  importFile(path, { name });

/** The main threads of a session; each is named, where there are several, by its id behind the file's name. */
export function mainThreads({ threads }: ImportedSession, name: string): readonly NamedThread[] {
  const mains = threads.filter(({ kind }) => kind === 'main');
  return mains.map((thread) => ({
    session: mains.length === 1 ? name : `${name}#${thread.id}`,
    thread,
  }));
}
