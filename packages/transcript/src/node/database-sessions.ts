import { TranscriptError } from '../error.ts';
import { foreignDatabase, inDatabase, kindOf } from './database.ts';
import { gooseLinks, readGooseSession } from './goose-database.ts';
import { opencodeLinks, readOpencodeSession } from './opencode-database.ts';
import { type SessionLink, type StoredSession, sessionsBelow } from './stored-session.ts';

const READERS = {
  opencode: { links: opencodeLinks, read: readOpencodeSession },
  goose: { links: gooseLinks, read: readGooseSession },
} as const;

/**
 * The sessions in a database, oldest first.
 *
 * @throws TranscriptError `unknown-format` for a database of something else, `unreadable`
 */
export const databaseSessions = (path: string): Promise<readonly SessionLink[]> =>
  inDatabase(path, (database) => {
    const kind = kindOf(database);
    if (kind === undefined) throw foreignDatabase(path, database);
    return READERS[kind].links(database);
  });

/**
 * A session and those below it, as the rows have them.
 *
 * @throws TranscriptError as `databaseSessions` does; `not-found` for a session that is not in it
 */
export const readDatabaseSession = (path: string, id: string): Promise<readonly StoredSession[]> =>
  inDatabase(path, (database) => {
    const kind = kindOf(database);
    if (kind === undefined) throw foreignDatabase(path, database);
    const { links, read } = READERS[kind];
    const found = read(database, id);
    if (found === undefined) {
      const text = `the database holds no session ${id}`;
      throw new TranscriptError('not-found', text, { file: path });
    }
    const below = sessionsBelow(id, links(database));
    return [found, ...below.flatMap((child) => read(database, child) ?? [])];
  });
