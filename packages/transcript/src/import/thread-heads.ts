import type { Head, TextBlock } from '@varve/messages';
import type { ThreadItem } from './items.ts';

/** Puts heads among the items of a thread. */
export function createHeads(items: ThreadItem[], makeId: (id: string) => string) {
  let firstSystem: TextBlock[] | undefined;

  /** The system prompt of the first head, so that it can grow. */
  function openSystem(): TextBlock[] {
    const index = items.findIndex(({ kind }) => kind === 'head');
    const begun = items[index];
    const head = begun?.kind === 'head' ? begun.head : { ...EMPTY, id: makeId('head') };
    const system = [...head.system];
    const item = { kind: 'head', head: { ...head, system } } as const;
    items.splice(Math.max(index, 0), index < 0 ? 0 : 1, item);
    return system;
  }

  return {
    /** Another head; one that no message followed gives way to it. */
    head(head: Omit<Head, 'id'>, at?: string): void {
      firstSystem = undefined;
      const index = items.findLastIndex(({ kind }) => kind === 'head');
      const begun = items[index];
      if (begun?.kind === 'head' && !items.slice(index).some(isMessage)) {
        items[index] = { ...begun, head: { id: begun.head.id, ...head } };
      } else items.push({ kind: 'head', head: { id: makeId('head'), ...head }, at });
    },
    /** More text of the system prompt, for files that write it as messages. */
    extendSystem(texts: readonly TextBlock[]): void {
      firstSystem ??= openSystem();
      for (const text of texts) firstSystem.push(text);
    },
  };
}

const isMessage = (item: ThreadItem): boolean => 'message' in item;

const EMPTY = { model: '', system: [], tools: [], params: {} } as const;
