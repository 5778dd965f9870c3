import { type Entry, type JsonObject, serializeEntry } from '@varve/messages';
import { TranscriptError, type TranscriptErrorPlace } from './error.ts';

/** The form of logs that is written. It goes up when an older reader would read a newer log wrongly. */
const VERSION = 1;

const KIND = 'log-format';

/** The id of the first line. No other entry can have it. */
export const FORMAT_ID = 'varve-log-format';

/**
 * The first line of a log, which names its form. It is an entry that every reader takes and the projection ignores, and always the
 * same bytes; readers here do not hand it out. Logs of before it was written have none and are read as they were.
 */
export const FORMAT_LINE = `${serializeEntry({
  id: FORMAT_ID,
  at: '1970-01-01T00:00:00.000Z',
  type: 'note',
  by: 'transcript',
  data: { kind: KIND, version: VERSION },
})}\n`;

/**
 * Whether an entry names the form of its log.
 *
 * @throws TranscriptError `newer-format` where that is one that is not known here
 */
export function isFormat(entry: Entry, place: TranscriptErrorPlace): boolean {
  if (entry.type !== 'note' || entry.id !== FORMAT_ID) return false;
  const { kind, version } = (entry.data ?? {}) as JsonObject;
  if (kind === KIND && version === VERSION) return true;
  const text = `the log has format ${JSON.stringify(version)}, and this version reads up to ${VERSION}; nothing was changed. Read it with a newer version of @varve/transcript`;
  throw new TranscriptError('newer-format', text, place);
}
