import type { ModelInfo } from '@varve/tokens';
import { type Vocabulary, vocabularyOf } from '../demand/vocabulary.ts';
import { importNamed, mainThreads } from './import-threads.ts';
import { rawHistory } from './raw-history.ts';
import { type SessionFacts, sessionFacts } from './session-facts.ts';
import type { SessionFile } from './session-files.ts';

export interface Survey {
  /** One for each main thread. */
  readonly vocabularies: readonly Vocabulary[];
  readonly facts: SessionFacts;
}

/** Imports a file and reads what has to be known of it before anything is replayed. */
export async function survey(
  file: SessionFile,
  models: readonly ModelInfo[] = [],
): Promise<Survey> {
  const imported = await importNamed(file);
  return {
    vocabularies: mainThreads(imported, file.name).map(({ thread }) =>
      vocabularyOf(rawHistory(thread)),
    ),
    facts: { ...sessionFacts(imported, file.name, models), isInPlace: file.agent !== undefined },
  };
}
