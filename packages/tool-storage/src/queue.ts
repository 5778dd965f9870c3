import { untilAborted } from '@varve/guards';

/** Runs tasks one after the other, so that budgets and decisions do not depend on timing. A failed task holds up nobody. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    const turn = last.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    last = turn.catch(() => undefined);
    return untilAborted(turn, signal); // also while others hold it up
  };
}
