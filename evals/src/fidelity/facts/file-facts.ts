import type { FileChange } from './calls.ts';
import type { FactValue } from './fact.ts';
import type { FactTable, Place } from './fact-table.ts';

/** Files as the session left them, each under the longest name it was given. */
export interface FileFacts {
  read(path: string, place: Place): void;
  change(change: FileChange, place: Place): void;
}

export function createFileFacts(table: FactTable): FileFacts {
  const names = createPathNames();
  return {
    read: (path, place) => table.put({ type: 'file-read', key: names.nameOf(path) }, place),
    change: ({ path, op }, place) =>
      table.put({ type: 'file-state', key: names.nameOf(path), value: OPS[op] }, place),
  };
}

const OPS: Readonly<Record<FileChange['op'], FactValue>> = {
  created: { kind: 'file', name: 'there' },
  edited: { kind: 'file', name: 'there' },
  deleted: { kind: 'file', name: 'deleted' },
};

/** One file is named absolutely, relatively or by a suffix; the first name that another ends in stands for all. */
function createPathNames() {
  const byLast = new Map<string, string[]>();
  return {
    nameOf(path: string): string {
      const own = path.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
      const last = own.slice(own.lastIndexOf('/') + 1);
      const known = byLast.get(last) ?? [];
      const same = known.find((each) => isSuffix(each, own) || isSuffix(own, each));
      if (same !== undefined) return same;
      byLast.set(last, [...known, own]);
      return own;
    },
  };
}

const isSuffix = (whole: string, end: string): boolean =>
  whole === end || whole.endsWith(`/${end}`);
