import type { DatabaseSync } from 'node:sqlite';
import { isRecord } from '@varve/guards';
import { TranscriptError } from '../error.ts';
import { type SessionLink, type StoredSession, sessionsBelow } from './opencode-stored.ts';

/** How long a database that another process writes is waited for, in ms. */
const BUSY_MS = 5000;

/** The sessions in a database of OpenCode or Kilo, oldest first; undefined for a database of something else. */
export async function databaseSessions(path: string): Promise<readonly SessionLink[] | undefined> {
  return inDatabase(path, (database) => {
    if (!isOpencode(database)) return undefined;
    return linksIn(database);
  });
}

function linksIn(database: DatabaseSync): readonly SessionLink[] {
  const rows = database.prepare(
    'SELECT id, parent_id AS parent FROM session ORDER BY time_created, id',
  );
  return rows.all().map(({ id, parent }) => ({
    id: String(id),
    parent: typeof parent === 'string' ? parent : undefined,
  }));
}

/**
 * A session and those below it, as the rows have them.
 *
 * @throws TranscriptError `unknown-format` for a database of something else, `not-found` for a session that is not in it, `unreadable`
 */
export async function readDatabaseSession(
  path: string,
  id: string,
): Promise<readonly StoredSession[]> {
  return inDatabase(path, (database) => {
    if (!isOpencode(database)) throw foreignDatabase(path);
    const found = readSession(database, id);
    if (found === undefined) {
      const text = `the database holds no session ${id}`;
      throw new TranscriptError('not-found', text, { file: path });
    }
    const below = sessionsBelow(id, linksIn(database));
    return [found, ...below.flatMap((child) => readSession(database, child) ?? [])];
  });
}

export function foreignDatabase(path: string): TranscriptError {
  const text =
    'a SQLite database, but not of OpenCode or Kilo (tables session, message, part); no other one can be read';
  return new TranscriptError('unknown-format', text, { file: path });
}

async function inDatabase<Result>(
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

function isOpencode(database: DatabaseSync): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = new Set(tables.map(({ name }) => name));
  return ['session', 'message', 'part'].every((name) => names.has(name));
}

function readSession(database: DatabaseSync, id: string): StoredSession | undefined {
  const row = database.prepare('SELECT * FROM session WHERE id = ?').get(id);
  if (row === undefined) return undefined;
  let bad = 0;
  const parse = (data: unknown, ids: Record<string, unknown>): Record<string, unknown> => {
    try {
      const value = JSON.parse(String(data));
      if (isRecord(value)) return { ...value, ...ids };
    } catch {}
    bad += 1;
    return ids;
  };
  const parts = new Map<string, unknown[]>();
  const partRows = database.prepare(
    'SELECT id, message_id AS message, data FROM part WHERE session_id = ? ORDER BY id',
  );
  for (const { id: part, message, data } of partRows.iterate(id)) {
    const list = parts.get(String(message)) ?? [];
    list.push(parse(data, { id: part }));
    parts.set(String(message), list);
  }
  const messageRows = database.prepare(
    'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
  );
  const messages = messageRows.all(id).map(({ id: message, data }) => ({
    info: parse(data, { id: message }),
    parts: parts.get(String(message)) ?? [],
  }));
  const parent = typeof row.parent_id === 'string' ? row.parent_id : undefined;
  return { id, parent, info: { id, version: row.version }, messages, bad };
}
