import type { DatabaseSync } from 'node:sqlite';
import { isRecord } from '@varve/guards';
import type { SessionLink, StoredSession } from './stored-session.ts';

/** The sessions in a database of OpenCode or Kilo, oldest first. */
export function opencodeLinks(database: DatabaseSync): readonly SessionLink[] {
  const rows = database.prepare(
    'SELECT id, parent_id AS parent FROM session ORDER BY time_created, id',
  );
  return rows.all().map(({ id, parent }) => ({
    id: String(id),
    parent: typeof parent === 'string' ? parent : undefined,
  }));
}

/** A session as the rows have it; undefined where it is not in the database. */
export function readOpencodeSession(database: DatabaseSync, id: string): StoredSession | undefined {
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
  const info = { id, version: row.version };
  return { id, parent, format: 'opencode', info, messages, bad };
}
