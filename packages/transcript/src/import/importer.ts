import type { ImportContext } from './context.ts';
import type { ImportedThread } from './types.ts';

/** Reads the values of one file, in order; a document is one value. */
export interface Importer {
  add(value: unknown, line: number): void;
  /** The threads of the file; those without a message are left out by the caller. */
  finish(): ImportedThread[];
}

export type CreateImporter = (context: ImportContext) => Importer;
