import type { StoredItem, ToolResultStore } from './store.ts';

export interface MemoryStoreOptions {
  /** Clock for `modifiedMs`, in ms since 1970. @default a counter that starts at 0 */
  readonly now?: (() => number) | undefined;
}

/** A store in memory, for tests and for sessions that need not outlive their process. */
export function memoryStore({ now = counter() }: MemoryStoreOptions = {}): ToolResultStore {
  const items = new Map<string, { readonly data: Uint8Array; readonly modifiedMs: number }>();
  return {
    async put(key, bytes, { signal } = {}) {
      signal?.throwIfAborted();
      items.set(key, { data: bytes.slice(), modifiedMs: now() });
    },
    async get(key, { range, signal } = {}) {
      signal?.throwIfAborted();
      return items.get(key)?.data.slice(range?.start, range?.end);
    },
    async delete(key, { signal } = {}) {
      signal?.throwIfAborted();
      items.delete(key);
    },
    async list(prefix, { signal } = {}) {
      signal?.throwIfAborted();
      return [...items]
        .filter(([key]) => key.startsWith(prefix))
        .map(
          ([key, { data, modifiedMs }]): StoredItem => ({ key, bytes: data.length, modifiedMs }),
        );
    },
  };
}

function counter(): () => number {
  let ticks = 0;
  return () => ticks++;
}
