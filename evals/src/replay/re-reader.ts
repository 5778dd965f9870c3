import { type Message, toolResults } from '@varve/messages';
import type { SessionDemand } from '../demand/session-demand.ts';
import { callsAnswered, createReRead, type ReRead, resultsWith } from './re-read.ts';
import { createReproducibility } from './reproducible.ts';

/** Knows where in the recorded past a unit was last shown by a result, and fetches that result again. */
export interface ReReader {
  /** Takes the next message of the recorded history. */
  add(message: Message): void;
  /** The units by the newest message with a result that shows them, in recorded order. */
  sourcesOf(units: readonly number[]): readonly (readonly [number, readonly number[]])[];
  /** The marked call and result that bring the units of one source back. */
  fetch(
    messageIndex: number,
    units: readonly number[],
  ): ReRead & { readonly reproducible: boolean };
}

/** Creates a reader of a history of which nothing was added yet. */
export function createReReader(history: readonly Message[], { index }: SessionDemand): ReReader {
  const newest = new Int32Array(index.size).fill(-1);
  const reproducibility = createReproducibility();
  let added = 0;
  let serial = 0;
  return {
    add(message) {
      const messageIndex = added++;
      reproducibility.observe(message);
      if (toolResults(message).length === 0) return;
      for (const unit of index.unitsOf(message)) newest[unit] = messageIndex;
    },
    sourcesOf(units) {
      const sources = new Map<number, number[]>();
      for (const unit of units) {
        const source = newest[unit] ?? -1;
        if (source !== -1) sources.set(source, [...(sources.get(source) ?? []), unit]);
      }
      return [...sources].sort(([left], [right]) => left - right);
    },
    fetch(messageIndex, units) {
      const source = history[messageIndex] as Message;
      const wanted = new Set(units);
      const holdsWanted = (part: Message) => index.unitsOf(part).some((unit) => wanted.has(unit));
      const results = resultsWith(source, holdsWanted);
      const calls = callsAnswered(history, messageIndex, results);
      const reproducible = calls.every(reproducibility.canRepeat);
      serial += 1;
      return { ...createReRead({ source, results, calls, reproducible, serial }), reproducible };
    },
  };
}
