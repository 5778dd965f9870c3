import type { Message } from '@varve/messages';
import type { SessionDemand } from './session-demand.ts';

export interface NextUseInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  readonly demand: SessionDemand;
}

/** The first request from `request` on whose calls use a unit that nothing shows first; undefined where none does. */
export type NextUse = (unit: number, request: number) => number | undefined;

/** Reads the recorded future. */
export function createNextUse({ history, replies, demand }: NextUseInput): NextUse {
  const { index } = demand;
  const used: number[][] = Array.from({ length: index.size }, () => []);
  const shown: number[][] = Array.from({ length: index.size }, () => []);
  for (const [request, reply] of replies.entries())
    for (const unit of demand.at(reply)) used[unit]?.push(request);
  for (const [at, message] of history.entries())
    for (const unit of index.unitsOf(message)) shown[unit]?.push(at);
  return (unit, request) => {
    const next = firstFrom(used[unit] as number[], request);
    if (next === undefined) return undefined;
    const again = firstFrom(shown[unit] as number[], replies[request] as number);
    return again !== undefined && again < (replies[next] as number) ? undefined : next;
  };
}

/** The first of ascending numbers that is no smaller. */
function firstFrom(numbers: readonly number[], least: number): number | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return numbers[low];
}
