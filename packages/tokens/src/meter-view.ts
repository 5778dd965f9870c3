import type { Block, Entry, Message, OpenRound, View } from '@varve/messages';
import { stampHolds } from '@varve/messages/stamps';
import type { AnchorResult } from './meter-accept.ts';
import { type MessageRow, syncMessages } from './meter-edit.ts';
import { takeUsage } from './meter-plain.ts';
import type { MeterState } from './meter-state.ts';

/**
 * Brings the messages up to those of a view, then takes the usage that holds for it: that of a reply that was just
 * appended, or, after an edit, of the newest reply whose stamp still holds.
 */
export function observeView(state: MeterState, entry: Entry, view: View): AnchorResult | undefined {
  const row = requestRow(view);
  const same = syncMessages(state, row, view.changedFrom);
  if (entry.type === 'message') return takeReply(state, entry.message, { row, view });
  if (entry.type !== 'edit') return undefined;
  for (let index = row.length - 1; index >= same; index--) {
    const reply = row.at(index);
    if (!reply.response?.request || !stampHolds(view, reply.response.request)) continue;
    const result = takeAt(state, reply, { index, learns: false });
    if (result?.kind === 'anchored') return result;
  }
  return undefined;
}

interface Shown {
  readonly row: MessageRow<Message>;
  readonly view: View;
}

function takeReply(state: MeterState, reply: Message, { row, view }: Shown) {
  if (reply.role !== 'assistant') return undefined; // it would be looked for among all messages
  const request = reply.response?.request;
  if (request && !stampHolds(view, request)) return undefined;
  const index = lastIndex(row, ({ id, role }) => id === reply.id && role === 'assistant');
  if (index < 0) return undefined;
  state.billedReplies.set(reply.id, reply.content);
  return takeAt(state, reply, { index, learns: true });
}

/** Where a reply was edited, or messages slipped in before it, the bill covers what the request carried only. */
function takeAt(
  state: MeterState,
  { id, content, response }: Message,
  { index, learns }: { readonly index: number; readonly learns: boolean },
): AnchorResult | undefined {
  if (!response?.usage) return undefined;
  const { id: responseId, usage, request } = response;
  const promptCount = request?.messageCount ?? index;
  if (promptCount === index && isAsBilled(content, state.billedReplies.get(id))) {
    return takeUsage(state, usage, { responseId, promptCount, covers: index + 1, learns });
  }
  const prompt = { ...usage, output_tokens: 0 };
  return takeUsage(state, prompt, { responseId, promptCount, covers: promptCount, learns });
}

function isAsBilled(content: readonly Block[], billed: readonly Block[] | undefined): boolean {
  if (content.length !== billed?.length) return false;
  return content.every((block, index) => block === billed[index]);
}

/** Closed rounds, and the open one as it would stand there: not as one list, which would be a copy for each entry. */
function requestRow({ messages, open }: View): MessageRow<Message> {
  const tail = open ? openMessages(open) : [];
  return {
    length: messages.length + tail.length,
    at: (index) => (messages[index] ?? tail[index - messages.length]) as Message,
  };
}

function openMessages({ assistant, results, queued }: OpenRound): readonly Message[] {
  if (results.length === 0) return [assistant, ...queued];
  return [assistant, { id: assistant.id, role: 'user', content: results }, ...queued];
}

function lastIndex(row: MessageRow<Message>, fits: (message: Message) => boolean): number {
  let index = row.length - 1;
  while (index >= 0 && !fits(row.at(index))) index--;
  return index;
}
