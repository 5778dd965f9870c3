import { type Message, toolUses } from '@varve/messages';
import type { SessionDemand } from './session-demand.ts';

/** A place in the session where it is asked how much of the near future's demand is still at hand. */
export interface Cut {
  /** The recorded reply whose request is looked at. */
  readonly messageIndex: number;
  readonly units: readonly WeightedUnit[];
}

interface WeightedUnit {
  readonly unit: number;
  /** ln(1 + messages before the cut / those of them that show the unit): rare units weigh more. */
  readonly weight: number;
}

export interface CutsInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  readonly demand: SessionDemand;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
}

/**
 * The cuts at 25, 40, 55, 70 and 85 % of a session's tokens, each with the units that the next 24 tool calls use, that a
 * result or a call before the cut showed, and that nothing between the cut and the use shows again.
 */
export function hindsightCuts(input: CutsInput): readonly Cut[] {
  const places = cutPlaces(input);
  const showing = new Int32Array(input.demand.index.size);
  let counted = 0;
  return places.map((messageIndex) => {
    for (; counted < messageIndex; counted++) {
      for (const unit of input.demand.index.unitsOf(input.history[counted] as Message)) {
        showing[unit] = (showing[unit] ?? 0) + 1;
      }
    }
    const units = demandAfter(messageIndex, input).map((unit) => ({
      unit,
      weight: Math.log(1 + messageIndex / Math.max(1, showing[unit] ?? 0)),
    }));
    return { messageIndex, units };
  });
}

function cutPlaces({ history, replies, sizeOf }: CutsInput): readonly number[] {
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

function demandAfter(cut: number, { history, demand }: CutsInput): readonly number[] {
  const shownSince = new Set<number>();
  const wanted = new Set<number>();
  let calls = 0;
  for (let at = cut; at < history.length && calls < HORIZON_CALLS; at++) {
    const message = history[at] as Message;
    for (const unit of demand.at(at)) {
      if (demand.firstShownAt(unit) < cut && !shownSince.has(unit)) wanted.add(unit);
    }
    for (const unit of demand.index.unitsOf(message)) shownSince.add(unit);
    calls += toolUses(message).length;
  }
  return [...wanted];
}

// cuts fixed before looking at any session; three quarters of natural repeats come within 24 calls
const CUT_SHARES = [0.25, 0.4, 0.55, 0.7, 0.85];
const HORIZON_CALLS = 24;
