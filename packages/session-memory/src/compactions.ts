import type { Entry } from '@varve/messages';
import { isSummary } from './message-facts.ts';

/** Whether an edit put a summary in place of a stretch of the conversation. Collapsing folds a stretch and is none. */
export function isCompaction(entry: Entry): boolean {
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return false;
  const { with: inPlace, then } = entry.edit;
  return [...inPlace, ...then].some(isSummary);
}

/** Which compactions since a moment are in force: an undo takes one back, an undo of that brings it again. */
export interface Compactions {
  observe(entry: Entry): void;
  /** Forgets what was: counts from here. */
  restart(): void;
  isAny(): boolean;
}

export function createCompactions(): Compactions {
  const live = new Map<string, boolean>();
  const undone = new Map<string, string>();
  return {
    observe(entry) {
      if (entry.type !== 'edit') return;
      if (isCompaction(entry)) live.set(entry.id, true);
      if (entry.edit.kind !== 'undo') return;
      const target = undone.get(entry.edit.entryId) ?? entry.edit.entryId;
      if (!live.has(target)) return;
      undone.set(entry.id, target);
      live.set(target, !live.get(target));
    },
    restart() {
      live.clear();
      undone.clear();
    },
    isAny: () => [...live.values()].includes(true),
  };
}
