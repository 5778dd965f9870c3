import { apiRounds, type Message, stableStringify } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import type { Strategy } from '../strategy.ts';
import { requestFor } from './request-for.ts';

const DROP_ABOVE_TOKENS = 120_000;
const DROP_TO_TOKENS = 60_000;

/**
 * Drops whole rounds from the front: above 120,000 tokens down to 60,000. The newest message that a person wrote stays in
 * front of what is left, so that the request begins with one.
 */
const dropOldest: Strategy = {
  name: 'drop-oldest',
  create(context) {
    const { sizeOf, head } = context;
    const sizeOfAll = (messages: readonly Message[]): number =>
      messages.reduce((sum, message) => sum + sizeOf(message), 0);
    let kept: Message[] = [];
    let tokens = sizeOf(head);
    let edited: number | undefined;
    function drop(): void {
      const rounds = [...apiRounds(kept)];
      let asked = kept[0] as Message;
      while (tokens > DROP_TO_TOKENS && rounds.length > 1) {
        const dropped = rounds.shift() ?? [];
        asked = dropped.findLast(isPerson) ?? asked;
        tokens -= sizeOfAll(dropped);
      }
      tokens += sizeOf(asked);
      const before = kept;
      kept = [asked, ...rounds.flat()];
      edited = kept.findIndex((message, at) => !isSame(message, before[at]));
    }
    return {
      add(message) {
        kept.push(message);
        tokens += sizeOf(message);
      },
      request() {
        edited = undefined;
        if (tokens > DROP_ABOVE_TOKENS) drop();
        return requestFor(context, kept);
      },
      announced: () => (edited === undefined ? undefined : { from: edited, reason: 'dropped' }),
    };
  },
};

/** A person may say the same twice. */
const isSame = (one: Message, other: Message | undefined): boolean =>
  one === other ||
  (one.role === other?.role && stableStringify(one.content) === stableStringify(other.content));

export default dropOldest;
