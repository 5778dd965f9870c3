import type { Message } from '@varve/messages';
import { createEvictions } from '../demand/evictions.ts';
import { addCut, type HindsightRecall, NO_RECALL } from '../demand/hindsight-recall.ts';
import { createVisibleUnits } from '../demand/visible-units.ts';
import type { Strategy } from '../strategy.ts';
import { openSession } from './open-session.ts';
import { createReReader } from './re-reader.ts';
import type { SessionPlan } from './session-plan.ts';
import { createTally, type Tally } from './tally.ts';

/** What one strategy did with one session. */
export interface Replay {
  readonly tally: Readonly<Tally>;
  readonly hindsight: HindsightRecall;
  /** Recorded results that left the context, and how many of them were needed later. */
  readonly evicted: number;
  readonly faulted: number;
  /** Whether a second run on the same input gave the same requests, byte for byte. */
  readonly repeatable: boolean;
}

/**
 * Plays a recorded session to a strategy. Before each recorded reply the strategy has seen the past, frozen, and nothing
 * else; its request is checked, placed in the simulated cache at the recorded time and priced. What the reply needs and
 * the request lacks is read again first: a marked call and result that the strategy sees, and one more request each.
 * Throws `strategy-failed`.
 */
export function replay(plan: SessionPlan, strategy: Strategy): Replay {
  const { recording, demand, cuts } = plan;
  const { history, replies, times } = recording;
  const tally = createTally();
  const session = openSession(plan, strategy, tally);
  const visible = createVisibleUnits(demand.index);
  const evictions = createEvictions(history);
  const reReader = createReReader(demand);
  const cutAt = new Map(cuts.map((cut) => [cut.messageIndex, cut]));
  const isMissing = (unit: number): boolean => !visible.has(unit);
  let hindsight = NO_RECALL;
  let next = 0;
  for (const [at, reply] of replies.entries()) {
    for (; next < reply; next++) {
      reReader.add(history[next] as Message);
      session.add(history[next] as Message);
    }
    const startMs = times.startMs[at] as number;
    evictions.add(visible.show(session.send(startMs)));
    hindsight = addCut(hindsight, cutAt.get(reply), visible.has);
    const lost = demand.at(reply).filter(isMissing);
    for (const source of reReader.sourcesOf(lost)) {
      if (!source.units.some(isMissing)) continue;
      const { call, result, reproducible } = reReader.fetch(source);
      session.add(call);
      session.add(result);
      evictions.fault(source.result);
      evictions.add(visible.show(session.send(startMs, { reproducible })));
    }
    tally.unmetUnits += lost.filter(isMissing).length;
  }
  const { evicted, faulted } = evictions;
  return { tally, hindsight, evicted, faulted, repeatable: session.isRepeatable() };
}
