import type { StoreCallOptions, ToolResultStore } from './store.ts';

/** A store whose calls end as soon as they are aborted, whether or not the store listens. */
export function interruptible(store: ToolResultStore): ToolResultStore {
  const { hash } = store;
  return {
    put: (key, bytes, options) => untilAborted(store.put(key, bytes, options), options),
    get: (key, options) => untilAborted(store.get(key, options), options),
    delete: (key, options) => untilAborted(store.delete(key, options), options),
    list: (prefix, options) => untilAborted(store.list(prefix, options), options),
    tidy: async (options) => store.tidy?.(options),
    ...(hash !== undefined && { hash }),
  };
}

/** What the work gives, unless the signal is aborted first: then it rejects with the reason, and nobody waits for the work. */
export function untilAborted<Result>(
  work: Promise<Result>,
  { signal }: StoreCallOptions = {},
): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
