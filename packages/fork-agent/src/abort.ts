/** What every aborted call rejects with; a reason of the caller's own is kept as its cause. */
export function abortError(signal: AbortSignal): DOMException {
  const reason: unknown = signal.reason;
  if (reason instanceof DOMException && reason.name === 'AbortError') return reason;
  const error = new DOMException('The child was aborted; the parent is as it was.', 'AbortError');
  Object.defineProperty(error, 'cause', { value: reason });
  return error;
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** Settles as the work does, or rejects as soon as the signal is aborted, even where the work does not heed it. */
export async function orAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  const promise = Promise.resolve(work);
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  promise.catch(() => {}); // it may fail after the abort, when nobody waits for it
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The same events, and an end as soon as the signal is aborted, even where their source does not heed it. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal) {
  const events = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await orAborted(events.next(), signal);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    // not awaited: a source that hangs never gets there
    Promise.resolve(events.return?.()).catch(() => {});
  }
}
