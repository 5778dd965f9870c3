import { untilAborted } from './abort.ts';

export interface TimeLimit {
  /** In ms. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Settles as the work does, or rejects when its time is over or the signal is aborted, by the rule of `untilAborted`. The work is
 * handed the signal of both; the reason of the limit is a `TimeoutError`. Until then the process stays alive, which
 * `AbortSignal.timeout` does not see to: where nothing else keeps Node, what waits for it would never settle.
 */
export async function withinTime<Value>(
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
  { limitMs, signal }: TimeLimit,
): Promise<Value> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  const late = () =>
    limit.abort(new DOMException(`It took longer than ${limitMs} ms.`, 'TimeoutError'));
  const timer = setTimeout(late, Math.min(limitMs, MOST_MS));
  try {
    return await untilAborted(() => work(either), either);
  } finally {
    clearTimeout(timer);
  }
}

/** A timer of the platform takes no more. */
const MOST_MS = 2 ** 31 - 1;
