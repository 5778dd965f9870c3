import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TranscriptError } from '@varve/transcript';
import { importFile, openLog } from '@varve/transcript/node';
import { UsageError } from './options.ts';
import { type SessionOptions, sessionFolder } from './session.ts';

/** Whose notes allow something or keep a part of the request as it is: those of another one say nothing here. */
const OWN = new Set(['agent', 'context', 'transcript']);

/**
 * Makes a session of this folder out of one of another tool, or of another folder, and gives its id. What its prompt said of its
 * surroundings is not taken over. Throws `UsageError` for a file that is no session.
 */
export async function importSession(
  path: string,
  place: Pick<SessionOptions, 'configDir' | 'cwd'>,
): Promise<string> {
  const { threads, format } = await importFile(path).catch((error: unknown) => {
    if (TranscriptError.is(error)) throw new UsageError(error.message);
    throw error;
  });
  const entries = (threads[0]?.entries ?? []).filter(
    (entry) => entry.type !== 'note' || !OWN.has(entry.by),
  );
  const id = randomUUID();
  const log = await openLog(join(sessionFolder(place), `${id}.jsonl`));
  const at = new Date().toISOString();
  const data = { kind: 'imported', format };
  try {
    await log.append(...entries, { id: `imported-${id}`, at, type: 'note', by: 'agent', data });
  } finally {
    await log.close();
  }
  return id;
}
