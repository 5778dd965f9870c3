export interface PoolOptions<Result> {
  readonly count: number;
  readonly concurrency: number;
  /** Whether the others wait until one has given a sign. */
  readonly warmUp: boolean;
  /** Starts one. A rejection is one for the pool; the others run on. */
  readonly start: (index: number, onFirstSign: () => void) => Promise<Result>;
}

/** Runs all, so many at once; with `warmUp` as `createWarmUp` says. */
export async function runPool<Result>(options: PoolOptions<Result>): Promise<Result[]> {
  const { count, concurrency, warmUp, start } = options;
  const results = new Array<Result>(count);
  const run = warmUp ? createWarmUp() : atOnce;
  let next = 0;
  const drain = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await run((onFirstSign) => start(index, onFirstSign));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, drain));
  return results;
}

/** Starts a child, which calls `onFirstEvent` with its first event, or more often. */
type StartWarm = <Result>(start: (onFirstEvent: () => void) => Promise<Result>) => Promise<Result>;

const atOnce: StartWarm = (start) => start(() => {});

/**
 * For children of one parent that are started one by one, as calls of one reply are: one runs alone until its first event, by
 * which it has written what all of them share; then the others start. Where it ends without one, the next is tried in its
 * place. `fanOut` does it by itself.
 */
export function createWarmUp(): StartWarm {
  let isWarm = false;
  let turn: Promise<void> = Promise.resolve();
  return async (start) => {
    const mine = turn;
    let passOn = () => {};
    const passed = new Promise<void>((resolve) => {
      passOn = resolve;
    });
    turn = mine.then(() => (isWarm ? undefined : passed));
    await mine;
    const onFirstEvent = () => {
      isWarm = true;
      passOn();
    };
    try {
      return await start(onFirstEvent);
    } finally {
      passOn();
    }
  };
}
