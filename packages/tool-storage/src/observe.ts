import type { Entry } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { type Decisions, decisionsIn, NOTE_BY } from './decisions.ts';
import { handlesIn } from './envelope.ts';
import { createLogged } from './logged.ts';
import { markOf, withoutText } from './mark.ts';
import { resultsOf } from './messages.ts';
import { type Removals, removalsIn } from './removals.ts';

/** Learns from a log what the model has seen, which stored results it names and which it holds whole. */
export function createObserver(decisions: Decisions, removals: Removals) {
  const named = new Set<string>();
  /** Of the log, which holds it anyway: names are looked for where they are asked for. */
  const unread: unknown[] = [];
  let model: string | undefined;
  const isStored = (handle: string): boolean => decisions.hashOf(handle) !== undefined;
  const logged = createLogged(isStored, removals.has);
  const see = (message: MessageLike, isLogged = false) => {
    for (const block of resultsOf(message)) {
      const mark = markOf(block.content ?? '');
      decisions.see(block.tool_use_id, isLogged ? mark : withoutText(mark));
      if (isLogged) logged.add(block, mark);
    }
    if (isLogged) unread.push(message.content);
    else collect(message.content, named);
  };
  return {
    see: (message: MessageLike) => see(message),
    /** Handles that were named, the oldest first. */
    named(): ReadonlySet<string> {
      for (const value of unread.splice(0)) collect(value, named);
      return named;
    },
    logged,
    /** That of the newest head. */
    model: () => model,
    observe(entry: Entry) {
      if (entry.type === 'message') see(entry.message, true);
      else unread.push(entry);
      if (entry.type === 'head') model = entry.head.model;
      if (entry.type !== 'note' || entry.by !== NOTE_BY) return;
      for (const decision of decisionsIn(entry.data)) {
        decisions.restore(decision);
        if (decision.kind === 'stored') removals.undo(decision.handle);
      }
      for (const handle of removalsIn(entry.data)) {
        removals.restore(handle);
        logged.remove(handle);
      }
    },
  };
}

/** Every handle in any string of a value: also what a summary or an edit mentions is referred to. */
function collect(value: unknown, into: Set<string>): void {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') for (const handle of handlesIn(next)) into.add(handle);
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Object.values(next)) pending.push(inner);
  }
}
