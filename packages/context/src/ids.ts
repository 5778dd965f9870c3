import type { Entry } from '@varve/messages';

/** Gives ids of which a log has none yet, whoever wrote it: `<kind>-<number of entries so far>`, or the next that is free. */
export function createIds() {
  const taken = new Set<string>();
  let count = 0;
  return {
    add(entry: Entry): void {
      count += 1;
      taken.add(entry.id);
      for (const id of messageIds(entry)) taken.add(id);
    },
    next(kind: string): string {
      let number = count + 1;
      while (taken.has(`${kind}-${number}`)) number += 1;
      return `${kind}-${number}`;
    },
  };
}

function messageIds(entry: Entry): readonly string[] {
  if (entry.type === 'message') return [entry.message.id];
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return [];
  return [...entry.edit.with, ...entry.edit.then].map(({ id }) => id);
}
