import type { Fact, FactType, FactValue } from './fact.ts';

/** Where in the session something was said. */
export interface Place {
  readonly messageId: string;
  readonly index: number;
}

/** Facts by type and key: what is said later of the same key takes its place, and what it was before is stale. */
export interface FactTable {
  put(fact: { type: FactType; key: string; value?: FactValue | undefined }, place: Place): void;
  /** It is no longer so, and nothing else is. */
  drop(type: FactType, key: string): void;
  facts(): readonly Fact[];
}

export function createFactTable(): FactTable {
  const table = new Map<string, Fact>();
  return {
    put({ type, key, value }, { messageId, index }) {
      const id = idOf(type, key);
      const before = table.get(id);
      const stale = before?.value && before.value.name !== value?.name ? [before.value] : [];
      const older = (before?.stale ?? []).filter(({ name }) => name !== value?.name);
      const born = before?.born ?? index;
      table.set(id, { type, key, value, stale: [...older, ...stale], messageId, born });
    },
    drop: (type, key) => void table.delete(idOf(type, key)),
    facts: () => [...table.values()],
  };
}

const idOf = (type: FactType, key: string): string => `${type}\n${key}`;
