import type { DatabaseSync } from 'node:sqlite';
import { isRecord } from '@varve/guards';
import type { SessionLink, StoredSession } from './stored-session.ts';

/** The sessions in a database of Goose, oldest first; which of them started which is not in it. */
export const gooseLinks = (database: DatabaseSync): readonly SessionLink[] =>
  database
    .prepare('SELECT id FROM sessions ORDER BY created_at, id')
    .all()
    .map(({ id }) => ({ id: String(id), parent: undefined }));

/** A session as the rows have it; undefined where it is not in the database. */
export function readGooseSession(database: DatabaseSync, id: string): StoredSession | undefined {
  const row = database.prepare('SELECT * FROM sessions WHERE id = ?').get(id);
  if (row === undefined) return undefined;
  let bad = 0;
  const parse = (json: unknown): unknown => {
    try {
      if (json === null || json === undefined) return undefined;
      return JSON.parse(String(json));
    } catch {
      bad += 1;
      return undefined;
    }
  };
  const rows = database.prepare('SELECT * FROM messages WHERE session_id = ? ORDER BY id');
  const messages: StoredSession['messages'][number][] = [];
  for (const message of rows.iterate(id)) {
    const info = {
      id: String(message.message_id ?? message.id),
      role: message.role,
      created: message.created_timestamp,
      content: parse(message.content_json),
      metadata: parse(message.metadata_json),
    };
    messages.push({ info, parts: [] });
  }
  const model = parse(row.model_config_json);
  const info = { id, working_dir: '', ...(isRecord(model) ? { model_config: model } : {}) };
  return { id, parent: undefined, format: 'goose', info, messages, bad };
}
