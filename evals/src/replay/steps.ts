/**
 * Work that may have to wait: it yields what it waits for. Where nothing waits it runs to its end at once, so that one
 * piece of code serves strategies that answer at once and those that cannot.
 */
export type Steps<Result> = Generator<Promise<void>, Result, void>;

/** Runs to the end. Throws a `TypeError` where something has to be waited for. */
export function finishNow<Result>(steps: Steps<Result>): Result {
  const { done, value } = steps.next();
  if (done) return value;
  value.catch(() => {});
  throw new TypeError('the strategy has to be waited for; replay it with `finish`');
}

/** Runs to the end and waits wherever it has to. */
export async function finish<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await value;
  }
}
