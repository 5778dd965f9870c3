import { apiRounds, type Message } from '@varve/messages';
import { randomFrom } from '../../random.ts';
import type { Compactor, CompactorContext } from '../compactor.ts';

export type Choose = (
  messages: readonly Message[],
  budget: { readonly tokens: number; readonly sizeOf: CompactorContext['sizeOf'] },
) => readonly Message[];

/** A compactor that writes nothing and keeps what `choose` chooses. */
export function keepSome(name: string, choose: Choose): Compactor {
  return {
    name,
    create({ sizeOf }) {
      let messages: Message[] = [];
      return {
        add: (message) => void messages.push(message),
        compact(budgetTokens) {
          messages = [...choose(messages, { tokens: budgetTokens, sizeOf })];
          return { messages: [...messages], synthesised: [] };
        },
      };
    },
  };
}

export const keepAll = keepSome('keep-all', (messages) => messages);

export const dropAll = keepSome('drop-all', () => []);

/** The newest rounds that fit, and of the next one the newest messages that do. */
export const dropOldest = keepSome('drop-oldest', (messages, { tokens, sizeOf }) => {
  let left = tokens;
  const kept: Message[] = [];
  for (const round of apiRounds(messages).toReversed()) {
    const size = round.reduce((sum, message) => sum + sizeOf(message), 0);
    if (size > left && kept.length > 0) break;
    for (const message of round.toReversed()) {
      left -= sizeOf(message);
      if (left < 0) return kept.toReversed();
      kept.push(message);
    }
  }
  return kept.toReversed();
});

/** Messages drawn by lot, in their order: what any method has to beat. */
export const randomMessages = (seed: number): Compactor =>
  keepSome(`random-${seed}`, (messages, { tokens, sizeOf }) => {
    const random = randomFrom(seed);
    const drawn = messages
      .map((message, at) => ({ message, at, lot: random() }))
      .sort((one, other) => one.lot - other.lot);
    return fitting(drawn, { tokens, sizeOf });
  });

export interface Candidate {
  readonly message: Message;
  readonly at: number;
}

/** Takes candidates in the order given while they fit, and returns them in the order of the session. */
export function fitting(
  candidates: readonly Candidate[],
  { tokens, sizeOf }: { readonly tokens: number; readonly sizeOf: (message: Message) => number },
): readonly Message[] {
  let left = tokens;
  const kept = candidates.filter(({ message }) => {
    const size = sizeOf(message);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return kept.sort((one, other) => one.at - other.at).map(({ message }) => message);
}
