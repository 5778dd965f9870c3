import type { Report } from '../report/report-schema.ts';
import type { LeftOut } from './count-once.ts';
import type { SessionFacts } from './session-facts.ts';
import type { SessionFile } from './session-files.ts';

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

/** As a report has it, where places of files mean nothing. */
export const withoutPlace = ({
  file: _file,
  thread: _thread,
  ...rest
}: LeftOut): Report['leftOut'][number] => rest;
