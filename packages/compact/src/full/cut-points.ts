import { legalCuts, type Message } from '@varve/messages';

/**
 * Where a history may be cut when a user message, the summary, comes to stand before what is kept: every call keeps its
 * results on its own side. Ascending, from 0; unlike `legalCuts`, what is kept may start with an assistant message.
 */
export function cutPoints(messages: readonly Message[]): readonly number[] {
  const shadow: Pick<Message, 'role' | 'content'>[] = [];
  const places: number[] = [];
  for (const [index, message] of messages.entries()) {
    const startsRound = message.role === 'assistant' && messages[index - 1]?.role !== 'assistant';
    if (startsRound) {
      shadow.push(STAND_IN);
      places.push(index);
    }
    shadow.push(message);
    places.push(index);
  }
  places.push(messages.length);
  return [...new Set(legalCuts(shadow).map((cut) => places[cut] as number))];
}

/** Stands before a round as the summary would. */
const STAND_IN: Pick<Message, 'role' | 'content'> = {
  role: 'user',
  content: [{ type: 'text', text: '-' }],
};
