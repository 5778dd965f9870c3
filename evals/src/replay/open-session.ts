import type { Message, Request } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { createServerView } from '@varve/prompt-cache/server';
import { RE_READ_CALL_TOKENS } from '../demand/lower-bounds.ts';
import type { OwnCall, Strategy, StrategyContext } from '../strategy.ts';
import { createCompactingRun, SUMMARY_OUTPUT_TOKENS } from './forced-compaction.ts';
import { createGates, type Inspection } from './gates.ts';
import { createGuardedRun, type GuardedRun } from './guarded-run.ts';
import { createPayment } from './payment.ts';
import { createPrefixStability } from './prefix-stability.ts';
import { createRunningSum } from './running-sum.ts';
import type { SessionPlan } from './session-plan.ts';
import type { Steps } from './steps.ts';
import {
  countBreak,
  countCompaction,
  countInspection,
  countOwnCall,
  countRequest,
  countViolations,
  type ReReadKind,
  type Tally,
} from './tally.ts';
import { createTape } from './tape.ts';

/** A strategy at work on a session, with the cache and the checks behind it. */
export interface OpenSession {
  add(message: Message): Steps<void>;
  /**
   * Asks for the next request, checks it and prices it if it is valid. `startMs` is the recorded time; requests for
   * re-reads come a little later and shift all that follow. What is returned is what the model gets to see: the request
   * after server-side edits.
   */
  send(startMs: number, reRead?: ReReadKind): Steps<Request>;
  /** The provider loses the conversation's cache before the next request. */
  lose(): void;
  /** Runs the strategy once more on all that was added, and compares its requests. */
  isRepeatable(): Steps<boolean>;
  /** Nothing more is asked of the strategy. */
  close(): Steps<void>;
}

export interface OpenSessionOptions {
  /** What it costs is counted here. */
  readonly tally: Tally;
  /** Its requests are known to have been accepted, whatever the rules say. @default false */
  readonly wasAccepted?: boolean | undefined;
}

/** Starts a strategy on a session. */
export function openSession(
  plan: SessionPlan,
  strategy: Strategy,
  { tally, wasAccepted = false }: OpenSessionOptions,
): OpenSession {
  const { recording, pricing, digests } = plan;
  const { profile, policy, window, refusesLarger } = pricing;
  const gates = createGates({ head: recording.head, profile, policy, digests });
  const tokensOf = createPromptSize(plan);
  const { pay, payOwn, lose } = createPayment(plan, tally);
  const stability = createPrefixStability();
  const seenByModel = createModelView(plan);
  const tape = createTape(digests, (options) =>
    startRun(plan, strategy, { ...options, seenByModel }),
  );
  let nowMs = 0;
  let delayMs = 0;
  let sent: Request | undefined;
  const marked = (asked: Request): Request =>
    asked.markers.length > 0 ? asked : placeMarkers(asked, { policy });
  const inspect = (request: Request, seen: Request): Inspection => {
    const inspection = gates.inspect(request, seen);
    if (wasAccepted) return { ...inspection, violations: [] };
    if (!refusesLarger || tokensOf(seen) <= window) return inspection;
    return { ...inspection, violations: [...inspection.violations, OVER_WINDOW] };
  };
  /** Whether a provider would take it. Where it would not, that is counted. */
  const isTaken = (request: Request): boolean => {
    const inspection = inspect(request, seenByModel(request));
    countViolations(tally, inspection);
    return inspection.violations.length === 0;
  };
  const onCompacted = (asked: Request): void => {
    const request = marked(asked);
    const timing = { startMs: nowMs, outputTokens: SUMMARY_OUTPUT_TOKENS };
    if (isTaken(request)) countCompaction(tally, pay(request, timing), SUMMARY_OUTPUT_TOKENS);
  };
  const onCalls = (calls: readonly OwnCall[]): void => {
    tape.called(calls);
    for (const call of calls) {
      const request = marked(call.request);
      countOwnCall(tally, call);
      if (isTaken(request)) payOwn({ ...call, request, startMs: nowMs });
    }
  };
  const run = startRun(plan, strategy, { now: () => nowMs, seenByModel, onCompacted, onCalls });
  return {
    *add(message) {
      if (sent && message.role === 'assistant') gates.bind(message, sent);
      gates.add(message);
      tape.added(message);
      yield* run.add(message);
    },
    *send(startMs, reRead) {
      if (reRead) delayMs += RE_READ_MS;
      nowMs = startMs + delayMs;
      const asked = yield* run.request();
      tape.requested(asked, nowMs);
      countBreak(tally, stability.next(asked), run.announced());
      sent = marked(asked);
      const seen = seenByModel(sent);
      const inspection = inspect(sent, seen);
      countRequest(tally, reRead);
      countInspection(tally, inspection);
      const outputTokens = reRead ? RE_READ_CALL_TOKENS : 0;
      if (inspection.violations.length === 0) pay(sent, { startMs: nowMs, outputTokens, reRead });
      return seen;
    },
    lose,
    isRepeatable: tape.isRepeatable,
    close: run.close,
  };
}

interface StartOptions {
  readonly now: () => number;
  readonly seenByModel: (request: Request) => Request;
  readonly onCompacted?: (request: Request) => void;
  readonly onCalls: (calls: readonly OwnCall[]) => void;
}

function startRun(plan: SessionPlan, strategy: Strategy, options: StartOptions): GuardedRun {
  const { head, sizes } = plan.recording;
  const { model, policy, window, refusesLarger, profile } = plan.pricing;
  const { now, seenByModel, onCalls, onCompacted = () => {} } = options;
  const context: StrategyContext = { head, model, window, policy, sizeOf: sizes.of, now };
  const start = (): GuardedRun =>
    createGuardedRun(strategy, {
      context: Object.freeze(context),
      digests: plan.digests,
      onCalls,
    });
  if (!refusesLarger) return start();
  const tokensOf = createPromptSize(plan);
  return createCompactingRun({
    start,
    windowTokens: window,
    tokensOf: (request) => tokensOf(seenByModel(request)),
    sizeOf: sizes.message,
    dropsThinking: profile.thinking === 'prefix-bound',
    onCompacted,
  });
}

/** Tokens of a prompt as the model gets to see it. */
function createPromptSize({ recording: { sizes } }: SessionPlan): (seen: Request) => number {
  const sizeOf = createRunningSum(sizes.message);
  return ({ head, messages }) => sizes.head(head) + sizeOf(messages);
}

/** What is left of a request once the provider has applied its edits and cut it at a compaction; the same one without any. */
function createModelView({ recording }: SessionPlan): (request: Request) => Request {
  const view = createServerView({ sizeOf: recording.sizes });
  const known = new WeakMap<Request, Request>();
  return (request) => {
    const seen = known.get(request) ?? view(request).request;
    known.set(request, seen);
    return seen;
  };
}

/** The code of a request that is larger than the window, beside those of `checkRequest`. */
const OVER_WINDOW = 'over-window';
/** What a call and its result take; less than any cache lifetime. */
const RE_READ_MS = 5_000;
