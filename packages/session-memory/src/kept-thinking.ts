import { isPerson, type MessageLike, type ThinkingRule } from '@varve/messages';
import { bringsResults, callsTools, canLoseThinking, hasThinking } from './message-facts.ts';

/** Which messages lose their thinking, by index; or that nothing before it may change now. */
export type KeptThinking =
  | { readonly kind: 'legal'; readonly drop: readonly number[] }
  | { readonly kind: 'bound' };

/**
 * What happens to thinking from `start` on when everything before is replaced. A `prefix-bound` model refuses thinking whose
 * earlier messages changed: all of it goes, which is legal only when no tool loop is open. A `latest-turn` model wants
 * that of the open loop and no other.
 */
export function keptThinking(
  messages: readonly MessageLike[],
  start: number,
  rule: ThinkingRule,
): KeptThinking {
  if (rule === 'free') return { kind: 'legal', drop: [] };
  const openFrom = openTurnStart(messages);
  const places = messages
    .slice(start)
    .flatMap((message, at) => (hasThinking(message) ? start + at : []));
  const closed = places.filter((index) => index < openFrom);
  const canGo = closed.every((index) => canLoseThinking(messages[index] as MessageLike));
  if (rule === 'prefix-bound' && (closed.length < places.length || !canGo))
    return { kind: 'bound' };
  return { kind: 'legal', drop: canGo ? closed : [] };
}

/** Where the turn starts whose tool loop is open: behind the last that a person said before its newest calls. */
function openTurnStart(messages: readonly MessageLike[]): number {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const isOpen = (message: MessageLike) => callsTools(message) || bringsResults(message);
  if (lastReply < 0 || !messages.slice(lastReply).some(isOpen)) return messages.length;
  return messages.slice(0, lastReply + 1).findLastIndex(isPerson) + 1;
}
