import type { Request } from '@varve/messages';
import { ModelError } from '../error.ts';
import { createModelStream } from '../stream/model-stream.ts';
import type { ModelClient, ModelEvent } from '../types.ts';
import { commonLength, findDifference } from './difference.ts';
import { type RecordedExchange, type RecordStore, readError, readExchange } from './recording.ts';
import { requestBytes, requestKey } from './request-bytes.ts';

export interface ReplayClientOptions {
  /** Whether the requests have to come in the order in which they were recorded. @default false */
  readonly inOrder?: boolean | undefined;
}

/** A client that answers from a recording, and from nothing else. */
export interface ReplayClient extends ModelClient {
  /**
   * Ends a replay.
   *
   * @throws ModelError `unused-recording` where recorded answers were not asked for
   */
  finish(): Promise<void>;
}

/**
 * Replays a recording: a request is answered by what was recorded for the same bytes, the second time by the second
 * recorded answer. Nothing is sent anywhere.
 *
 * A stream throws ModelError `no-recording` for a request that was not recorded (or was not as often), with the first place
 * where the nearest recorded one differs; `out-of-order`; `bad-recording`; and what was recorded as an error.
 */
export function replayClient(store: RecordStore, options: ReplayClientOptions = {}): ReplayClient {
  const { inOrder = false } = options;
  let loading: Promise<Recording> | undefined;
  const load = () => {
    loading ??= loadRecording(store);
    return loading;
  };
  return {
    provider: 'replay',
    stream: (request, { signal } = {}) =>
      createModelStream(() => replay(request, { load, inOrder }), signal),
    async finish() {
      const { left } = await load();
      if (left.size === 0) return;
      const message = `${left.size} recorded answers were not asked for; the requests have changed, or record again.`;
      throw new ModelError('unused-recording', message);
    },
  };
}

interface Recording {
  readonly exchanges: readonly RecordedExchange[];
  /** Those that were not replayed yet, in the order of the recording. */
  readonly left: Set<RecordedExchange>;
}

async function loadRecording(store: RecordStore): Promise<Recording> {
  const lines = await store.lines();
  const exchanges = lines.filter((line) => line.trim() !== '').map(readExchange);
  return { exchanges, left: new Set(exchanges) };
}

interface ReplayContext {
  readonly load: () => Promise<Recording>;
  readonly inOrder: boolean;
}

async function* replay(request: Request, context: ReplayContext): AsyncGenerator<ModelEvent, void> {
  const recording = await context.load();
  const { events, response, error } = take(recording, requestBytes(request), context.inOrder);
  yield* events;
  if (error) throw readError(error);
  if (response) yield { type: 'response-end', response };
}

function take({ exchanges, left }: Recording, bytes: string, inOrder: boolean): RecordedExchange {
  const key = requestKey(bytes);
  const found = [...left].find((exchange) => exchange.key === key);
  if (!found) throw noRecording(exchanges, { key, bytes });
  const [next] = left;
  if (inOrder && found !== next)
    throw outOfOrder(exchanges.indexOf(found), exchanges.indexOf(next as RecordedExchange));
  left.delete(found);
  return found;
}

function outOfOrder(asked: number, expected: number): ModelError {
  const message = `The request is number ${asked + 1} of the recording, and number ${expected + 1} was to come; keep the order or record again.`;
  return new ModelError('out-of-order', message);
}

interface Asked {
  readonly key: string;
  readonly bytes: string;
}

function noRecording(exchanges: readonly RecordedExchange[], { key, bytes }: Asked): ModelError {
  const times = exchanges.filter((exchange) => exchange.key === key).length;
  if (times > 0) {
    const message = `The request was recorded ${times} times and is asked for once more; record again.`;
    return new ModelError('no-recording', message);
  }
  const difference = nearestDifference(exchanges, bytes);
  if (!difference)
    return new ModelError('no-recording', 'Nothing is recorded for this request; record it first.');
  const message = `The request was not recorded; the nearest that was differs first at ${difference.path}. Undo the change or record again.`;
  return new ModelError('no-recording', message, { difference });
}

function nearestDifference(exchanges: readonly RecordedExchange[], bytes: string) {
  let best: { readonly request: string; readonly common: number } | undefined;
  for (const { request } of exchanges) {
    const common = commonLength(request, bytes);
    if (!best || common > best.common) best = { request, common };
  }
  return best && findDifference(best.request, bytes);
}
