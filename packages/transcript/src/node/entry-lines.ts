import { type Entry, serializeEntry } from '@varve/messages';
import { writtenForm } from '@varve/messages/log';
import { TranscriptError } from '../error.ts';
import { MAX_LINE_BYTES } from '../lines.ts';
import { FORMAT_ID } from '../log-format.ts';

/**
 * Writes entries as the lines of one log. Throws `invalid-entry`, and takes note of nothing, for an entry that could not be
 * read back: one of another shape, with an id that the log has already, or above the longest line.
 */
export function createEntryLines(file: string) {
  const ids = new Set<string>([FORMAT_ID]);

  function refuse(why: string, cause?: unknown): never {
    throw new TranscriptError('invalid-entry', `${why}; nothing was appended`, { file, cause });
  }

  function toLine(entry: Entry): { readonly id: string; readonly bytes: Uint8Array } {
    try {
      // refuses what could not be read back, mostly without reading it
      const { id } = writtenForm(entry);
      return { id, bytes: Buffer.from(`${serializeEntry(entry)}\n`) };
    } catch (cause) {
      return refuse('an entry could not be read back', cause);
    }
  }

  return {
    /** The log has an entry with this id. Ids are compared as their written form has them. */
    know: (id: string): unknown => ids.add(id.toWellFormed()),
    /** The bytes of the lines of these entries. */
    encode(entries: readonly Entry[]): Uint8Array {
      const lines = entries.map(toLine);
      const fresh = new Set<string>();
      for (const { id, bytes } of lines) {
        if (ids.has(id) || fresh.has(id)) refuse('an entry has an id that the log has already');
        if (bytes.length > MAX_LINE_BYTES)
          refuse(`an entry is longer than ${MAX_LINE_BYTES} bytes`);
        fresh.add(id);
      }
      for (const id of fresh) ids.add(id);
      return Buffer.concat(lines.map(({ bytes }) => bytes));
    },
  };
}
