import type { Message } from '@varve/messages';
import type { Strategy } from '../strategy.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { createReReader, type ReReader } from './re-reader.ts';
import type { SessionPlan } from './session-plan.ts';
import { finish, finishNow, type Steps } from './steps.ts';
import { createTally, type Tally } from './tally.ts';
import { createWatch, type Watch, type WatchSummary } from './watch.ts';

/** What one strategy did with one session. */
export interface Replay extends WatchSummary {
  readonly tally: Readonly<Tally>;
  /** Whether a second run on the same input gave the same requests, byte for byte. */
  readonly repeatable: boolean;
}

/**
 * Plays a recorded session to a strategy. Before each recorded reply the strategy has seen the past, frozen, and nothing
 * else; its request is checked, placed in the simulated cache at the recorded time and priced. What the reply needs and
 * the request lacks is read again first: a marked call and result that the strategy sees, and one more request each.
 * Throws `strategy-failed`, and a `TypeError` for a strategy that has to be waited for.
 */
export const replay = (plan: SessionPlan, strategy: Strategy): Replay =>
  finishNow(replaySteps(plan, strategy));

/** The same for any strategy: waits for those that prepare their requests. */
export const replayAndWait = (plan: SessionPlan, strategy: Strategy): Promise<Replay> =>
  finish(replaySteps(plan, strategy));

function* replaySteps(plan: SessionPlan, strategy: Strategy): Steps<Replay> {
  const { history, replies, times } = plan.recording;
  const tally = createTally();
  const reReader = createReReader(plan.demand, plan.pricing.rereads);
  const stage: Stage = {
    session: openSession(plan, strategy, tally),
    watch: createWatch(plan, reReader),
    reReader,
  };
  const { session, watch } = stage;
  let next = 0;
  for (const [at, reply] of replies.entries()) {
    for (; next < reply; next++) {
      reReader.add(history[next] as Message);
      yield* session.add(history[next] as Message);
    }
    const startMs = times.startMs[at] as number;
    watch.show(yield* session.send(startMs));
    watch.look(reply);
    const lost = watch.lostBefore(reply);
    yield* bringBack(lost, startMs, stage);
    tally.unmetUnits += lost.filter(watch.isMissing).length;
  }
  return { tally, ...watch.summary(), repeatable: yield* session.isRepeatable() };
}

interface Stage {
  readonly session: OpenSession;
  readonly watch: Watch;
  readonly reReader: ReReader;
}

/** Fetches the newest result with each lost unit, one after the other; what came back with one is not fetched again. */
function* bringBack(lost: readonly number[], startMs: number, stage: Stage): Steps<void> {
  const { session, watch, reReader } = stage;
  for (const source of reReader.sourcesOf(lost)) {
    if (!source.units.some(watch.isMissing)) continue;
    const { call, result, reproducible } = reReader.fetch(source);
    yield* session.add(call);
    yield* session.add(result);
    watch.fault(source.result);
    watch.show(yield* session.send(startMs, { reproducible }));
  }
}
