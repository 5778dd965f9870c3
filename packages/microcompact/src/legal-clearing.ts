import type { PlanContext } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { thinkingDrops } from '@varve/messages/thinking';
import type { Candidate, Candidates, ThinkingPlace } from './candidate.ts';
import { type Decide, type Decision, nothing, within } from './decision-types.ts';

/** A decision in a form the model accepts, with the thinking that has to go in the same edit. */
export interface LegalDecision extends Decision {
  readonly drops: readonly ThinkingPlace[];
}

/** What a decision is made legal for: the next request, and the messages that the candidates stand in. */
export interface LegalSituation {
  readonly context: PlanContext;
  readonly messages: readonly MessageLike[];
}

/**
 * Decides, and again over what may be touched if the model's rule for thinking forbids the outcome. On every model a
 * turn keeps all of its thinking or none, and an open turn keeps it. Where thinking is bound to what stands before it
 * (`thinkingDrops` says which), an edit is legal behind the last of it, or when a person has just spoken and all thinking
 * from the edited turn on goes in the same edit.
 */
export function decideLegally(
  decide: Decide,
  candidates: Candidates,
  { context, messages }: LegalSituation,
): LegalDecision {
  const decision = decide(candidates, context);
  if (decision.clear.length === 0 || candidates.thinking.length === 0) {
    return { ...decision, drops: [] };
  }
  const bound = boundThinking(candidates, { context, messages });
  const stuck = stuckTurns(candidates);
  const isReachable = (candidate: Candidate): boolean =>
    bound.mayChange(candidate) && !(isThought(candidate) && stuck.has(candidate.turn));
  const legal = decision.clear.every(isReachable)
    ? decision
    : decide(within(candidates, isReachable), context);
  const [first] = legal.clear;
  if (!first) {
    const isFree = decision.clear.every(bound.mayChange);
    return { ...(isFree ? legal : nothing('thinking-bound')), drops: [] };
  }
  const turns = new Set(legal.clear.filter(isThought).map(({ turn }) => turn));
  const goes = new Set(bound.behind(first));
  return withDrops(
    legal,
    candidates.thinking.filter((place) => turns.has(place.turn) || goes.has(place)),
  );
}

const isThought = ({ kind }: Candidate): boolean => kind === 'thinking';

/** The turn that is not over, and those with thinking that cannot be dropped. */
function stuckTurns({ thinking, turnOrder }: Candidates): ReadonlySet<number> {
  return new Set([turnOrder, ...thinking.filter(({ alone }) => alone).map(({ turn }) => turn)]);
}

/** The thinking that a change before it would bind to another prefix. */
function boundThinking({ thinking }: Candidates, { context, messages }: LegalSituation) {
  const { drop, bound } = thinkingDrops(messages, {
    rule: context.thinking,
    changedFrom: 0,
    closedTurns: 'keep',
    messagesStay: true,
  });
  const placesIn = (positions: readonly number[]): readonly ThinkingPlace[] => {
    const wanted = new Set(positions);
    return thinking.filter(({ messageIndex }) => wanted.has(messageIndex));
  };
  const places = placesIn(drop);
  const last = places.at(-1)?.order ?? -1;
  const stuck = placesIn(bound).at(-1)?.order ?? -1;
  return {
    mayChange: ({ order, turn }: Candidate): boolean =>
      order > last || (context.atUserTurn && turn > stuck),
    /** What goes with a change of a candidate: nothing behind the last, else all from its turn on. */
    behind: ({ order, turn: first }: Candidate): readonly ThinkingPlace[] =>
      order > last ? [] : places.filter(({ turn }) => turn >= first),
  };
}

/** All of `thinking` goes, what is cleared anyway once. */
function withDrops(decision: Decision, thinking: readonly ThinkingPlace[]): LegalDecision {
  const cleared = new Set(decision.clear.map(({ order }) => order));
  return { ...decision, drops: thinking.filter(({ order }) => !cleared.has(order)) };
}
