import type { LogState } from './log-state.ts';
import type { Entry, Message, View } from './types.ts';

/**
 * What a projection knows of its log beyond the view. Every answer is O(1), or O(length) for a chain of undos, but for
 * `took`, and speaks of the log as it is when it is asked.
 */
export interface LogIndex {
  /** A message of the log by its id, as it was logged; those that edits brought included. */
  logged(messageId: string): Message | undefined;
  /** Which entry brought a message, and how. */
  broughtBy(messageId: string): Bringer | undefined;
  /** Whether an entry is an edit in force: one that was undone is not, one whose undo was undone is again. */
  isLive(entryId: string): boolean;
  /**
   * The edit that is switched on or off by an undo: what it undoes, and where that is an undo itself, what that one undoes.
   * Any other edit is its own; undefined for an entry that is no edit.
   */
  undoes(entryId: string): string | undefined;
  /**
   * Ids of the messages between both ends of a `replace-span`, in the order of the view, shown or not: those that it takes
   * away while it is in force. None for any other entry. O(their number).
   */
  took(entryId: string): readonly string[];
  /** Whether an entry or a message has this id. */
  has(id: string): boolean;
}

export interface Bringer {
  readonly entryId: string;
  /** An entry of its own, or a part of an edit: in place of its span, or behind everything logged before it. */
  readonly as: 'message' | 'with' | 'then';
}

/**
 * What is known of the log behind a view that `createProjection` or `project` made. A view that was put together by hand, a
 * copy included, has none: nothing is known then.
 */
export function logOf(view: View): LogIndex {
  return indexes.get(view) ?? NOTHING;
}

/** The messages that an entry brings: its own, or those of an edit, what stands for its span first. */
export function broughtMessages(entry: Entry): readonly Message[] {
  if (entry.type === 'message') return [entry.message];
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return [];
  return [...entry.edit.with, ...entry.edit.then];
}

/**
 * Whether a cut before a position of a view would part what one edit brought in place of a span: the log has no place
 * inside of that, so another span holds all of it or none.
 */
export function partsSpan(view: View, index: number): boolean {
  const { broughtBy } = logOf(view);
  const bringer = (id: string | undefined) => (id === undefined ? undefined : broughtBy(id));
  const left = bringer(view.messages[index - 1]?.sources.at(-1));
  if (left?.as !== 'with') return false;
  const right = bringer(view.messages[index]?.sources[0]);
  return right?.as === 'with' && left.entryId === right.entryId;
}

const NOTHING: LogIndex = {
  logged: () => undefined,
  broughtBy: () => undefined,
  isLive: () => false,
  undoes: () => undefined,
  took: () => [],
  has: () => false,
};

// A view is plain data that can be compared and copied, so what answers for its log stands beside it.
const indexes = new WeakMap<View, LogIndex>();

export const remember = (view: View, index: LogIndex): void => void indexes.set(view, index);

export function indexOf({ logged, entries, groups }: LogState): LogIndex {
  return {
    logged: (messageId) => logged.get(messageId)?.message,
    broughtBy(messageId) {
      const found = logged.get(messageId);
      if (!found) return undefined;
      const { entryId, owner, group } = found;
      if (!owner) return { entryId, as: 'message' };
      return { entryId, as: group?.place === -1 ? 'with' : 'then' };
    },
    isLive: (entryId) => entries.get(entryId)?.live ?? false,
    undoes(entryId) {
      let node = entries.get(entryId);
      while (node?.target) node = node.target;
      return node?.entryId;
    },
    took(entryId) {
      const span = entries.get(entryId)?.span;
      const taken = span ? groups.slice(span.from, span.to + 1) : [];
      return taken.flatMap(({ members }) => members.map(({ message }) => message.id));
    },
    has: (id) => entries.has(id) || logged.has(id),
  };
}
