import type { Message, Request } from '@varve/messages';
import { EvalsError } from '../error.ts';
import { deepFreeze } from '../session/freeze.ts';
import type { Announcement, OwnCall, Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import type { RequestDigests } from './request-digests.ts';
import { createRequestShape, type RequestShape } from './request-shape.ts';
import type { Steps } from './steps.ts';

/** A strategy at work that can be waited for. */
export interface GuardedRun {
  add(message: Message): Steps<void>;
  request(): Steps<Request>;
  announced(): Announcement | undefined;
  close(): Steps<void>;
}

export interface GuardedRunOptions {
  readonly context: StrategyContext;
  readonly digests: RequestDigests;
  /** Called with what the strategy sent for itself by now. @default it is dropped */
  readonly onCalls?: ((calls: readonly OwnCall[]) => void) | undefined;
}

/**
 * Runs a strategy so that whatever it does wrong is a `strategy-failed` that names it. Its requests are copied and frozen:
 * it cannot change afterwards what was sent.
 */
export function createGuardedRun(
  strategy: Strategy,
  { context, digests, onCalls }: GuardedRunOptions,
): GuardedRun {
  const shape = createRequestShape({ head: context.head, digests });
  const fail: Fail = (doing, cause) =>
    failed(`The strategy \`${strategy.name}\` failed in ${doing}`, cause);
  const guard = <Value>(doing: string, act: () => Value): Value => {
    try {
      return act();
    } catch (cause) {
      throw fail(doing, cause);
    }
  };
  const run = guard('create()', () => checkedRun(strategy.create(context)));
  const askCalls = (): void => {
    const calls = guard('calls()', () => checkedCalls(run.calls?.() ?? [], shape));
    if (calls.length > 0) onCalls?.(calls);
  };
  return {
    *add(message) {
      shape.trust(message);
      guard('add()', () => checkSync(run.add(message)));
      if (message.role !== 'assistant') return;
      if (run.replied) yield waitFor('replied', run, fail);
      askCalls();
    },
    *request() {
      if (run.prepare) yield waitFor('prepare', run, fail);
      const request = guard('request()', () => snapshot(run.request(), shape));
      askCalls();
      return request;
    },
    announced: () => guard('announced()', () => checkAnnounced(run.announced?.())),
    *close() {
      if (run.close) yield waitFor('close', run, fail);
    },
  };
}

async function waitFor(
  name: 'prepare' | 'replied' | 'close',
  run: StrategyRun,
  fail: Fail,
): Promise<void> {
  try {
    await run[name]?.();
  } catch (cause) {
    throw fail(`${name}()`, cause);
  }
}

type Fail = (doing: string, cause: unknown) => EvalsError;

function failed(what: string, cause: unknown): EvalsError {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ');
  const advice = FROZEN.test(reason)
    ? ' What it is given is frozen; it has to copy what it changes.'
    : '';
  return new EvalsError('strategy-failed', `${what}: ${reason.replace(/[\s.]+$/, '')}.${advice}`, {
    cause,
  });
}

/** What the runtime says where something frozen is written to. */
const FROZEN = /read only|not extensible|Cannot (?:delete|redefine) property/;

function checkedRun(run: StrategyRun | null | undefined): StrategyRun {
  if (typeof run?.add === 'function' && typeof run.request === 'function') return run;
  throw new TypeError('it did not return { add(message), request() }');
}

function checkAnnounced(value: Announcement | undefined): Announcement | undefined {
  if (value === undefined) return undefined;
  const { from, reason, isCompaction = false } = value;
  if (Number.isInteger(from) && from >= -1 && typeof reason === 'string') {
    return { from, reason, isCompaction };
  }
  throw new TypeError(
    'it did not return { from, reason } with the index of a message, or undefined',
  );
}

function checkedCalls(calls: readonly OwnCall[], shape: RequestShape): readonly OwnCall[] {
  if (!Array.isArray(calls)) throw new TypeError('it did not return a list');
  return calls.map(({ request, outputTokens, isStandIn = false }: OwnCall) => {
    if (!(Number.isFinite(outputTokens) && outputTokens >= 0)) {
      throw new TypeError('`outputTokens` of a call is no number of tokens');
    }
    return { request: snapshot(request, shape), outputTokens, isStandIn };
  });
}

function checkSync(returned: unknown): void {
  if (returned instanceof Promise) {
    returned.catch(() => {});
    throw new TypeError('it returned a promise; a strategy has to work at once');
  }
}

/** Each part is read once, so that what was checked is what is sent. */
function snapshot(returned: Partial<Request> | undefined, shape: RequestShape): Request {
  if (returned instanceof Promise) checkSync(returned);
  if (typeof returned !== 'object' || returned === null) throw new TypeError(NO_REQUEST);
  const { head, messages, markers = [], maxOutputTokens, server } = returned;
  const request = {
    head,
    messages: copied(messages),
    markers: copied(markers),
    maxOutputTokens,
    ...(server !== undefined && { server }),
  };
  shape.check(request);
  Object.freeze(request.messages); // each of them is frozen already
  return deepFreeze(request);
}

const NO_REQUEST = 'it returned no request: { head, messages, markers, maxOutputTokens }';

const copied = (list: unknown): unknown => (Array.isArray(list) ? [...list] : list);
