import { untilAborted } from '@varve/guards';

/** Runs work strictly one at a time. */
export interface OneAtATime<Value> {
  isBusy(): boolean;
  /**
   * Runs the work when nothing else runs, and answers when it has ended. Whoever asks while something runs shares the one run
   * that follows; an abort ends the wait of the one who asked, and the run once nobody waits for it any more.
   */
  run(work: Work<Value>, signal: AbortSignal): Promise<Value>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

type Work<Value> = (signal: AbortSignal) => Promise<Value>;

export function createOneAtATime<Value>(): OneAtATime<Value> {
  let current: Promise<void> | undefined;
  let next: Shared<Value> | undefined;

  function begin(work: Work<Value>, signal: AbortSignal): Promise<Value> {
    const result = work(signal).finally(() => {
      current = undefined;
    });
    current = result.then(ignore, ignore);
    return result;
  }

  async function follow(work: Work<Value>, signal: AbortSignal): Promise<Value> {
    while (current !== undefined) await untilAborted(current, signal);
    signal.throwIfAborted();
    next = undefined;
    return begin(work, signal);
  }

  function queue(work: Work<Value>): Shared<Value> {
    const shared = createShared<Value>(
      (signal) => follow(work, signal),
      () => {
        if (next === shared) next = undefined;
      },
    );
    return shared;
  }

  return {
    isBusy: () => current !== undefined,
    run(work, signal) {
      if (current === undefined) return begin(work, signal);
      next ??= queue(work);
      return next.join(signal);
    },
    async idle() {
      while (current !== undefined || next !== undefined) await (current ?? next?.ended);
    },
  };
}

/** One run that several wait for. */
interface Shared<Value> {
  join(signal: AbortSignal): Promise<Value>;
  readonly ended: Promise<void>;
}

/** `onLeft`: called when the last one has given up. */
function createShared<Value>(start: Work<Value>, onLeft: () => void): Shared<Value> {
  const stop = new AbortController();
  const result = start(stop.signal);
  let waiting = 0;
  return {
    ended: result.then(ignore, ignore),
    join(signal) {
      waiting++;
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting--;
          if (waiting > 0) return reject(signal.reason);
          onLeft();
          stop.abort(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        const stay = () => signal.removeEventListener('abort', leave);
        result.then(resolve, reject).finally(stay);
      });
    },
  };
}

const ignore = (): void => undefined;
