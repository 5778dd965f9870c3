import type { Message, Request } from '@varve/messages';
import type { Strategy } from '../strategy.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { createReReader, type ReReader } from './re-reader.ts';
import { isRecorded, isReference, toldOf } from './reference.ts';
import type { SessionPlan } from './session-plan.ts';
import { finish, finishNow, type Steps } from './steps.ts';
import { createTally, type Tally } from './tally.ts';
import { createWatch, type Watch, type WatchSummary } from './watch.ts';

/** What one strategy did with one session. */
export interface Replay extends WatchSummary {
  readonly tally: Readonly<Tally>;
  /** Whether a second run on the same input gave the same requests, byte for byte; of what is ours alone it is known. */
  readonly repeatable: boolean;
  /** Dollars of the requests that carry a bill, re-reads aside. */
  readonly billedRequestsDollars: number;
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
export const replayAndWait = (
  plan: SessionPlan,
  strategy: Strategy,
  onSent?: OnSent,
): Promise<Replay> => finish(replaySteps(plan, strategy, onSent));

/** Takes the request before a recorded reply, by the index of the reply, before anything is read again for it. */
export type OnSent = (reply: number, request: Request) => void;

function* replaySteps(plan: SessionPlan, strategy: Strategy, onSent?: OnSent): Steps<Replay> {
  const { history, replies, times } = plan.recording;
  const tally = createTally();
  const reReader = createReReader(plan.demand, plan.pricing.rereads);
  const wasAccepted = isRecorded(strategy);
  const session = openSession(wasAccepted ? unlimited(plan) : plan, toldOf(strategy, plan), {
    tally,
    wasAccepted,
  });
  const stage: Stage = {
    session,
    watch: createWatch(plan, reReader),
    reReader,
  };
  const { watch } = stage;
  const { bills, losses, startsWarm = false } = plan.conditions ?? {};
  let billedRequestsDollars = 0;
  let next = 0;
  for (const [at, reply] of replies.entries()) {
    for (; next < reply; next++) {
      reReader.add(history[next] as Message);
      yield* session.add(history[next] as Message);
    }
    const startMs = times.startMs[at] as number;
    if (losses?.has(reply) || (at === 0 && startsWarm)) session.lose();
    const before = tally.dollars;
    const request = yield* session.send(startMs);
    watch.show(request);
    onSent?.(reply, request);
    if (bills?.has(reply)) billedRequestsDollars += tally.dollars - before;
    watch.look(reply);
    if (wasAccepted) continue;
    const lost = watch.lostBefore(reply);
    yield* bringBack(lost, startMs, stage);
    tally.unmetUnits += lost.filter(watch.isMissing).length;
  }
  yield* session.close();
  const repeatable = isReference(strategy) || (yield* session.isRepeatable());
  return { tally, ...watch.summary(), repeatable, billedRequestsDollars };
}

/** What was sent once is priced whatever its size, and fits the window of its model, whatever that is estimated to be. */
function unlimited(plan: SessionPlan): SessionPlan {
  const { model, window: asked } = plan.pricing;
  const window = asked === model.windowTokens ? Number.POSITIVE_INFINITY : asked;
  return { ...plan, pricing: { ...plan.pricing, window, refusesLarger: false } };
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
