import type { DatabaseSync } from 'node:sqlite';

export function hasTables(database: DatabaseSync, tables: readonly string[]): boolean {
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = new Set(rows.map(({ name }) => name));
  return tables.every((table) => names.has(table));
}
