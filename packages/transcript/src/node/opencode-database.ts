import type { DatabaseSync } from 'node:sqlite';
import { isRecord } from '@varve/guards';
import { hasTables } from './database-tables.ts';
import { messageOfRow } from './opencode-rows.ts';
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
  const parse: Parse = (data, ids) => {
    try {
      const value = JSON.parse(String(data));
      if (isRecord(value)) return { ...value, ...ids };
    } catch {}
    bad += 1;
    return ids;
  };
  const isFirst = hasTables(database, ['message', 'part']);
  const messages = isFirst ? messagesOfVersion1(database, id, parse) : [];
  const newer = rowsOfVersion2(database, id, messages.length > 0).map(({ data, ...row }) =>
    messageOfRow(parse(data, row)),
  );
  const parent = typeof row.parent_id === 'string' ? row.parent_id : undefined;
  const info = { id, version: row.version };
  return { id, parent, format: 'opencode', info, messages: [...messages, ...newer], bad };
}

type Parse = (data: unknown, ids: Record<string, unknown>) => Record<string, unknown>;

function messagesOfVersion1(
  database: DatabaseSync,
  id: string,
  parse: Parse,
): StoredSession['messages'] {
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
  return messageRows.all(id).map(({ id: message, data }) => ({
    info: parse(data, { id: message }),
    parts: parts.get(String(message)) ?? [],
  }));
}

/**
 * OpenCode 2 keeps what is said as rows of their own. Where a session has messages of version 1, those that were copied from them are not read
 * again: only what came later is.
 */
function rowsOfVersion2(
  database: DatabaseSync,
  id: string,
  isContinued: boolean,
): readonly Record<string, unknown>[] {
  if (!hasTables(database, ['session_message'])) return [];
  const later = isContinued
    ? 'AND time_created > (SELECT max(time_created) FROM message WHERE session_id = session_message.session_id)'
    : '';
  const rows = database.prepare(
    `SELECT id, type, data FROM session_message WHERE session_id = ? ${later} ORDER BY seq`,
  );
  return rows.all(id);
}
