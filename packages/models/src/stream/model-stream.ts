import type { ModelEvent, ModelResponse, ModelStream } from '../types.ts';

/** Events of one exchange, the last of which is `response-end`; throws what the exchange fails with. */
export type Exchange = (signal: AbortSignal) => AsyncGenerator<ModelEvent, void>;

/**
 * A stream that is read by need: each `next()` reads one event, `response()` reads the rest, and both see the same ones.
 * After an abort not even events that had arrived are emitted.
 */
export function createModelStream(exchange: Exchange, signal?: AbortSignal): ModelStream {
  const left = new AbortController();
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const reader = createReader(exchange, ended);
  let isIterated = false;
  return {
    async response() {
      while (!reader.state.isOver) await reader.read();
      return reader.result();
    },
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new TypeError('The stream is already being read; iterate over it once.');
      isIterated = true;
      return {
        next: () => reader.next(),
        async return() {
          if (!reader.state.isOver) left.abort();
          await reader.close();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

interface ReaderState {
  isOver: boolean;
  failure: { readonly error: unknown } | undefined;
  response: ModelResponse | undefined;
}

function createReader(exchange: Exchange, signal: AbortSignal) {
  const queue: ModelEvent[] = [];
  const state: ReaderState = { isOver: false, failure: undefined, response: undefined };
  let source: AsyncGenerator<ModelEvent, void> | undefined;
  let reading: Promise<void> | undefined;
  const read = () => {
    source ??= exchange(signal);
    reading ??= step(source, state, queue).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const failIfAborted = () => {
    if (!state.response) signal.throwIfAborted();
  };
  return {
    state,
    read,
    result(): ModelResponse {
      failIfAborted();
      if (state.failure) throw state.failure.error;
      return state.response as ModelResponse;
    },
    async next(): Promise<IteratorResult<ModelEvent, undefined>> {
      while (queue.length === 0 && !state.isOver) await read();
      failIfAborted();
      const value = queue.shift();
      if (value) return { done: false, value };
      if (state.failure) throw state.failure.error;
      return { done: true, value: undefined };
    },
    async close() {
      queue.length = 0;
      state.isOver = true;
      await source?.return();
    },
  };
}

async function step(
  source: AsyncGenerator<ModelEvent, void>,
  state: ReaderState,
  queue: ModelEvent[],
): Promise<void> {
  try {
    const { done, value } = await source.next();
    if (done) state.isOver = true;
    else queue.push(value);
    if (value?.type === 'response-end') state.response = value.response;
  } catch (error) {
    state.failure = { error };
    state.isOver = true;
  }
}
