/**
 * The items of groups that come one after the other. What `for await (const group of groups) yield* group` does, in a third of
 * the time: an item of a group that is begun is handed out at once, in a promise that is settled, while each `yield` of an async
 * generator takes three turns. Calls wait for one another, and what a group throws is thrown where `groups` stands.
 */
export function eachOf<Item>(
  groups: AsyncGenerator<Iterable<Item>, undefined, undefined>,
): AsyncGenerator<Item, undefined, undefined> {
  let group: Iterator<Item> | undefined;
  let [begun, last]: [number, Promise<unknown>] = [0, Promise.resolve()];

  /** The next item that is there without waiting. */
  function take(): IteratorYieldResult<Item> | undefined {
    const found = group?.next();
    if (found === undefined || found.done) group = undefined;
    return found?.done ? undefined : (found as IteratorYieldResult<Item> | undefined);
  }

  async function advance(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      try {
        const found = take();
        if (found !== undefined) return found;
      } catch (error) {
        return fail(error);
      }
      const next = await groups.next();
      if (next.done) return next;
      group = next.value[Symbol.iterator]();
    }
  }

  /** Ends `groups`, so that what it holds open is closed before the error is seen. */
  async function fail(error: unknown): Promise<IteratorResult<Item, undefined>> {
    group = undefined;
    await groups.throw(error);
    return { done: true, value: undefined };
  }

  /** Runs `work` once the calls before are done. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = async () => {
      try {
        return await work();
      } finally {
        begun -= 1;
      }
    };
    begun += 1;
    const turn = begun === 1 ? run() : last.then(run, run);
    last = turn;
    return turn;
  }

  const methods = {
    next(): Promise<IteratorResult<Item, undefined>> {
      if (begun > 0 || group === undefined) return inTurn(advance);
      begun += 1; // a call out of `take` waits, as one does that a generator makes of itself
      try {
        const found = take();
        return found === undefined ? inTurn(advance) : Promise.resolve(found);
      } catch (error) {
        return inTurn(() => fail(error));
      } finally {
        begun -= 1;
      }
    },
    return(value?: PromiseLike<undefined> | undefined) {
      return inTurn(() => {
        group = undefined;
        return groups.return(value as undefined) as Promise<IteratorReturnResult<undefined>>;
      });
    },
    throw: (error: unknown) => inTurn(() => fail(error)),
  };
  return Object.assign(Object.create(Object.getPrototypeOf(groups)), methods);
}
