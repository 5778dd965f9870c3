import type { Edit, Entry, Message } from '@varve/messages';

interface Rewind {
  readonly fromId: string;
  readonly toId: string;
  /** How many messages there were when it was made: later ones of the same id are others. */
  readonly count: number;
}

/** Which messages of a log the live rewinds took back. */
interface Rewinds {
  /** Takes an entry; true where it changes what survives. `count`: messages before the entry. */
  take(entry: Entry, count: number): boolean;
  survivors(messages: readonly Message[]): Message[];
}

export function createRewinds(): Rewinds {
  const made = new Map<string, Rewind>();
  const undone = new Set<string>();
  /** Ids of the entries whose undoing matters: of a rewind, or of an undo of one. */
  const undoes = new Map<string, string>();
  const flip = (id: string): boolean => {
    const again = undoes.get(id);
    if (again !== undefined) return flip(again);
    if (!made.has(id)) return false;
    if (!undone.delete(id)) undone.add(id);
    return true;
  };
  return {
    take(entry, count) {
      if (entry.type !== 'edit') return false;
      const { edit } = entry;
      if (edit.kind === 'undo') {
        undoes.set(entry.id, edit.entryId);
        return flip(edit.entryId);
      }
      if (edit.kind !== 'replace-span' || !isRewind(entry, edit)) return false;
      made.set(entry.id, { fromId: edit.fromId, toId: edit.toId, count });
      return true;
    },
    survivors(messages) {
      const gone = new Set<number>();
      for (const [id, rewind] of made) {
        if (undone.has(id)) continue;
        for (const index of span(messages, rewind)) gone.add(index);
      }
      return messages.filter((_, index) => !gone.has(index));
    },
  };
}

interface Author {
  readonly by: string;
  readonly reason: string;
}

function isRewind({ by, reason }: Author, edit: Extract<Edit, { kind: 'replace-span' }>): boolean {
  const empty = edit.with.length === 0 && edit.then.length === 0;
  return empty && (by === 'rewind' || /(?:^|-)rewind(?:-|$)/.test(reason));
}

function span(messages: readonly Message[], { fromId, toId, count }: Rewind): number[] {
  const known = messages.slice(0, count);
  const from = known.findIndex(({ id }) => id === fromId);
  const to = known.findIndex(({ id }) => id === toId);
  return from === -1 || to < from
    ? []
    : Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
