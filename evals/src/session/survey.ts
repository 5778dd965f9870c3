import { type Vocabulary, vocabularyOf } from '../demand/vocabulary.ts';
import { importNamed, mainThreads } from './import-threads.ts';
import { rawHistory } from './raw-history.ts';
import type { SessionFile } from './session-files.ts';

/** Imports a file and reads the vocabulary of each of its main threads, before anything is replayed. */
export async function survey(file: SessionFile): Promise<readonly Vocabulary[]> {
  const imported = await importNamed(file);
  return mainThreads(imported, file.name).map(({ thread }) => vocabularyOf(rawHistory(thread)));
}
