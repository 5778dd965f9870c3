import type { PlanContext } from '@varve/messages';
import type { Candidate, Candidates } from './candidate.ts';

/** What a mechanism would clear now: nothing, or all of `clear`, oldest first. The reason is kebab-case either way. */
export interface Decision {
  readonly clear: readonly Candidate[];
  readonly reason: string;
  /** Where nothing is cleared yet: the first that goes once it pays. */
  readonly queued?: Candidate | undefined;
}

/** One trigger for clearing: pure over the candidates and what is known before the next request. */
export type Decide = (candidates: Candidates, context: PlanContext) => Decision;

export const nothing = (reason: string): Decision => ({ clear: [], reason });

/** The same candidates with some of them out of reach. */
export function within(
  candidates: Candidates,
  isReachable: (candidate: Candidate) => boolean,
): Candidates {
  const list = candidates.list.filter(isReachable);
  const { list: all } = candidates;
  return Object.create(candidates, { list: { value: list }, all: { value: all } }) as Candidates;
}
