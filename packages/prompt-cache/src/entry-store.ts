import type { CachePolicy } from './policy.ts';
import { checkOf, keyOf, type PrefixColumns } from './prefix-columns.ts';
import { type Life, stateAt } from './timing.ts';

/** The entries of a cache whose requests say where they end, found by the hash of the prefix. */
export interface EntryStore {
  find(columns: PrefixColumns, position: number): Life | undefined;
  save(columns: PrefixColumns, position: number, life: Life): void;
  /** Forgets what has expired, now and then. */
  sweep(startMs: number): void;
}

export function createEntryStore(policy: CachePolicy): EntryStore {
  const entries = new Map<number, Life & { readonly check: number }>();
  let sweepAt = 4_096;
  return {
    find(columns, position) {
      const entry = entries.get(keyOf(columns, position));
      return entry?.check === checkOf(columns, position) ? entry : undefined;
    },
    save(columns, position, life) {
      entries.set(keyOf(columns, position), { ...life, check: checkOf(columns, position) });
    },
    sweep(startMs) {
      if (entries.size < sweepAt) return;
      for (const [key, life] of entries) {
        if (stateAt(life, startMs, policy) === 'expired') entries.delete(key);
      }
      sweepAt = Math.max(4_096, entries.size * 2);
    },
  };
}
