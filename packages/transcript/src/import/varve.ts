import { isRecord } from '@varve/guards';
import { createProjection, type Entry, MessagesError, parseEntry } from '@varve/messages';
import { isFormat } from '../log-format.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';

/** The log of this project: entries come through as they are; one that may not stand where it stands is left out. */
export function createVarve(context: ImportContext): Importer {
  const projection = createProjection();
  const lines = new Map<string, string>();
  const entries: Entry[] = [];

  function isRepeated(entry: Entry, text: string, line: number): boolean {
    const before = lines.get(entry.id);
    lines.set(entry.id, text);
    if (before === undefined) return false;
    const what =
      before === text
        ? 'an entry that stands twice was dropped once'
        : 'a second entry with the same id was dropped';
    context.problem(before === text ? 'duplicate-record' : 'bad-record', line, what);
    return true;
  }

  return {
    /** By its id, below. */
    identityOf: () => undefined,
    add(value, line) {
      const text = JSON.stringify(value);
      try {
        const entry = parseEntry(text);
        if (isFormat(entry, { line }) || isRepeated(entry, text, line)) return;
        projection.append(entry);
        entries.push(entry);
      } catch (error) {
        if (!MessagesError.is(error)) throw error;
        context.problem('bad-record', line, `an entry was dropped: ${error.message}`);
      }
    },
    finish() {
      const [first] = entries;
      const data = first?.type === 'note' ? first.data : undefined;
      const isFork = isRecord(data) && data.kind === 'fork';
      return [{ id: 'main', kind: 'main', startsMidSession: isFork, entries }];
    },
  };
}
