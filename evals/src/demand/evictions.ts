import {
  type Block,
  isToolResult,
  type Message,
  type ToolResultBlock,
  toolResults,
} from '@varve/messages';
import type { ShownChange } from './visible-units.ts';

/** Which results left the context, and which of these were needed later: objects, each counted once. */
export interface Evictions {
  /** Takes what a request no longer holds. */
  add(change: ShownChange): void;
  /** The result had to be fetched again. */
  fault(result: ToolResultBlock): void;
  readonly evicted: number;
  readonly faulted: number;
}

/** Creates an empty count. Only recorded results count: what a strategy or a re-read put in does not. */
export function createEvictions(history: readonly Message[]): Evictions {
  const recorded = new Set<Block>(history.flatMap(toolResults));
  const evicted = new Set<Block>();
  const faulted = new Set<Block>();
  return {
    add({ entered, left }) {
      const here = new Set(entered.flatMap(resultsIn));
      for (const result of left.flatMap(resultsIn)) {
        if (recorded.has(result) && !here.has(result)) evicted.add(result);
      }
    },
    fault(result) {
      if (recorded.has(result)) faulted.add(result);
    },
    get evicted() {
      return evicted.size;
    },
    get faulted() {
      return faulted.size;
    },
  };
}

const resultsIn = (shown: ShownChange['left'][number]): readonly Block[] =>
  'role' in shown ? (shown as Message).content.filter(isToolResult) : [];
