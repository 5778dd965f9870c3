import { isText, isToolResult, type Message } from '@varve/messages';
import { isPerson, openRequests } from '@varve/messages/persons';

/** Positions of messages with a request of the user that is not answered to its end; ascending. */
export function openMessages(messages: readonly Message[]): readonly number[] {
  const { open, beside } = openRequests(messages);
  return beside.length === 0 ? open : [...open, ...beside].sort((left, right) => left - right);
}

/** An open request as it can stand alone: words beside tool results stay without those. */
export function requestAlone(message: Message): Message {
  if (!message.content.some(isToolResult)) return message;
  return { ...message, content: message.content.filter((block) => !isToolResult(block)) };
}

/** What the person says in messages that stay: it need not be told again. */
export const personText = (messages: readonly Message[]): string =>
  messages
    .filter(isPerson)
    .flatMap(({ content }) => content.flatMap((block) => (isText(block) ? [block.text] : [])))
    .join('\n');
