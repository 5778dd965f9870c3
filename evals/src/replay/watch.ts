import type { Request, ToolResultBlock } from '@varve/messages';
import { createEvictions } from '../demand/evictions.ts';
import { addCut, type HindsightRecall, NO_RECALL } from '../demand/hindsight-recall.ts';
import { createVisibleUnits } from '../demand/visible-units.ts';
import type { SessionPlan } from './session-plan.ts';

/** Follows what the requests of a strategy hold of what is or will be needed. */
export interface Watch {
  /** Takes the next request. */
  show(request: Request): void;
  /** Looks at what is at hand before a recorded reply, if there is a cut. */
  cut(reply: number): void;
  /** Which of the units the calls of a recorded reply use are not at hand. */
  lostBefore(reply: number): readonly number[];
  isMissing(unit: number): boolean;
  /** A result had to be fetched again. */
  fault(result: ToolResultBlock): void;
  summary(): WatchSummary;
}

export interface WatchSummary {
  readonly hindsight: HindsightRecall;
  /** Recorded results that left the context, and how many of them were needed later. */
  readonly evicted: number;
  readonly faulted: number;
}

/** Starts with nothing shown. */
export function createWatch({ recording, demand, cuts }: SessionPlan): Watch {
  const visible = createVisibleUnits(demand.index);
  const evictions = createEvictions(recording.history);
  const cutAt = new Map(cuts.map((cut) => [cut.messageIndex, cut]));
  const isMissing = (unit: number): boolean => !visible.has(unit);
  let hindsight = NO_RECALL;
  return {
    show: (request) => evictions.add(visible.show(request)),
    cut(reply) {
      hindsight = addCut(hindsight, cutAt.get(reply), visible.has);
    },
    lostBefore: (reply) => demand.at(reply).filter(isMissing),
    isMissing,
    fault: evictions.fault,
    summary: () => ({ hindsight, evicted: evictions.evicted, faulted: evictions.faulted }),
  };
}
