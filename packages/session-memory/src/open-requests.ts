import type { MessageLike } from '@varve/messages';
import { bringsResults, callsTools, hasText, isReply, isSaid } from './message-facts.ts';

/** Indexes before `end` of what a person said and no reply has answered to its end; ascending. */
export function openRequests(messages: readonly MessageLike[], end: number): readonly number[] {
  const open: number[] = [];
  for (let index = lastAnswer(messages) + 1; index < end; index++) {
    if (isSaid(messages[index] as MessageLike)) open.push(index);
  }
  return open;
}

/** The first unanswered words that stand beside results: they can only be kept with their round; the end where there are none. */
export function firstWordsBeside(messages: readonly MessageLike[]): number {
  const from = lastAnswer(messages) + 1;
  const found = messages.slice(from).findIndex(isSaidBeside);
  return found < 0 ? messages.length : from + found;
}

function isSaidBeside(message: MessageLike): boolean {
  const { origin } = message as { readonly origin?: { readonly kind?: string } };
  const byPerson = origin === undefined || origin.kind === 'command';
  return byPerson && bringsResults(message) && hasText(message);
}

/** Index of the newest reply that came to its end; -1 where there is none. Assistant messages in a row are one reply. */
export function lastAnswer(messages: readonly MessageLike[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const isLast = messages[index + 1]?.role !== 'assistant';
    if (isLast && endsTurn(messages, index)) return index;
  }
  return -1;
}

function endsTurn(messages: readonly MessageLike[], last: number): boolean {
  if (!isReply(messages[last] as MessageLike)) return false;
  const { response } = messages[last] as { readonly response?: { readonly stopReason?: string } };
  if (!ENDS.includes(response?.stopReason ?? 'end_turn')) return false;
  for (let index = last; messages[index]?.role === 'assistant'; index--) {
    if (callsTools(messages[index] as MessageLike)) return false;
  }
  return true;
}

const ENDS: readonly string[] = ['end_turn', 'stop_sequence', 'refusal', 'unknown'];
