import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isAbortError, untilAborted } from '../src/index.ts';

const never = () => new Promise<never>(() => {});
const reject = (reason: unknown) => Promise.reject<never>(reason);
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  );

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('untilAborted', () => {
  test.each([
    ['an error of the caller', new Error('left')],
    ['a text', 'left'],
    ['null', null],
    ['a timeout', new DOMException('late', 'TimeoutError')],
    ['an AbortError of the caller', new DOMException('left', 'AbortError')],
  ])('rejects with the reason itself: %s', async (_, reason) => {
    const controller = new AbortController();
    const waiting = [never(), never].map((work) =>
      outcomeOf(untilAborted<never>(work, controller.signal)),
    );
    controller.abort(reason);
    for (const outcome of await Promise.all(waiting)) {
      expect((outcome as { reason: unknown }).reason).toBe(reason);
    }
  });

  test('without a reason it is the AbortError of the platform', async () => {
    const waiting = untilAborted(never, AbortSignal.abort());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(waiting).rejects.toSatisfy(isAbortError);
  });

  test('a signal that is aborted already starts nothing, and a promise on its way may fail later', async () => {
    const work = vi.fn(never);
    const signal = AbortSignal.abort('left');
    await expect(untilAborted(work, signal)).rejects.toBe('left');
    expect(work).not.toHaveBeenCalled();
    await expect(untilAborted(Promise.reject(new Error('late')), signal)).rejects.toBe('left');
  });

  test('settles as the work does, and what a function throws at once is a rejection', async () => {
    const { signal } = new AbortController();
    const cause = new Error('failed');
    const fail = () => {
      throw cause;
    };
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(() => 2, signal)).resolves.toBe(2);
    await expect(untilAborted(async () => 3, undefined)).resolves.toBe(3);
    await expect(untilAborted(fail, signal)).rejects.toBe(cause);
    await expect(untilAborted(fail, undefined)).rejects.toBe(cause);
    await expect(untilAborted(Promise.reject(cause), signal)).rejects.toBe(cause);
  });

  test('a promise whose values can be read one by one as well is a promise', async () => {
    const work = Object.assign(Promise.resolve('all'), { async *[Symbol.asyncIterator]() {} });
    await expect(untilAborted<string>(work, undefined)).resolves.toBe('all');
  });

  test('the reason wins over the error of work that listens to the same signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listening = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('of the work')));
    });
    const waiting = outcomeOf(untilAborted(listening, signal));
    controller.abort('left');
    expect(await waiting).toEqual({ reason: 'left' });
  });

  test('no listener stays behind, however it ends', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await untilAborted(() => 1, signal);
    await outcomeOf(untilAborted(() => Promise.reject(new Error('failed')), signal));
    expect(listenersOf(signal)).toBe(0);
    const waiting = outcomeOf(untilAborted(never, signal));
    expect(listenersOf(signal)).toBe(1);
    controller.abort();
    await waiting;
    expect(listenersOf(signal)).toBe(0);
  });

  test('whatever comes first decides, and nothing is left unhandled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('abort', 'resolve', 'reject'), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (deeds, isFunction) => {
          const controller = new AbortController();
          let resolve: (value: string) => void = () => {};
          let reject: (reason: string) => void = () => {};
          const promise = new Promise<string>((...ends) => {
            [resolve, reject] = ends;
          });
          const work = isFunction ? () => promise : promise;
          const waiting = outcomeOf(untilAborted(work, controller.signal));
          for (const deed of deeds) {
            if (deed === 'abort') controller.abort('left');
            else if (deed === 'resolve') resolve('done');
            else reject('failed');
            for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          }
          const expected = {
            abort: { reason: 'left' },
            resolve: { value: 'done' },
            reject: { reason: 'failed' },
          };
          expect(await waiting).toEqual(expected[deeds[0] as keyof typeof expected]);
        },
      ),
      { numRuns: Number(process.env.VARVE_LAW_RUNS ?? 200) },
    );
  });
});

