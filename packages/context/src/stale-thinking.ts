import { type Edit, type Entry, type Message, stampHolds, type View } from '@varve/messages';
import { loggedMessages } from './logged-messages.ts';
import { isThought } from './messages-of.ts';

/**
 * The edit that takes out thinking that is bound to another model, system prompt or tools than those of the next request,
 * and all thinking behind it. Undefined where all of it can be sent back. Looks at the whole log.
 */
export function staleThinkingEdit(entries: readonly Entry[], view: View): Edit | undefined {
  const isStale = staleness(entries, view);
  const first = view.messages.findIndex((message) => thinks(message) && isStale(message));
  if (first < 0) return undefined;
  const logged = loggedMessages(entries);
  const stale = view.messages.slice(first).filter(thinks);
  const blocks = stale.flatMap(({ sources }) => sources).flatMap(dropped);
  return { kind: 'replace-content', blocks };

  function dropped(messageId: string) {
    const content = logged.get(messageId)?.content ?? [];
    return content.flatMap((block, index) =>
      isThought(block) ? [{ messageId, index, block: null }] : [],
    );
  }
}

/** Where nobody noted what a reply answered, it answered what the log had before its newest head. */
function staleness(entries: readonly Entry[], view: View): (message: Message) => boolean {
  const newestHead = entries.findLastIndex(({ type }) => type === 'head');
  const older = new Set(
    entries
      .slice(0, newestHead)
      .flatMap((entry) => (entry.type === 'message' ? entry.message.id : [])),
  );
  return ({ id, response }) =>
    response?.request ? !stampHolds(view, response.request) : older.has(id);
}

const thinks = ({ content }: Message): boolean => content.some(isThought);
