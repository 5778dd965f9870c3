import type { PlanContext } from '@varve/messages';
import type { Candidate } from '../candidate.ts';
import type { ToolClass } from '../tool-class.ts';

/** What the worth of keeping something depends on besides itself. */
export interface Upkeep extends Pick<PlanContext, 'prices' | 'contextTokens'> {
  /** How many times dearer than its price a re-read is taken to be: the turn and the trust that it costs. */
  readonly caution: number;
}

/**
 * For how many requests after it was added something is worth what it costs to keep. The chance that it is ever needed
 * falls with its age as `chance / age ** FADE`; it is due once a request's reading of it costs more than the chance that
 * this very request needs it, times what bringing it back costs then: written anew, behind one more request and call.
 */
export function dueAge(candidate: Candidate, { prices, contextTokens, caution }: Upkeep): number {
  if (candidate.kind === 'thinking') return THINKING_REQUESTS;
  const chance = chanceOf(candidate);
  if (chance === undefined) return INPUT_REQUESTS;
  const { tokens, clearedTokens } = candidate;
  const fetching = fetchPrice(tokens, { prices, contextTokens });
  const keeping = prices.read * (tokens - clearedTokens);
  if (keeping <= 0) return Number.POSITIVE_INFINITY;
  return ((caution * chance * FADE * fetching) / keeping) ** (1 / (1 + FADE));
}

/** What bringing so many tokens back costs: written anew, behind one more request and call. */
export const fetchPrice = (
  tokens: number,
  { prices, contextTokens }: Pick<Upkeep, 'prices' | 'contextTokens'>,
): number => prices.write * tokens + prices.read * contextTokens + prices.output * CALL_TOKENS;

/** Undefined for what nobody asks for again. */
function chanceOf({ kind, use }: Candidate): number | undefined {
  if (kind === 'result') return CHANCE * WEIGHTS[use];
  return use === 'edit' || use === 'write' ? CHANCE * WEIGHTS.read : undefined;
}

// From a replay of 20 recorded sessions: P(ever needed again) of a result that was not used yet is 0.14 / age ** 0.7 times
// 2.5 for reads, 0.6 for searches and 0.25 for the rest.
const CHANCE = 0.14;
const FADE = 0.7;
const WEIGHTS: Readonly<Record<ToolClass, number>> = {
  read: 2.5,
  search: 0.6,
  list: 0.6,
  shell: 0.25,
  web: 0.25,
  edit: 0.25,
  write: 0.25,
  other: 0.25,
};

/** The written lines of an edit are what the next edit of the file builds on, as those of a read are; other inputs are not. */
const INPUT_REQUESTS = 4;
/** No recorded call needed what only thinking held; two requests let the model finish what it was about. */
const THINKING_REQUESTS = 2;
/** Tokens of a call that fetches a result again, as the replay counts them. */
const CALL_TOKENS = 100;