describe('untilAborted of an async iterable', () => {
  async function* numbers(end: number, closed: () => void = () => {}) {
    try {
      for (let at = 1; at <= end; at++) yield at;
    } finally {
      closed();
    }
  }

  test('gives the values in order and ends with them', async () => {
    const seen: number[] = [];
    for await (const value of untilAborted(numbers(3), new AbortController().signal)) {
      seen.push(value);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  test('an abort while a source hangs rejects with the reason, and asks the source to close', async () => {
    const controller = new AbortController();
    const asked = vi.fn(never);
    const source = { [Symbol.asyncIterator]: () => ({ next: never, return: asked }) };
    const reading = outcomeOf(untilAborted(source, controller.signal).next());
    controller.abort('left');
    expect(await reading).toEqual({ reason: 'left' });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('an abort between two values gives none of those that had arrived', async () => {
    const controller = new AbortController();
    const closed = vi.fn();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of untilAborted(numbers(9, closed), controller.signal)) {
        seen.push(value);
        if (value === 2) controller.abort('left');
      }
    })();
    await expect(reading).rejects.toBe('left');
    expect(seen).toEqual([1, 2]);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test('a signal that is aborted already opens no source', async () => {
    const open = vi.fn();
    const source = { [Symbol.asyncIterator]: open } as AsyncIterable<number>;
    await expect(untilAborted(source, AbortSignal.abort('left')).next()).rejects.toBe('left');
    expect(open).not.toHaveBeenCalled();
  });

  test('a reader that leaves closes the source and waits for it', async () => {
    const closed = vi.fn();
    for await (const value of untilAborted(numbers(9, closed), undefined)) {
      if (value === 2) break;
    }
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test('the failure of a source is passed on, and it is not closed a second time', async () => {
    const cause = new Error('broken');
    const asked = vi.fn();
    const source = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause), return: asked }),
    };
    await expect(untilAborted(source, new AbortController().signal).next()).rejects.toBe(cause);
    expect(asked).not.toHaveBeenCalled();
  });

  test('leaving waits until the source has closed, and fails where closing fails', async () => {
    const deeds: string[] = [];
    async function* slow() {
      try {
        yield 1;
      } finally {
        await new Promise((resolve) => setTimeout(resolve, 5));
        deeds.push('closed');
      }
    }
    for await (const _ of untilAborted(slow(), new AbortController().signal)) break;
    deeds.push('left');
    expect(deeds).toEqual(['closed', 'left']);
    const cause = new Error('not closed');
    const failing = { next: async () => ({ done: false, value: 1 }), return: () => reject(cause) };
    const source = { [Symbol.asyncIterator]: () => failing } as unknown as AsyncIterable<number>;
    const reading = (async () => {
      for await (const _ of untilAborted(source, undefined)) break;
    })();
    await expect(reading).rejects.toBe(cause);
  });

  test('a source that cannot be closed after an abort is left alone: its failure harms nobody', async () => {
    const controller = new AbortController();
    const failing = { next: never, return: () => reject(new Error('not closed')) };
    const source = { [Symbol.asyncIterator]: () => failing } as unknown as AsyncIterable<number>;
    const reading = outcomeOf(untilAborted(source, controller.signal).next());
    controller.abort('left');
    expect(await reading).toEqual({ reason: 'left' });
    await new Promise((resolve) => setTimeout(resolve, 5)); // a rejection that is not handled ends the run
  });

  test.each([undefined, new AbortController().signal])(
    'a source that has ended or failed is not closed again, with and without a signal',
    async (signal) => {
      const asked = vi.fn();
      const reading = (next: () => Promise<unknown>) =>
        outcomeOf(
          untilAborted(
            {
              [Symbol.asyncIterator]: () => ({ next, return: asked }),
            } as unknown as AsyncIterable<unknown>,
            signal,
          ).next(),
        );
      await reading(async () => ({ done: true, value: undefined }));
      await reading(() => reject(new Error('broken')));
      expect(asked).not.toHaveBeenCalled();
    },
  );

  test('no listener stays behind', async () => {
    const { signal } = new AbortController();
    for await (const value of untilAborted(numbers(5), signal)) if (value === 3) break;
    expect(listenersOf(signal)).toBe(0);
  });
});

test.each([
  [new DOMException('x', 'AbortError'), true],
  [Object.assign(new Error('x'), { name: 'AbortError' }), true],
  [new DOMException('x', 'TimeoutError'), false],
  [new Error('AbortError'), false],
  ['AbortError', false],
  [undefined, false],
])('isAbortError of %s is %s', (value, is) => {
  expect(isAbortError(value)).toBe(is);
});
