import { untilAborted } from '@varve/guards';
import { ModelError } from '../error.ts';
import { toModelError } from '../errors/to-model-error.ts';
import { rateLimitsOf } from '../rate-limits.ts';
import type { ModelEvent, ModelResponse, StreamOptions } from '../types.ts';
import { checkOverflow } from './overflow.ts';

/** Turns a provider's events into ours; one instance an answer. */
export interface Fold<Event> {
  read(event: Event): readonly ModelEvent[];
  /**
   * The whole answer, once the provider's events are over.
   *
   * @throws ModelError `stream-broken` where they ended too early
   */
  end(): ModelResponse;
  /** What was billed as far as the events said. */
  readonly usage: ModelResponse['usage'] | undefined;
}

/** A request on its way: the provider's events, or its whole answer turned into them. */
export interface Answer<Event> {
  readonly events: AsyncIterable<Event>;
  readonly headers: Headers | undefined;
  readonly requestId: string | null | undefined;
}

export interface ExchangeOptions<Event> {
  readonly open: (options: {
    signal: AbortSignal;
    timeoutMs?: number | undefined;
  }) => Promise<Answer<Event>>;
  readonly fold: Fold<Event>;
  /** Tokens; undefined where nobody knows. */
  readonly windowTokens: number | undefined;
  readonly now: () => number;
  readonly timeoutMs: StreamOptions['timeoutMs'];
}

/** One request from sending to its last event, with every failure normalised and every wait ended by an abort. */
export async function* runExchange<Event>(
  options: ExchangeOptions<Event>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const { open, fold, now, timeoutMs } = options;
  const left = new AbortController();
  let hasBegun = false;
  try {
    signal.throwIfAborted();
    const ended = AbortSignal.any([signal, left.signal]);
    const answer = await untilAborted(() => open({ signal: ended, timeoutMs }), signal);
    for await (const event of waiting(answer.events, signal, timeoutMs)) {
      hasBegun = true;
      yield* fold.read(event);
    }
    yield { type: 'response-end', response: finish(answer, options) };
  } catch (error) {
    signal.throwIfAborted();
    throw withUsage(toModelError(error, { now, hasBegun }), fold.usage);
  } finally {
    // frees the connection of an answer that was not read to its end
    left.abort();
  }
}

function finish<Event>(answer: Answer<Event>, options: ExchangeOptions<Event>): ModelResponse {
  const response = checkOverflow(options.fold.end(), options.windowTokens);
  const rateLimits = rateLimitsOf(answer.headers);
  return {
    ...response,
    ...(answer.requestId != null && { requestId: answer.requestId }),
    ...(rateLimits.length > 0 && { rateLimits }),
  };
}

/** A broken answer is billed as well, so the error says what is known of it. */
function withUsage(error: ModelError, usage: ModelResponse['usage'] | undefined): ModelError {
  if (usage === undefined || error.usage !== undefined) return error;
  const { code, message, cause } = error;
  return new ModelError(code, message, { ...error, usage, cause });
}

/** The events, with an end to each wait by abort or by time. The SDKs end silently when aborted, which is an error here. */
async function* waiting<Event>(
  events: AsyncIterable<Event>,
  signal: AbortSignal,
  timeoutMs: number | undefined,
): AsyncGenerator<Event, void> {
  const source = events[Symbol.asyncIterator]();
  let late = neverBegan;
  for (;;) {
    const next = await untilAborted(() => orLate(source.next(), timeoutMs, late), signal);
    signal.throwIfAborted();
    if (next.done) return;
    late = brokeOff;
    yield next.value;
  }
}

async function orLate<T>(
  promise: Promise<T>,
  timeoutMs: number | undefined,
  late: (timeoutMs: number) => ModelError,
): Promise<T> {
  if (timeoutMs === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
  }
}

function neverBegan(timeoutMs: number): ModelError {
  const message = `The answer did not begin within ${timeoutMs} ms; try again.`;
  return new ModelError('timeout', message, { retryable: true });
}

function brokeOff(timeoutMs: number): ModelError {
  const message = `The answer broke off: nothing arrived for ${timeoutMs} ms. Send the request again.`;
  return new ModelError('stream-broken', message, { retryable: true });
}
