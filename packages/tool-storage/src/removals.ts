import type { Json } from '@varve/messages';

/** Handles whose results were removed on request: they stay so, whoever else still holds the content. */
export function createRemovals() {
  const removed = new Set<string>();
  const fresh = new Set<string>();
  return {
    has: (handle: string): boolean => removed.has(handle),
    add(handle: string): void {
      removed.add(handle);
      fresh.add(handle);
    },
    /** Takes over what a note says. */
    restore: (handle: string): void => void removed.add(handle),
    /** The same result was stored anew. */
    undo(handle: string): void {
      removed.delete(handle);
      fresh.delete(handle);
    },
    /** What was removed since the last call. */
    takeFresh(): string[] {
      const handles = [...fresh];
      fresh.clear();
      return handles;
    },
  };
}

export type Removals = ReturnType<typeof createRemovals>;

/** The removed handles that a note names; what is none is left out. */
export function removalsIn(data: Json): string[] {
  const list = typeof data === 'object' && data !== null && 'removed' in data ? data.removed : [];
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
