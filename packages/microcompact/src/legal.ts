import type { PlanContext } from '@varve/messages';
import type { Candidate, Candidates, ThinkingPlace } from './candidate.ts';
import { type Decide, type Decision, within } from './decision.ts';

/** A decision in a form the model accepts, with the thinking that has to go in the same edit. */
export interface LegalDecision extends Decision {
  readonly drops: readonly ThinkingPlace[];
}

/**
 * Decides, and again over what may be touched if the model's rule for thinking forbids the outcome. On every model a
 * turn keeps all of its thinking or none, and an open turn keeps it. On a `prefix-bound` model an edit is legal behind the
 * last thinking, or when a person has just spoken and all thinking from the edited turn on goes in the same edit.
 */
export function decideLegally(
  decide: Decide,
  candidates: Candidates,
  context: PlanContext,
): LegalDecision {
  const decision = decide(candidates, context);
  if (decision.clear.length === 0) return { ...decision, drops: [] };
  if (context.thinking === 'prefix-bound')
    return decideBound(decide, candidates, { context, decision });
  if (!decision.clear.some(isThought)) return { ...decision, drops: [] };
  const stuck = stuckTurns(candidates);
  const isReachable = (candidate: Candidate) => !isThought(candidate) || !stuck.has(candidate.turn);
  const legal = decision.clear.every(isReachable)
    ? decision
    : decide(within(candidates, isReachable), context);
  const turns = new Set(legal.clear.filter(isThought).map(({ turn }) => turn));
  return withDrops(
    legal,
    candidates.thinking.filter(({ turn }) => turns.has(turn)),
  );
}

const isThought = ({ kind }: Candidate): boolean => kind === 'thinking';

/** The turn that is not over, and those with thinking that cannot be dropped. */
function stuckTurns({ thinking, turnOrder }: Candidates): ReadonlySet<number> {
  return new Set([turnOrder, ...thinking.filter(({ alone }) => alone).map(({ turn }) => turn)]);
}

interface Bound {
  readonly context: PlanContext;
  readonly decision: Decision;
}

function decideBound(
  decide: Decide,
  candidates: Candidates,
  { context, decision }: Bound,
): LegalDecision {
  const { thinking, turnOrder } = candidates;
  const last = thinking.at(-1)?.order ?? -1;
  const startsTurn = context.atUserTurn && last < turnOrder;
  const stuck = thinking.findLast(({ alone }) => alone)?.order ?? -1;
  const isReachable = ({ order, turn }: Candidate) => order > last || (startsTurn && turn > stuck);
  const legal = decision.clear.every(isReachable)
    ? decision
    : decide(within(candidates, isReachable), context);
  const [first] = legal.clear;
  if (!first) return { clear: [], reason: 'thinking-bound', drops: [] };
  if (first.order > last) return { ...legal, drops: [] };
  return withDrops(
    legal,
    thinking.filter(({ turn }) => turn >= first.turn),
  );
}

/** All of `thinking` goes, what is cleared anyway once. */
function withDrops(decision: Decision, thinking: readonly ThinkingPlace[]): LegalDecision {
  const cleared = new Set(decision.clear.map(({ order }) => order));
  return { ...decision, drops: thinking.filter(({ order }) => !cleared.has(order)) };
}
