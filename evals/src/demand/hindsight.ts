import type { Message } from '@varve/messages';
import type { NeedsAt } from './needs.ts';

/** A place in the session at which compactions are compared. */
export interface Cut {
  /** The recorded reply before whose request it is. */
  readonly messageIndex: number;
  /** What the calls that follow need. */
  readonly calls: NeedsAt;
  /** What the words that follow name. */
  readonly words: NeedsAt;
}

export interface CutsInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
}

/** The first replies behind 25, 40, 55, 70 and 85 % of a session's tokens. */
export function cutPlaces({ history, replies, sizeOf }: CutsInput): readonly number[] {
  const before: number[] = [];
  let total = 0;
  for (const message of history) {
    before.push(total);
    total += sizeOf(message);
  }
  const places = CUT_SHARES.map((share) =>
    replies.find((reply) => (before[reply] as number) >= share * total),
  );
  return [...new Set(places.filter((place) => place !== undefined))];
}

/** Fixed before looking at any session. */
const CUT_SHARES = [0.25, 0.4, 0.55, 0.7, 0.85];
