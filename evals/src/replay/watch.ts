import {
  type Block,
  isText,
  type Message,
  type Request,
  type ToolResultBlock,
  toolResults,
} from '@varve/messages';
import { createEvictions } from '../demand/evictions.ts';
import {
  addNeeds,
  type HindsightRecall,
  NO_RECALL,
  type Reach,
} from '../demand/hindsight-recall.ts';
import type { Need } from '../demand/session-demand.ts';
import { createVisibleUnits, type ShownChange } from '../demand/visible-units.ts';
import type { ReReader } from './re-reader.ts';
import type { SessionPlan } from './session-plan.ts';

/** Follows what the requests of a strategy hold of what is or will be needed. */
export interface Watch {
  /** Takes the next request. */
  show(request: Request): void;
  /** Looks at what is at hand, or one call away, before a recorded reply. */
  look(reply: number): void;
  /** Which of the units the calls of a recorded reply use are not at hand. */
  lostBefore(reply: number): readonly number[];
  isMissing(unit: number): boolean;
  /** A result had to be fetched again. */
  fault(result: ToolResultBlock): void;
  summary(): WatchSummary;
}

export interface WatchSummary {
  readonly hindsight: Readonly<Record<Need, HindsightRecall>>;
  /** Recorded results that left the context, and how many of them were needed later. */
  readonly evicted: number;
  readonly faulted: number;
}

/** Starts with nothing shown. `reReader` knows the past as far as the requests that are shown. */
export function createWatch(
  { recording, demand, needs }: SessionPlan,
  reReader: Pick<ReReader, 'nearestOf'>,
): Watch {
  const visible = createVisibleUnits(demand.index);
  const evictions = createEvictions(recording.history);
  const stored = createStoredResults();
  const isMissing = (unit: number): boolean => !visible.has(unit);
  const reachOf = (unit: number): Reach => {
    if (visible.has(unit)) return 'at-hand';
    const nearest = reReader.nearestOf(unit);
    if (nearest === undefined) return 'gone';
    return nearest.isReproducible || stored.has(nearest.id) ? 'one-call' : 'gone';
  };
  let [calls, words] = [NO_RECALL, NO_RECALL];
  return {
    show(request) {
      const change = visible.show(request);
      evictions.add(change);
      stored.add(change);
    },
    look(reply) {
      calls = addNeeds(calls, needs.calls.before(reply), reachOf);
      words = addNeeds(words, needs.words.before(reply), reachOf);
    },
    lostBefore: (reply) => demand.at(reply).filter(isMissing),
    isMissing,
    fault: evictions.fault,
    summary: () => ({
      hindsight: { calls, words },
      evicted: evictions.evicted,
      faulted: evictions.faulted,
    }),
  };
}

/** Ids of the results in whose place the newest request names where they can be read. */
function createStoredResults() {
  const counts = new Map<string, number>();
  const count = (shown: ShownChange['left'][number], by: number): void => {
    if (!('role' in shown)) return;
    for (const result of toolResults(shown as Message)) {
      const { tool_use_id: id } = result;
      if (!namesPlace(textOf(result), id)) continue;
      counts.set(id, (counts.get(id) ?? 0) + by);
    }
  };
  return {
    add({ entered, left }: ShownChange): void {
      for (const shown of entered) count(shown, 1);
      for (const shown of left) count(shown, -1);
    },
    has: (id: string): boolean => (counts.get(id) ?? 0) > 0,
  };
}

/** A handle, or a file that is named after the call. */
const namesPlace = (text: string, id: string): boolean =>
  text.length <= LONGEST_NOTE && (text.includes(' handle="') || text.includes(`/${id}`));

/** Of what stands for a result: larger ones are results. */
const LONGEST_NOTE = 40_000;

function textOf({ content = '' }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.map((block: Block) => (isText(block) ? block.text : '')).join('\n');
}
