import type { Message, Request } from '@varve/messages';
import { createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import { RE_READ_CALL_TOKENS } from '../demand/lower-bounds.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { createGates } from './gates.ts';
import { createGuardedRun } from './guarded-run.ts';
import { createRequestDigests } from './request-digests.ts';
import type { SessionPlan } from './session-plan.ts';
import { countInspection, countPriced, type ReReadKind, type Tally } from './tally.ts';
import { createTape } from './tape.ts';

/** A strategy at work on a session, with the cache and the checks behind it. */
export interface OpenSession {
  add(message: Message): void;
  /**
   * Asks for the next request, checks it and prices it if it is valid. `startMs` is the recorded time; requests for
   * re-reads come a little later and shift all that follow.
   */
  send(startMs: number, reRead?: ReReadKind): Request;
  /** Runs the strategy once more on all that was added, and compares its requests. */
  isRepeatable(): boolean;
}

/** Starts a strategy on a session; what it costs is counted in `tally`. */
export function openSession(plan: SessionPlan, strategy: Strategy, tally: Tally): OpenSession {
  const { recording, pricing } = plan;
  const { policy, model, profile, window: windowTokens } = pricing;
  const { head, sizes } = recording;
  const digests = createRequestDigests();
  const gates = createGates({ head, profile, digests });
  const simulator = createCacheSimulator(policy, { sizeOf: sizes, prices: [model] });
  let nowMs = 0;
  let delayMs = 0;
  let sent: Request | undefined;
  const context = { head, model, window: windowTokens, policy, sizeOf: sizes.of };
  const create = (now: () => number) =>
    createGuardedRun(strategy, Object.freeze<StrategyContext>({ ...context, now }));
  const tape = createTape(digests, create);
  const run = create(() => nowMs);
  return {
    add(message) {
      if (sent && message.role === 'assistant') gates.bind(message, sent);
      gates.add(message);
      tape.added(message);
      run.add(message);
    },
    send(startMs, reRead) {
      if (reRead) delayMs += RE_READ_MS;
      nowMs = startMs + delayMs;
      const asked = run.request();
      const marked = asked.markers.length > 0 ? asked : placeMarkers(asked, { policy });
      tape.requested(asked, nowMs);
      const inspection = gates.inspect(marked);
      if (reRead) tally.rereads += 1;
      else tally.requests += 1;
      if (reRead && !reRead.reproducible) tally.irreproducible += 1;
      countInspection(tally, inspection);
      sent = marked;
      if (inspection.violations.length > 0) return marked;
      const outputTokens = reRead ? RE_READ_CALL_TOKENS : 0;
      const result = simulator.send(marked, { startMs: nowMs, outputTokens });
      countPriced(tally, result, { windowTokens, reRead });
      return marked;
    },
    isRepeatable: tape.isRepeatable,
  };
}

/** What a call and its result take; less than any cache lifetime. */
const RE_READ_MS = 5_000;
