import type { Block, Message } from '@varve/messages';
import type { SessionDemand } from '../demand/session-demand.ts';

export interface FutureNeedsInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  readonly demand: SessionDemand;
}

/** Knows when the recorded future needs what a block alone shows. Blocks are added in their order. */
export interface FutureNeeds {
  /** A block that always stays: what it shows is at hand for good. */
  addLasting(block: Block): void;
  /** A block that may go, and what of it goes then. */
  addClearable(block: Block, gone: Block): void;
  /** The first request from `request` on whose calls use what this block is the newest to show, and nothing shows first. */
  nextNeedOf(block: Block, request: number): number | undefined;
}

const LASTING = Symbol('stays');

export function createFutureNeeds({ history, replies, demand }: FutureNeedsInput): FutureNeeds {
  const { index } = demand;
  const used: number[][] = Array.from({ length: index.size }, () => []);
  const shown: number[][] = Array.from({ length: index.size }, () => []);
  for (const [request, reply] of replies.entries())
    for (const unit of demand.at(reply)) used[unit]?.push(request);
  for (const [at, message] of history.entries())
    for (const unit of index.unitsOf(message)) shown[unit]?.push(at);
  const holders = new Map<number, Block | typeof LASTING>();
  const unitsOf = new Map<Block, readonly number[]>();
  const hold = (unit: number, holder: Block | typeof LASTING): void => {
    if (holders.get(unit) !== LASTING) holders.set(unit, holder);
  };
  const nextUse = (unit: number, request: number): number | undefined => {
    const next = firstFrom(used[unit] as number[], request);
    if (next === undefined) return undefined;
    const again = firstFrom(shown[unit] as number[], replies[request] as number);
    return again !== undefined && again < (replies[next] as number) ? undefined : next;
  };
  return {
    addLasting(block) {
      for (const unit of index.unitsOf(block)) hold(unit, LASTING);
    },
    addClearable(block, gone) {
      const units = index.unitsOf(gone);
      const goes = new Set(units);
      for (const unit of index.unitsOf(block)) hold(unit, goes.has(unit) ? block : LASTING);
      unitsOf.set(block, units);
    },
    nextNeedOf(block, request) {
      let first: number | undefined;
      for (const unit of unitsOf.get(block) ?? []) {
        if (holders.get(unit) !== block) continue;
        const next = nextUse(unit, request);
        if (next !== undefined && next < (first ?? Infinity)) first = next;
      }
      return first;
    },
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
