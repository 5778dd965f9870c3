import { fingerprint } from '@varve/messages';
import type { Situation } from './situation.ts';

/** The id of the message that stands for a conversation; the same conversation gives the same one. */
export function summaryIdOf({ messages, tokensBefore }: Situation): string {
  const ends = [messages[0]?.id, messages.at(-1)?.id, messages.length, tokensBefore];
  return `summary-${fingerprint(JSON.stringify(ends))}`;
}
