import { describe, expect, test } from 'vitest';
import { type ModelClient, ModelError, type ModelEvent, send } from '../src/index.ts';
import { type LoopbackReply, startLoopback } from './loopback.ts';
import { CONTENT, PROVIDERS, type Provider, request } from './providers.ts';
import { frame } from './wire.ts';

interface Outcome {
  readonly events: ModelEvent[];
  readonly error: unknown;
}

async function readAll(stream: ReturnType<ModelClient['stream']>): Promise<Outcome> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    await expect(stream.response()).rejects.toBe(error);
    return { events, error };
  }
}

async function failure(provider: Provider, reply: LoopbackReply): Promise<ModelError> {
  const server = await startLoopback(() => reply);
  const { error } = await readAll(
    provider.connect({ url: server.url }).stream(request(provider.model)),
  );
  await server.close();
  expect(ModelError.is(error)).toBe(true);
  return error as ModelError;
}

const blocksOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));

/** Frames up to one, and half of the next. */
function upTo(frames: readonly string[], count: number, half: boolean): string[] {
  const next = frames[count] ?? '';
  return [...frames.slice(0, count), ...(half ? [next.slice(0, next.length / 2)] : [])];
}

describe.each(PROVIDERS)('case 51: a stream of $name that breaks off', (provider) => {
  const { connect, frames, whole, model } = provider;
  const all = frames(whole);
  // chat completions are whole with the finish reason; bill and end mark follow it
  const needed = all.findLastIndex((text) =>
    /message_stop|response\.completed|"finish_reason":"/.test(text),
  );
  const cuts = Array.from({ length: needed }, (_, count) => count + 1);

  test.each([
    { after: 'cut', half: false },
    { after: 'cut', half: true },
    { after: 'end', half: false },
    { after: 'end', half: true },
  ] as const)(
    'never passes for whole, cut at any event (half: $half, then $after)',
    async ({ after, half }) => {
      const server = await startLoopback((_, index) => ({
        frames: upTo(all, cuts[index] as number, half),
        after,
      }));
      const client = connect({ url: server.url });
      for (const _ of cuts) {
        const { events, error } = await readAll(client.stream(request(model)));
        expect(error).toMatchObject({ code: 'stream-broken', retryable: true });
        for (const [index, block] of blocksOf(events).entries())
          expect(block).toEqual(CONTENT[index]);
        expect(events.some(({ type }) => type === 'response-end')).toBe(false);
      }
      await server.close();
      expect(server.requests).toHaveLength(cuts.length);
    },
  );

  test('is told apart where an event is malformed', async () => {
    const malformed = [...all.slice(0, 3), frame('{"type": oh', 'content_block_delta')];
    expect(await failure(provider, { frames: malformed, after: 'hang' })).toMatchObject({
      code: 'stream-broken',
      retryable: true,
    });
  });

  test('is told apart where nothing more arrives', async () => {
    const server = await startLoopback(() => ({ frames: all.slice(0, 4), after: 'hang' }));
    const client = connect({ url: server.url });
    const { error } = await readAll(client.stream(request(model), { timeoutMs: 400 }));
    expect(error).toMatchObject({ code: 'stream-broken', retryable: true });
    await expect.poll(() => server.abandoned(), { timeout: 5_000 }).toBe(1);
    await server.close();
  });

  test('is whole where it is only slow', async () => {
    const server = await startLoopback(() => ({ frames: all, gapMs: 5 }));
    const client = connect({ url: server.url });
    const { content } = await send(client, request(model), { timeoutMs: 2_000 });
    await server.close();
    expect(content).toEqual(CONTENT);
  });

  test('ends with a timeout where the answer does not begin', async () => {
    const server = await startLoopback(() => ({ frames: [], after: 'hang' }));
    const { error } = await readAll(
      connect({ url: server.url }).stream(request(model), { timeoutMs: 60 }),
    );
    await server.close();
    expect(error).toMatchObject({ code: 'timeout', retryable: true });
  });

  test('says connection where no server listens', async () => {
    const server = await startLoopback(() => ({}));
    await server.close();
    const { error } = await readAll(connect({ url: server.url }).stream(request(model)));
    expect(error).toMatchObject({ code: 'connection', retryable: true });
  });
});

