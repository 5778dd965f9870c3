/**
 * Settles as the work does, or rejects with the reason of the signal as soon as it is aborted: not everybody who is given a
 * signal looks at it. What comes later is dropped.
 */
export async function orAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    const running = (async () => work())(); // what it throws at once is a rejection, too
    return await Promise.race([aborted, running]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
