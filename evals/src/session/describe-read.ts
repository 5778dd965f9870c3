import type { Report } from '../report/report-schema.ts';
import type { Surveyed } from '../run-phases.ts';
import type { LeftOut } from './count-once.ts';
import { isMostlyLost, lossText } from './losses.ts';
import type { SessionFacts } from './session-facts.ts';
import type { SessionFile } from './session-files.ts';

/** What every report says of the files it is about. */
export type ReadPart = Pick<Report, 'read' | 'leftOut' | 'skipped' | 'refused'>;

/** Which files were read, what does not count, what was passed over and what was refused. */
export const readPart = ({ read, counted, skipped, refused }: Surveyed): ReadPart => ({
  read: read.map(readFile),
  leftOut: counted.leftOut.map(withoutPlace),
  skipped,
  refused,
});

/** What a report says of a file that was read. */
export function readFile({
  file,
  facts,
}: {
  readonly file: SessionFile;
  readonly facts: SessionFacts;
}): Report['read'][number] {
  const { format, losses, mains, agents } = facts;
  const requests = [...mains, ...agents].reduce(
    (sum, { replies }) => sum + replies.filter(({ isMessage }) => isMessage).length,
    0,
  );
  return { file: file.name, format, requests, losses };
}

/** A file that counts nowhere because much of it is missing, for what looks at files alone. */
export function lossyFile({ file, requests, losses }: Report['read'][number]): Report['leftOut'] {
  if (!isMostlyLost(losses)) return [];
  const text = lossText(losses);
  const session = { session: file, of: null, requests, ownRequests: requests };
  return [{ ...session, why: 'lossy', text, counted: false }];
}

/** As a report has it, where places of files mean nothing. */
export const withoutPlace = ({
  file: _file,
  thread: _thread,
  ...rest
}: LeftOut): Report['leftOut'][number] => rest;
