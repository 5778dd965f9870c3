import type { Request } from '@varve/messages';
import { redactJson, redact as redactText } from '@varve/redact';
import { ModelError } from '../error.ts';
import { createModelStream } from '../stream/model-stream.ts';
import type { ModelClient, ModelEvent, StreamOptions } from '../types.ts';
import { joinSplit } from './join-split.ts';
import { type RecordedExchange, type RecordStore, writeError } from './recording.ts';
import { requestBytes, requestKey } from './request-bytes.ts';

export interface RecordClientOptions {
  /**
   * Applied to every text that is written, so that no secret reaches the store; the key is that of the request as it was.
   * `false` writes them as they are. @default `redact` of `@varve/redact`, and fields that hold a secret by their name
   */
  readonly redact?: ((text: string) => string) | false | undefined;
}

/**
 * A client that records every exchange that ends, with an answer or with a `ModelError`; an aborted one is not recorded.
 * The answer is handed on once it is in the store.
 */
export function recordClient(
  client: ModelClient,
  store: RecordStore,
  { redact = redactText }: RecordClientOptions = {},
): ModelClient {
  const replace = redact || ((text: string) => text);
  const keep = (exchange: RecordedExchange) =>
    store.append(JSON.stringify(redactTexts(exchange, replace)));
  return {
    ...client,
    stream: (request, options = {}) =>
      createModelStream((signal) => {
        const called = client.stream(request, { ...options, signal } satisfies StreamOptions);
        return recorded(called, startOf(client, request), keep);
      }, options.signal),
  };
}

type Start = Pick<RecordedExchange, 'version' | 'key' | 'provider' | 'request'>;

function startOf({ provider }: ModelClient, request: Request): Start {
  const bytes = requestBytes(request);
  return { version: 1, key: requestKey(bytes), provider, request: bytes };
}

async function* recorded(
  stream: AsyncIterable<ModelEvent>,
  start: Start,
  keep: (exchange: RecordedExchange) => Promise<void>,
): AsyncGenerator<ModelEvent, void> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of stream) {
      if (event.type === 'response-end') await keep({ ...start, events, response: event.response });
      else events.push(event);
      yield event;
    }
  } catch (error) {
    if (ModelError.is(error)) await keep({ ...start, events, error: writeError(error) });
    throw error;
  }
}

function redactTexts(
  exchange: RecordedExchange,
  redact: (text: string) => string,
): RecordedExchange {
  const { key, request, ...rest } = { ...exchange, events: joinSplit(exchange.events, redact) };
  const inTexts = (_name: string, value: unknown) =>
    typeof value === 'string' ? redact(value) : value;
  const byName = redact === redactText ? redactJson : <Value>(value: Value) => value;
  const inside = byName(JSON.parse(request, inTexts));
  const redacted = byName(JSON.parse(JSON.stringify(rest), inTexts) as typeof rest);
  return { ...redacted, key, request: JSON.stringify(inside) };
}
