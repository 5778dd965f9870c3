import { isText, isToolResult, isToolUse, type Message, type StopReason } from '@varve/messages';
import { isSummaryMessage } from './summary-text.ts';

/** Positions of the user's messages that no reply has answered in full yet; ascending. */
export function openMessages(messages: readonly Message[]): readonly number[] {
  const open: number[] = [];
  for (let index = lastAnswer(messages) + 1; index < messages.length; index++) {
    if (isPersonMessage(messages[index] as Message)) open.push(index);
  }
  return open;
}

/** What the person says in messages that stay: it need not be told again. */
export const personText = (messages: readonly Message[]): string =>
  messages
    .filter(isPersonMessage)
    .flatMap(({ content }) => content.flatMap((block) => (isText(block) ? [block.text] : [])))
    .join('\n');

/** A message of the person: no tool result, nothing injected, no summary. */
export function isPersonMessage(message: Message): boolean {
  const { role, origin, content } = message;
  if (role !== 'user' || content.some(isToolResult) || isSummaryMessage(message)) return false;
  return origin === undefined || origin.kind === 'command';
}

/** Where the last reply stands that ended its turn; -1 where there is none. */
function lastAnswer(messages: readonly Message[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    if (message.role !== 'assistant') continue;
    if (messages[index + 1]?.role !== 'assistant' && endsTurn(messages, index)) return index;
  }
  return -1;
}

/** Assistant messages in a row are one reply. */
function endsTurn(messages: readonly Message[], last: number): boolean {
  const stopReason = messages[last]?.response?.stopReason;
  if (stopReason !== undefined && UNFINISHED.has(stopReason)) return false;
  for (let index = last; messages[index]?.role === 'assistant'; index--) {
    if (messages[index]?.content.some(isToolUse)) return false;
  }
  return true;
}

const UNFINISHED: ReadonlySet<StopReason> = new Set<StopReason>([
  'aborted',
  'error',
  'max_tokens',
  'model_context_window_exceeded',
  'pause_turn',
]);

/** Whether the newest reply waits for nothing but its tool results to be read: its thinking has to stay as it is. */
export function inToolLoop(messages: readonly Message[]): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last < 0 || !messages[last]?.content.some(isToolUse)) return false;
  return !messages.slice(last + 1).some(isPersonMessage);
}
