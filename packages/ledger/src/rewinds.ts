import type { Entry, Message, View } from '@varve/messages';
import { logOf } from '@varve/messages/log';

/** Which messages of a log the live rewinds took back. */
interface Rewinds {
  /** Takes an entry and the view after it; true where it changes what survives. */
  take(entry: Entry, view: View): boolean;
  survivors(messages: readonly Message[]): readonly Message[];
}

export function createRewinds(): Rewinds {
  const made = new Set<string>();
  let gone: ReadonlySet<string> = new Set();
  return {
    take(entry, view) {
      if (entry.type !== 'edit') return false;
      const log = logOf(view);
      if (isRewind(entry)) made.add(entry.id);
      if (!made.has(log.undoes(entry.id) ?? '')) return false;
      gone = new Set([...made].filter(log.isLive).flatMap(log.took));
      return true;
    },
    survivors: (messages) => messages.filter(({ id }) => !gone.has(id)),
  };
}

/** A span with nothing in its place, whose author or reason says that it is a rewind. */
function isRewind({ by, reason, edit }: Extract<Entry, { type: 'edit' }>): boolean {
  if (edit.kind !== 'replace-span' || edit.with.length + edit.then.length > 0) return false;
  return by === 'rewind' || /(?:^|-)rewind(?:-|$)/.test(reason);
}