describe.each(PROVIDERS)('an abort of $name', ({ connect, frames, whole, model }) => {
  test('rejects at every event, and nothing is emitted after', async () => {
    const all = frames(whole);
    const server = await startLoopback(() => ({ frames: all }));
    const client = connect({ url: server.url });
    const { events } = await readAll(client.stream(request(model)));
    for (let count = 1; count < events.length; count++) {
      const controller = new AbortController();
      const reason = new Error('enough');
      const stream = client.stream(request(model), { signal: controller.signal });
      const seen: ModelEvent[] = [];
      const reading = (async () => {
        for await (const event of stream) {
          seen.push(event);
          if (seen.length === count) controller.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      await expect(stream.response()).rejects.toBe(reason);
      expect(seen).toEqual(events.slice(0, count));
    }
    await server.close();
  });

  test('ends the wait for a server that says nothing, with the reason itself', async () => {
    const server = await startLoopback(() => ({
      frames: frames(whole).slice(0, 1),
      after: 'hang',
    }));
    const controller = new AbortController();
    const reason = new Error('enough');
    const sent = send(connect({ url: server.url }), request(model), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 40);
    await expect(sent).rejects.toBe(reason);
    await expect.poll(() => server.abandoned(), { timeout: 5_000 }).toBe(1);
    await server.close();
  });

  test('before the start sends nothing', async () => {
    const server = await startLoopback(() => ({ frames: frames(whole) }));
    const sent = send(connect({ url: server.url }), request(model), {
      signal: AbortSignal.abort(),
    });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toHaveLength(0);
    await server.close();
  });

  test('after the end changes nothing', async () => {
    const server = await startLoopback(() => ({ frames: frames(whole) }));
    const controller = new AbortController();
    const stream = connect({ url: server.url }).stream(request(model), {
      signal: controller.signal,
    });
    const response = await stream.response();
    controller.abort();
    await expect(stream.response()).resolves.toBe(response);
    await server.close();
  });
});

describe.each(PROVIDERS)('a failure of $name', (provider) => {
  const error = (type: string, message: string) => ({
    type: 'error',
    error: { type, code: type, message },
    request_id: 'req_9',
  });

  test.each([
    { status: 401, type: 'authentication_error', code: 'auth' },
    { status: 402, type: 'billing_error', code: 'billing' },
    { status: 403, type: 'permission_error', code: 'auth' },
    { status: 404, type: 'not_found_error', code: 'not-found' },
    { status: 409, type: 'conflict_error', code: 'conflict' },
    { status: 413, type: 'request_too_large', code: 'request-too-large' },
    { status: 429, type: 'rate_limit_error', code: 'rate-limited' },
    { status: 500, type: 'api_error', code: 'server-error' },
    { status: 503, type: 'any', code: 'overloaded' },
    { status: 504, type: 'timeout_error', code: 'timeout' },
    { status: 529, type: 'overloaded_error', code: 'overloaded' },
    { status: 400, type: 'invalid_request_error', code: 'invalid-request' },
  ])('with status $status is $code', async ({ status, type, code }) => {
    const found = await failure(provider, { status, body: error(type, 'No.') });
    const retryable = ['conflict', 'rate-limited', 'server-error', 'overloaded', 'timeout'];
    expect(found).toMatchObject({ code, status, retryable: retryable.includes(code) });
    expect(found.cause).toMatchObject({ status });
    expect(found.message).not.toContain('No.');
  });

  test.each([
    { header: { 'retry-after-ms': '1500' }, retryAfterMs: 1_500 },
    { header: { 'retry-after': '7' }, retryAfterMs: 7_000 },
    { header: { 'retry-after': '0' }, retryAfterMs: 0 },
    {
      header: {
        date: 'Sat, 28 Nov 2026 10:00:00 GMT',
        'retry-after': 'Sat, 28 Nov 2026 10:00:30 GMT',
      },
      retryAfterMs: 30_000,
    },
  ])('says how long to wait: $retryAfterMs ms', async ({ header, retryAfterMs }) => {
    const reply = {
      status: 429,
      headers: header as Record<string, string>,
      body: error('rate_limit_error', 'Slow.'),
    };
    expect(await failure(provider, reply)).toMatchObject({ code: 'rate-limited', retryAfterMs });
  });

  test('case 35: after the answer has begun keeps its own code and what was billed', async () => {
    const frames = provider.frames(provider.whole).slice(0, 4);
    const failed = frame(error('overloaded_error', 'Overloaded.'), 'error');
    const found = await failure(provider, { frames: [...frames, failed], after: 'hang' });
    expect(found).toMatchObject({ code: 'overloaded', retryable: true });
    if (provider.name === 'anthropic') expect(found.usage).toMatchObject({ input_tokens: 10 });
  });

  test('leaves retries to the SDK, as often as it is told', async () => {
    const server = await startLoopback((_, index) =>
      index < 2
        ? {
            status: 529,
            headers: { 'retry-after-ms': '1' },
            body: error('overloaded_error', 'No.'),
          }
        : { frames: provider.frames(provider.whole) },
    );
    const retrying = provider.connect({ url: server.url, maxRetries: 2 });
    const { content } = await send(retrying, request(provider.model));
    await server.close();
    expect(content).toEqual(CONTENT);
    expect(server.requests).toHaveLength(3);
  });
});
