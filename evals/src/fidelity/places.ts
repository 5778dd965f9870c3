import type { Message } from '@varve/messages';

/** Where a session is compacted again. */
export interface RoundPlace {
  readonly messageIndex: number;
  /** Of compaction, from 1. */
  readonly round: number;
}

/** The ends of the first five sixths of a session's tokens. */
export function sixths(
  history: readonly Message[],
  sizeOf: (message: Message) => number,
): readonly RoundPlace[] {
  const total = history.reduce((sum, message) => sum + sizeOf(message), 0);
  const places: RoundPlace[] = [];
  let tokens = 0;
  for (const [at, message] of history.entries()) {
    tokens += sizeOf(message);
    const round = places.length + 1;
    if (round <= ROUNDS && tokens >= (total * round) / (ROUNDS + 1))
      places.push({ messageIndex: at + 1, round });
  }
  return places;
}

const ROUNDS = 5;
