import { createToolStorage, type StoredItem, type ToolResultStore } from '@varve/tool-storage';

/** What an SQL table, Redis or an S3 bucket offers in one way or another. */
interface Table {
  set(key: string, row: { data: Uint8Array; at: number }): Promise<void>;
  get(key: string): Promise<{ data: Uint8Array; at: number } | undefined>;
  delete(key: string): Promise<void>;
  keys(prefix: string): Promise<string[]>;
}

/** Results in a table with a key column. One write of a row is all or nothing, which is all that `put` promises. */
export function tableStore(table: Table = tableInMemory(), now = Date.now): ToolResultStore {
  return {
    async put(key, bytes, { signal } = {}) {
      signal?.throwIfAborted();
      await table.set(key, { data: bytes.slice(), at: now() });
    },
    async get(key, { range, signal } = {}) {
      signal?.throwIfAborted();
      return (await table.get(key))?.data.slice(range?.start, range?.end);
    },
    async delete(key, { signal } = {}) {
      signal?.throwIfAborted();
      await table.delete(key);
    },
    async list(prefix, { signal } = {}) {
      signal?.throwIfAborted();
      const items: StoredItem[] = [];
      for (const key of await table.keys(prefix)) {
        const row = await table.get(key);
        if (row !== undefined) items.push({ key, bytes: row.data.length, modifiedMs: row.at });
      }
      return items;
    },
  };
}

function tableInMemory(): Table {
  const rows = new Map<string, { data: Uint8Array; at: number }>();
  return {
    set: async (key, row) => void rows.set(key, row),
    get: async (key) => rows.get(key),
    delete: async (key) => void rows.delete(key),
    keys: async (prefix) => [...rows.keys()].filter((key) => key.startsWith(prefix)),
  };
}

if (import.meta.main) {
  const results = createToolStorage({ store: tableStore(), sessionId: 'session-1' });
  const content = 'one line of many\n'.repeat(10_000);
  const shown = await results.offload({ toolUseId: 'toolu_1', toolName: 'grep', content });
  console.log(
    shown.kind,
    await results.runReadTool({ handle: results.handles()[0], lines: [1, 2] }),
  );
}
