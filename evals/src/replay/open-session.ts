import type { Message, Request } from '@varve/messages';
import { createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import { RE_READ_CALL_TOKENS } from '../demand/lower-bounds.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { createGates } from './gates.ts';
import { createGuardedRun, type GuardedRun } from './guarded-run.ts';
import { createPrefixStability } from './prefix-stability.ts';
import type { SessionPlan } from './session-plan.ts';
import type { Steps } from './steps.ts';
import {
  countBreak,
  countInspection,
  countPriced,
  countRequest,
  type ReReadKind,
  type Tally,
} from './tally.ts';
import { createTape } from './tape.ts';

/** A strategy at work on a session, with the cache and the checks behind it. */
export interface OpenSession {
  add(message: Message): void;
  /**
   * Asks for the next request, checks it and prices it if it is valid. `startMs` is the recorded time; requests for
   * re-reads come a little later and shift all that follow.
   */
  send(startMs: number, reRead?: ReReadKind): Steps<Request>;
  /** Runs the strategy once more on all that was added, and compares its requests. */
  isRepeatable(): Steps<boolean>;
}

/** Starts a strategy on a session; what it costs is counted in `tally`. */
export function openSession(plan: SessionPlan, strategy: Strategy, tally: Tally): OpenSession {
  const { recording, pricing, digests } = plan;
  const { profile, policy } = pricing;
  const gates = createGates({ head: recording.head, profile, policy, digests });
  const pay = createPayment(plan, tally);
  const create = (now: () => number) => startRun(plan, strategy, now);
  const stability = createPrefixStability();
  const tape = createTape(digests, create);
  let nowMs = 0;
  let delayMs = 0;
  let sent: Request | undefined;
  const run = create(() => nowMs);
  return {
    add(message) {
      if (sent && message.role === 'assistant') gates.bind(message, sent);
      gates.add(message);
      tape.added(message);
      run.add(message);
    },
    *send(startMs, reRead) {
      if (reRead) delayMs += RE_READ_MS;
      nowMs = startMs + delayMs;
      const asked = yield* run.request();
      tape.requested(asked, nowMs);
      countBreak(tally, stability.next(asked), run.announced());
      sent = asked.markers.length > 0 ? asked : placeMarkers(asked, { policy });
      const inspection = gates.inspect(sent);
      countRequest(tally, reRead);
      countInspection(tally, inspection);
      if (inspection.violations.length === 0) pay(sent, nowMs, reRead);
      return sent;
    },
    isRepeatable: tape.isRepeatable,
  };
}

function startRun(plan: SessionPlan, strategy: Strategy, now: () => number): GuardedRun {
  const { head, sizes } = plan.recording;
  const { model, policy, window } = plan.pricing;
  const context: StrategyContext = { head, model, window, policy, sizeOf: sizes.of, now };
  return createGuardedRun(strategy, { context: Object.freeze(context), digests: plan.digests });
}

/** Puts valid requests into the simulated cache and counts what they cost. */
function createPayment({ recording, pricing }: SessionPlan, tally: Tally) {
  const { policy, model, window: windowTokens } = pricing;
  const simulator = createCacheSimulator(policy, { sizeOf: recording.sizes, prices: [model] });
  return (request: Request, startMs: number, reRead: ReReadKind | undefined): void => {
    const outputTokens = reRead ? RE_READ_CALL_TOKENS : 0;
    const result = simulator.send(request, { startMs, outputTokens });
    countPriced(tally, result, { windowTokens, reRead });
  };
}

/** What a call and its result take; less than any cache lifetime. */
const RE_READ_MS = 5_000;
