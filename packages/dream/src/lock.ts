/** Holds dreams of all processes apart, and remembers the last one. `consolidateLock(folder)` of `@varve/dream/node` is one on disk. */
export interface DreamLock {
  /** When memory was consolidated last, in ms since 1970; undefined: never. */
  lastMs(): Promise<number | undefined>;
  /** Undefined where another owner has it. */
  take(options: { readonly signal?: AbortSignal | undefined }): Promise<DreamLease | undefined>;
}

export interface DreamLease {
  /** Whether nobody has taken it over meanwhile. */
  isHeld(): boolean;
  /** Gives it back; with a time that is when memory was consolidated last, without one that stays as it was. */
  release(consolidatedMs?: number): Promise<void>;
}

/** A lock for one process, which forgets with it. */
export function processLock(): DreamLock {
  let last: number | undefined;
  let holder: symbol | undefined;
  return {
    lastMs: async () => last,
    async take({ signal }) {
      signal?.throwIfAborted();
      if (holder !== undefined) return undefined;
      const own = Symbol('lease');
      holder = own;
      return {
        isHeld: () => holder === own,
        async release(consolidatedMs) {
          if (holder !== own) return;
          holder = undefined;
          last = consolidatedMs ?? last;
        },
      };
    },
  };
}
