/** What every aborted call rejects with, whatever reason the signal carries. */
export function abortError(signal?: AbortSignal): DOMException {
  const { reason } = signal ?? {};
  if (reason instanceof DOMException && reason.name === 'AbortError') return reason;
  const aborted = new DOMException(
    'The compaction was aborted; nothing has changed.',
    'AbortError',
  );
  return Object.defineProperty(aborted, 'cause', { value: reason });
}

/** Whether something that was thrown says that it was aborted. */
export const isAbort = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'AbortError';
