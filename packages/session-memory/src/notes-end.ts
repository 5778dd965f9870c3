import type { View } from '@varve/messages';
import { openRequests } from '@varve/messages/persons';
import { bringsResults } from './message-facts.ts';

/**
 * The last message that notes of a view cover: the end of the newest turn, or of the newest round of calls while one goes on;
 * a cut behind either parts no call from its result. A reply that was cut, and calls that wait, are still to be worked on.
 */
export function notesEnd({ messages }: View): string | undefined {
  const end = Math.max(openRequests(messages).lastAnswer, messages.findLastIndex(bringsResults));
  return messages[end]?.sources.at(-1);
}
