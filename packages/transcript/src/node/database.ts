import type { DatabaseSync } from 'node:sqlite';
import { TranscriptError } from '../error.ts';
import { SUPPORTED } from '../import/other-agents.ts';
import { hasTables } from './database-tables.ts';

/** How long a database that another process writes is waited for, in ms. */
const BUSY_MS = 5000;

/**
 * What `read` finds in a database, all of one moment.
 *
 * @throws TranscriptError `unreadable`, and what `read` throws of that kind
 */
export async function inDatabase<Result>(
  path: string,
  read: (database: DatabaseSync) => Result,
): Promise<Result> {
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    database.exec('BEGIN'); // all that is read is of one moment, whatever the agent writes meanwhile
    return read(database);
  } catch (cause) {
    if (TranscriptError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const text = `the database cannot be read (${reason}); where the agent is running, close it or copy the file together with those that end in -wal and -shm`;
    throw new TranscriptError('unreadable', text, { file: path, cause });
  } finally {
    database?.close();
  }
}

/** Whose sessions a database holds, where they can be read. */
export type DatabaseKind = 'opencode' | 'goose';

export const kindOf = (database: DatabaseSync): DatabaseKind | undefined =>
  KINDS.find(([, tables]) => hasTables(database, tables))?.[0];

const KINDS: readonly (readonly [DatabaseKind, readonly string[]])[] = [
  ['opencode', ['session', 'message', 'part']],
  ['opencode', ['session', 'session_message']],
  ['goose', ['sessions', 'messages', 'schema_version']],
];

/** Agents whose databases are known by their tables and not read. */
const OTHERS: readonly (readonly [string, readonly string[]])[] = [
  ['OpenCode 2.0', ['session_v2']],
  ['Cursor', ['cursorDiskKV']],
  ['Cursor', ['blobs', 'meta']],
  ['VS Code', ['ItemTable']],
  ['Crush', ['sessions', 'messages', 'files', 'goose_db_version']],
  ['Zed', ['threads']],
];

/** What an agent wrote last stands beside its database until the agent ends. */
export const WITH_WAL =
  'if it is a copy, copy it again together with the files beside it that end in -wal and -shm';

export function foreignDatabase(path: string, database: DatabaseSync): TranscriptError {
  const [table] = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").all();
  if (table === undefined) {
    return new TranscriptError('empty', `no table is in the SQLite database; ${WITH_WAL}`, {
      file: path,
    });
  }
  const other = OTHERS.find(([, tables]) => hasTables(database, tables))?.[0];
  const whose = other === undefined ? 'not one of OpenCode, Kilo or Goose' : `from ${other}`;
  const text = `this SQLite database is ${whose}; it cannot be imported; ${SUPPORTED}`;
  return new TranscriptError('unknown-format', text, { file: path });
}
