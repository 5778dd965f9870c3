/** What every aborted call rejects with, whatever the signal's own reason, which is kept as its cause. */
export function abortError(signal?: AbortSignal): DOMException {
  const reason: unknown = signal?.reason;
  if (isAbortError(reason)) return reason;
  const error = new DOMException(
    'The request was aborted; nothing more of it arrives.',
    'AbortError',
  );
  if (reason !== undefined) Object.defineProperty(error, 'cause', { value: reason });
  return error;
}

function isAbortError(value: unknown): value is DOMException {
  return value instanceof DOMException && value.name === 'AbortError';
}

/** Settles as `promise` does, or rejects as soon as the signal is aborted. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    throw abortError(signal);
  }
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
