import { type Entry, type Message, stampHolds, type View } from '@varve/messages';
import { type AnchorResult, acceptUsage, type UsagePlace } from './meter-accept.ts';
import { syncMessages } from './meter-edit.ts';
import { isSynthetic } from './meter-plain.ts';
import { expectedTokens, type MeterState } from './meter-state.ts';

/**
 * Brings the messages up to those of a view, then takes the usage that holds for it: that of a reply that was just
 * appended, or, after an edit, of the newest reply whose stamp still holds.
 */
export function observeView(state: MeterState, entry: Entry, view: View): AnchorResult | undefined {
  const messages = requestMessages(view);
  const same = syncMessages(state, messages, view.changedFrom);
  if (entry.type === 'message') return takeReply(state, entry.message, { messages, view });
  if (entry.type !== 'edit') return undefined;
  for (let index = messages.length - 1; index >= same; index--) {
    const message = messages[index] as Message;
    const { usage, request } = message.response ?? {};
    if (!usage || !request || isSynthetic(message) || !stampHolds(view, request)) continue;
    return acceptUsage(state, usage, { ...placeOf(message, index), learns: false });
  }
  return undefined;
}

interface Shown {
  readonly messages: readonly Message[];
  readonly view: View;
}

function takeReply(state: MeterState, reply: Message, { messages, view }: Shown) {
  const { usage, request } = reply.response ?? {};
  if (reply.role !== 'assistant' || !usage) return undefined;
  const index = messages.findLastIndex(({ id, role }) => id === reply.id && role === 'assistant');
  if (index < 0 || (request && !stampHolds(view, request))) return undefined;
  if (!isSynthetic(reply)) return acceptUsage(state, usage, placeOf(reply, index));
  const expected = Math.round(expectedTokens(state, index));
  const reason = 'synthetic-reply';
  return { kind: 'ignored', reason, billedTokens: 0, expectedTokens: expected } as const;
}

/** Where messages slipped in between a request and its reply, the bill covers what the request carried only. */
function placeOf({ response }: Message, index: number): UsagePlace {
  const promptCount = response?.request?.messageCount ?? index;
  const covers = promptCount === index ? index + 1 : promptCount;
  return { responseId: response?.id, promptCount, covers };
}

/** Closed rounds, and the open one as it would stand there. */
function requestMessages({ messages, open }: View): readonly Message[] {
  if (open === undefined) return messages;
  const { assistant, results, queued } = open;
  if (results.length === 0) return [...messages, assistant, ...queued];
  const answer: Message = { id: assistant.id, role: 'user', content: results };
  return [...messages, assistant, answer, ...queued];
}
