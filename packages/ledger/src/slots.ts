import type { Fact, FactType, Place, Superseded } from './fact.ts';
import { importanceOf } from './importance.ts';

/** The current value of each key of one type, and what the newest values took the place of. */
export interface Slots {
  /** Makes a value current; the one before it is superseded. The key moves behind all others. */
  set(key: string, value: string, place: Place): void;
  get(key: string): string | undefined;
  /** The key holds no longer. */
  drop(key: string): void;
  /** The same, for a value that nobody repeats: it is not remembered. */
  forget(key: string): void;
  facts(): Fact[];
  superseded(): Superseded[];
}

interface SlotsOptions {
  /** From this many keys on the oldest one is forgotten; default: none is. */
  readonly limit?: number;
}

/** Old values that are remembered of a key; older ones are too far away to be mistaken for the current one. */
const MAX_STALE = 12;

/** Creates the store of one type of fact. Every operation is O(1) in the number of keys. */
export function createSlots(type: FactType, options: SlotsOptions = {}): Slots {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const current = new Map<string, { readonly value: string; readonly place: Place }>();
  const stale = new Map<string, string[]>();
  const retire = (key: string): void => {
    const before = current.get(key)?.value;
    if (before === undefined) return;
    const values = (stale.get(key) ?? []).filter((value) => value !== before);
    stale.set(key, [...values, before].slice(-MAX_STALE));
  };
  return {
    set(key, value, place) {
      if (current.get(key)?.value !== value) retire(key);
      current.delete(key);
      current.set(key, { value, place });
      const oldest = current.size > limit ? current.keys().next().value : undefined;
      if (oldest !== undefined) current.delete(oldest);
    },
    get: (key) => current.get(key)?.value,
    drop(key) {
      retire(key);
      current.delete(key);
    },
    forget(key) {
      current.delete(key);
    },
    facts: () =>
      [...current].map(([key, { value, place }]) => ({
        type,
        key,
        value,
        ...place,
        ...importanceOf(type),
      })),
    superseded: () =>
      [...stale].flatMap(([key, values]) => {
        const now = current.get(key)?.value;
        return values
          .filter((value) => value !== now)
          .map((value) => ({ type, key, value, current: now }));
      }),
  };
}
