import type { TranscriptError } from '@varve/transcript';
import type { Report } from '../report/report-schema.ts';
import { isNoSession, type PassedOver, type SessionFile, withAgent } from './session-files.ts';

/** A file of which nothing could be made, and why. */
export interface UnreadFile {
  readonly file: SessionFile;
  /** Of the error. */
  readonly code: string;
  readonly line: number | null;
  readonly reason: string;
}

/** What is said of a file that cannot be imported, without its path, which stands before the reason wherever it is shown. */
export function whyUnread({
  code,
  message,
  file,
  line,
}: TranscriptError): Omit<UnreadFile, 'file'> {
  const place = [file, line].filter((part) => part !== undefined).join(':');
  const isPlaced = place !== '' && message.startsWith(`${place}: `);
  const reason = isPlaced ? message.slice(place.length + 2) : message;
  const where = isPlaced && line !== undefined ? `line ${line}: ` : '';
  return { code, line: line ?? null, reason: `${where}${reason}` };
}

/** As every report has it: files in folders that are no sessions are skipped, others are refused. */
export function unreadPart(
  unread: readonly UnreadFile[],
  passedOver: readonly PassedOver[],
): Pick<Report, 'skipped' | 'refused'> {
  const isSkipped = ({ file, code }: UnreadFile): boolean => isNoSession(file, code);
  return {
    skipped: [
      ...unread.filter(isSkipped).map(({ file, reason }) => ({
        file: file.name,
        reason: withAgent(file, reason),
      })),
      ...passedOver,
    ],
    refused: unread
      .filter((each) => !isSkipped(each))
      .map(({ file, line, reason }) => ({
        file: file.place,
        line,
        reason: withAgent(file, reason),
      })),
  };
}
