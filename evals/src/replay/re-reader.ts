import { type Message, type ToolUseBlock, toolResults, toolUses } from '@varve/messages';
import type { SessionDemand } from '../demand/session-demand.ts';
import { createInputSources } from './input-sources.ts';
import { neededRanges, type Rereads } from './ranges.ts';
import { createReRead, type ReRead } from './re-read.ts';
import { createReproducibility } from './reproducible.ts';
import type { Source } from './source.ts';

/** Knows where in the recorded past a unit was last shown, and fetches that again. */
export interface ReReader {
  /** Takes the next message of the recorded history. */
  add(message: Message): void;
  /**
   * The units by the newest result that shows them; where none does by the newest call that wrote them into a file, and
   * else by the newest call. What only a call said comes last, because what comes before may show it; in recorded order.
   */
  sourcesOf(units: readonly number[]): readonly Wanted[];
  /** The call whose result shows a unit again; undefined where only words did. */
  nearestOf(unit: number): Nearest | undefined;
  /** The marked call and result that bring a source back. */
  fetch(source: Wanted): ReRead & { readonly reproducible: boolean };
}

export interface Nearest {
  /** Of the recorded call. */
  readonly id: string;
  /** Whether the call, made now, would give what it gave. */
  readonly isReproducible: boolean;
}

/** A source and the units that are wanted from it. */
interface Wanted extends Source {
  readonly units: readonly number[];
}

/** Creates a reader of which no history was added yet. */
export function createReReader({ index }: SessionDemand, rereads: Rereads): ReReader {
  const newest = new Int32Array(index.size).fill(-1);
  const answered: Source[] = [];
  const reproducibility = createReproducibility();
  const inputs = createInputSources(index, reproducibility);
  const calls = new Map<string, ToolUseBlock>();
  const repeats = new Map<Source, { readonly writes: number; readonly nearest: Nearest }>();
  let [order, serial] = [0, 0];
  const sourceOf = (unit: number): Source | undefined =>
    answered[newest[unit] ?? -1] ?? inputs.of(unit);
  return {
    add(message) {
      reproducibility.observe(message);
      for (const call of toolUses(message)) {
        calls.set(call.id, call);
        inputs.add(call, order++);
      }
      for (const result of toolResults(message)) {
        const call = calls.get(result.tool_use_id);
        if (call === undefined) continue;
        const isReproducible = (): boolean => reproducibility.canRepeat(call);
        answered.push({ kind: 'result', order: order++, call, result, isReproducible });
        for (const unit of index.unitsOf(result)) newest[unit] = answered.length - 1;
      }
    },
    sourcesOf(units) {
      const wanted = new Map<Source, number[]>();
      for (const unit of units) {
        const source = sourceOf(unit);
        if (source) wanted.set(source, [...(wanted.get(source) ?? []), unit]);
      }
      return [...wanted]
        .sort(([left], [right]) => rank(left) - rank(right) || left.order - right.order)
        .map(([source, own]) => ({ ...source, units: own }));
    },
    nearestOf(unit) {
      const source = sourceOf(unit);
      if (source === undefined || source.kind === 'words') return undefined;
      const known = repeats.get(source);
      if (known?.writes === reproducibility.writes) return known.nearest;
      const nearest = { id: source.call.id, isReproducible: source.isReproducible() };
      repeats.set(source, { writes: reproducibility.writes, nearest });
      return nearest;
    },
    fetch({ call, result: whole, units, isReproducible }) {
      serial += 1;
      const result = rereads === 'whole' ? whole : neededRanges(whole, units, index);
      const reproducible = isReproducible();
      return { ...createReRead({ call, result, reproducible, serial }), reproducible };
    },
  };
}

const rank = ({ kind }: Source): number => Number(kind === 'words');
