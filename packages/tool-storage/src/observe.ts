import type { Entry } from '@varve/messages';
import { fingerprintOf } from './content.ts';
import { type Decisions, decisionsIn, NOTE_BY } from './decisions.ts';
import { handlesIn } from './envelope.ts';
import { type MessageLike, resultsOf } from './messages.ts';

/** Learns from a log what the model has seen and which stored results it names. */
export function createObserver(decisions: Decisions) {
  const named = new Set<string>();
  const see = (message: MessageLike) => {
    for (const { tool_use_id: toolUseId, content = '' } of resultsOf(message)) {
      decisions.see(toolUseId, fingerprintOf(content));
    }
    collect(message.content, named);
  };
  return {
    see,
    named,
    observe(entry: Entry) {
      if (entry.type === 'message') see(entry.message);
      else collect(entry, named);
      if (entry.type !== 'note' || entry.by !== NOTE_BY) return;
      for (const decision of decisionsIn(entry.data)) decisions.restore(decision);
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
