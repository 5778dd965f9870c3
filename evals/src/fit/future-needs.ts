import type { Block } from '@varve/messages';
import { createNextUse, type NextUseInput } from '../demand/next-use.ts';

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

export function createFutureNeeds(input: NextUseInput): FutureNeeds {
  const { index } = input.demand;
  const nextUse = createNextUse(input);
  const holders = new Map<number, Block | typeof LASTING>();
  const unitsOf = new Map<Block, readonly number[]>();
  const hold = (unit: number, holder: Block | typeof LASTING): void => {
    if (holders.get(unit) !== LASTING) holders.set(unit, holder);
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
