import type { ImportContext } from './context.ts';
import type { JsonRecord } from './json.ts';
import type { RecordIdentity } from './repeats.ts';
import type { ImportedThread } from './types.ts';

/** Reads the records of one file, in order; a document is one record. */
export interface Importer {
  /** `text` is the record as it stands in the file. */
  add(record: JsonRecord, line: number, text: string): void;
  /**
   * What tells a record from all others; undefined where nothing does, or the importer drops repeats itself. A record that stands in the
   * file for the second time does not come to `add`.
   */
  identityOf(record: JsonRecord, text: string): RecordIdentity | undefined;
  /** Only where a list is messages; elsewhere it is no record. */
  addList?(list: readonly unknown[], line: number): void;
  /** The threads of the file; those without a message are left out by the caller. */
  finish(): ImportedThread[];
}

export type CreateImporter = (context: ImportContext) => Importer;
