/** A promise that is already on its way, or a function that starts one. */
export type Work<Value> = PromiseLike<Value> | (() => Value | PromiseLike<Value>);

/**
 * Settles as the work does, or rejects as soon as the signal is aborted, also where the work does not look at the signal.
 *
 * It rejects with the signal's reason itself, as `signal.throwIfAborted()` and `fetch` do: an `AbortError` unless the
 * caller gave a reason. The reason is never wrapped, and it wins over a value or a failure that has not been handed over
 * yet. A function is not called where the signal is aborted already; what it throws is a rejection. What the work does
 * after an abort is dropped, a rejection included.
 *
 * Of an async iterable: its values, by the same rule. It is closed when the reader leaves and when the signal is aborted; after
 * an abort the closing is not waited for, because a source that hangs never comes to it.
 */
export function untilAborted<Value>(
  work: Work<Value>,
  signal: AbortSignal | undefined,
): Promise<Value>;
export function untilAborted<Value>(
  source: AsyncIterable<Value>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Value, void, undefined>;
export function untilAborted<Value>(
  work: Work<Value> | AsyncIterable<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> | AsyncGenerator<Value, void, undefined> {
  const isIterable = Symbol.asyncIterator in work && !('then' in work);
  return isIterable ? eachUntilAborted(work, signal) : settled(work as Work<Value>, signal);
}

function settled<Value>(work: Work<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return begin(work);
  if (signal.aborted) {
    if (typeof work !== 'function') work.then(ignore, ignore);
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const end =
      <Result>(settle: (result: Result) => void) =>
      (result: Result) => {
        signal.removeEventListener('abort', onAbort);
        settle(result);
      };
    begin(work).then(end(resolve), end(reject));
  });
}

async function* eachUntilAborted<Value>(
  source: AsyncIterable<Value>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Value, void, undefined> {
  signal?.throwIfAborted();
  const values = source[Symbol.asyncIterator]();
  let isLeft = true;
  try {
    for (;;) {
      const step = await untilAborted(() => values.next(), signal);
      if (step.done) isLeft = false;
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    isLeft = signal?.aborted ?? false; // a source that failed has closed itself
    throw error;
  } finally {
    if (isLeft) await close(values, signal);
  }
}

/** True for the `AbortError` of the platform, also of another realm. */
export const isAbortError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'name' in value && value.name === 'AbortError';

async function close(values: AsyncIterator<unknown>, signal: AbortSignal | undefined) {
  const closing = begin(async () => values.return?.());
  if (signal?.aborted) closing.catch(ignore);
  else await untilAborted(closing, signal);
}

async function begin<Value>(work: Work<Value>): Promise<Value> {
  return typeof work === 'function' ? work() : work;
}

const ignore = (): void => undefined;
