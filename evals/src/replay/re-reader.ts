import {
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  toolResults,
  toolUses,
} from '@varve/messages';
import type { SessionDemand } from '../demand/session-demand.ts';
import { neededRanges, type Rereads } from './ranges.ts';
import { createReRead, type ReRead } from './re-read.ts';
import { createReproducibility } from './reproducible.ts';

/** Knows where in the recorded past a unit was last shown by a result, and fetches that result again. */
export interface ReReader {
  /** Takes the next message of the recorded history. */
  add(message: Message): void;
  /** The units by the newest result that shows them, in recorded order. */
  sourcesOf(units: readonly number[]): readonly Source[];
  /** The marked call and result that bring a source back. */
  fetch(source: Source): ReRead & { readonly reproducible: boolean };
}

/** A result and the units that are wanted from it. */
interface Source {
  readonly result: ToolResultBlock;
  readonly call: ToolUseBlock;
  readonly units: readonly number[];
}

/** Creates a reader of which no history was added yet. */
export function createReReader({ index }: SessionDemand, rereads: Rereads): ReReader {
  const newest = new Int32Array(index.size).fill(-1);
  const answered: Answered[] = [];
  const reproducibility = createReproducibility();
  const calls = new Map<string, ToolUseBlock>();
  let serial = 0;
  return {
    add(message) {
      reproducibility.observe(message);
      for (const call of toolUses(message)) calls.set(call.id, call);
      for (const result of toolResults(message)) {
        const call = calls.get(result.tool_use_id);
        if (call === undefined) continue;
        answered.push({ result, call });
        for (const unit of index.unitsOf(result)) newest[unit] = answered.length - 1;
      }
    },
    sourcesOf(units) {
      const wanted = new Map<number, number[]>();
      for (const unit of units) {
        const order = newest[unit] ?? -1;
        if (order !== -1) wanted.set(order, [...(wanted.get(order) ?? []), unit]);
      }
      return [...wanted]
        .sort(([left], [right]) => left - right)
        .map(([order, own]) => ({ units: own, ...(answered[order] as Answered) }));
    },
    fetch({ call, result: whole, units }) {
      serial += 1;
      const result = rereads === 'whole' ? whole : neededRanges(whole, units, index);
      const reproducible = reproducibility.canRepeat(call);
      return { ...createReRead({ call, result, reproducible, serial }), reproducible };
    },
  };
}

type Answered = Pick<Source, 'result' | 'call'>;
