import type { Entry, ViewMessage } from '@varve/messages';

/** Which messages came together in place of a span: an edit takes all of them or none. O(new). */
export interface Replacements {
  observe(entry: Entry): void;
  /** Whether a cut between two messages that follow each other would part what came together. */
  parts(before: ViewMessage | undefined, after: ViewMessage | undefined): boolean;
}

export function createReplacements(): Replacements {
  const broughtBy = new Map<string, string>();
  const editOf = (message: ViewMessage | undefined) =>
    message && broughtBy.get(message.sources[0] as string);
  return {
    observe(entry) {
      if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return;
      for (const { id } of entry.edit.with) broughtBy.set(id, entry.id);
    },
    parts(before, after) {
      const edit = editOf(before);
      return edit !== undefined && edit === editOf(after);
    },
  };
}
