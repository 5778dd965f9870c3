import { type Message, toolResults } from '@varve/messages';
import type { ShownChange } from './visible-units.ts';

/** Which results left the context, and which of these were needed later: objects, each counted once. */
export interface Evictions {
  /** Takes what a request no longer holds. */
  add(change: ShownChange): void;
  /** The result of this message had to be fetched again. */
  fault(messageIndex: number): void;
  readonly evicted: number;
  readonly faulted: number;
}

/** Creates an empty count. Only recorded results count: what a strategy or a re-read put in does not. */
export function createEvictions(history: readonly Message[]): Evictions {
  const objects = new Map(
    history.flatMap((message, at) => (toolResults(message).length > 0 ? [[message, at]] : [])),
  );
  const evicted = new Set<number>();
  const faulted = new Set<number>();
  return {
    add({ left }) {
      for (const shown of left) {
        const at = objects.get(shown as Message);
        if (at !== undefined) evicted.add(at);
      }
    },
    fault: (messageIndex) => void faulted.add(messageIndex),
    get evicted() {
      return evicted.size;
    },
    get faulted() {
      return faulted.size;
    },
  };
}
