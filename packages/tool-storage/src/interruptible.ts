import { untilAborted } from '@varve/guards';
import type { ToolResultStore } from './store.ts';

/** A store whose calls end as soon as they are aborted, whether or not the store listens. */
export function interruptible(store: ToolResultStore): ToolResultStore {
  const { hash } = store;
  return {
    put: (key, bytes, options) => untilAborted(store.put(key, bytes, options), options?.signal),
    get: (key, options) => untilAborted(store.get(key, options), options?.signal),
    delete: (key, options) => untilAborted(store.delete(key, options), options?.signal),
    list: (prefix, options) => untilAborted(store.list(prefix, options), options?.signal),
    tidy: async (options) => store.tidy?.(options),
    ...(hash !== undefined && { hash }),
  };
}
