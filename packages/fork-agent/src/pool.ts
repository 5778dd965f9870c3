export interface PoolOptions<Result> {
  readonly count: number;
  readonly concurrency: number;
  /** Whether the others wait until one has given a sign. */
  readonly warmUp: boolean;
  /** Starts one. A rejection is one for the pool; the others run on. */
  readonly start: (index: number, onFirstSign: () => void) => Promise<Result>;
}

/**
 * Runs all, so many at once. With `warmUp` one runs alone until it gives its first sign; where it ends without one, the
 * next is tried in its place.
 */
export async function runPool<Result>(options: PoolOptions<Result>): Promise<Result[]> {
  const { count, concurrency, warmUp, start } = options;
  const results = new Array<Result>(count);
  let next = 0;
  const runNext = async (onFirstSign: () => void = () => {}) => {
    const index = next++;
    results[index] = await start(index, onFirstSign);
  };
  const warming: Promise<void>[] = [];
  let isWarm = !warmUp;
  while (!isWarm && next < count) {
    await new Promise<void>((resolve, reject) => {
      const onFirstSign = () => {
        isWarm = true;
        resolve();
      };
      const whole = runNext(onFirstSign);
      warming.push(whole);
      whole.then(resolve, reject);
    });
  }
  const drain = async (before: Promise<void> | undefined) => {
    await before;
    while (next < count) await runNext();
  };
  const lanes = Array.from({ length: Math.min(concurrency, count) }, (_, lane) =>
    drain(lane === 0 ? warming.at(-1) : undefined),
  );
  await Promise.all(lanes);
  return results;
}
