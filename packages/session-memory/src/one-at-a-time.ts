import { interruptible } from './interruptible.ts';

/** Runs work strictly one at a time. */
export interface OneAtATime<Value> {
  isBusy(): boolean;
  /**
   * Runs the work when nothing else runs. Whoever asks while something runs shares the one run that follows; an abort ends
   * the wait of the one who asked, and the run itself where that one started it.
   */
  run(work: Work<Value>, signal: AbortSignal): Promise<Value>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

type Work<Value> = (signal: AbortSignal) => Promise<Value>;

export function createOneAtATime<Value>(): OneAtATime<Value> {
  let current: Promise<void> | undefined;
  let next: Promise<Value> | undefined;

  function begin(work: Work<Value>, signal: AbortSignal): Promise<Value> {
    const result = work(signal).finally(() => {
      current = undefined;
    });
    current = result.then(ignore, ignore);
    return result;
  }

  async function follow(work: Work<Value>, signal: AbortSignal): Promise<Value> {
    while (current !== undefined) await current;
    next = undefined;
    return begin(work, signal);
  }

  return {
    isBusy: () => current !== undefined,
    run(work, signal) {
      if (current === undefined) return interruptible(begin(work, signal), signal);
      next ??= follow(work, signal);
      return interruptible(next, signal);
    },
    async idle() {
      while (current !== undefined || next !== undefined)
        await (current ?? next?.then(ignore, ignore));
    },
  };
}

const ignore = (): void => undefined;
