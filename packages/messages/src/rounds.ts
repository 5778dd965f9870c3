import type { MessageLike } from './like.ts';

/**
 * The messages of each API response, in order: an assistant message with the results and user messages up to the next
 * one. Assistant messages in a row are one response. Messages before the first response are a group of their own.
 * Concatenated, the groups are the history again; no message is read beyond its role.
 */
export function apiRounds<M extends MessageLike>(
  messages: readonly M[],
): readonly (readonly M[])[] {
  const rounds: M[][] = [];
  let previous: string | undefined;
  for (const message of messages) {
    const starts = message.role === 'assistant' && previous !== 'assistant';
    if (starts || rounds.length === 0) rounds.push([]);
    rounds.at(-1)?.push(message);
    previous = message.role;
  }
  return rounds;
}
