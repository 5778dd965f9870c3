import { describe, expect, test } from 'vitest';
import { type ModelEvent, send } from '../src/index.ts';
import { startLoopback } from './loopback.ts';
import { CONTENT, PROVIDERS, request } from './providers.ts';

const USAGE = {
  input_tokens: 10,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 70,
  output_tokens: 12,
};

describe.each(PROVIDERS)(
  'a client of $name over the real SDK',
  ({ connect, whole, frames, model, path, name }) => {
    test('streams events and ends with the whole answer', async () => {
      const server = await startLoopback(() => ({
        frames: frames(whole),
        headers: { 'request-id': 'req_1', 'x-request-id': 'req_1' },
      }));
      const client = connect({ url: server.url });
      const stream = client.stream(request(model));
      const events: ModelEvent[] = [];
      for await (const event of stream) events.push(event);
      const response = await stream.response();
      await server.close();

      expect(client.provider).toBe(name);
      expect(server.requests.map((received) => received.path)).toEqual([path]);
      expect(events.at(-1)).toEqual({ type: 'response-end', response });
      expect(response).toMatchObject({
        model,
        content: CONTENT,
        stopReason: 'tool_use',
        requestId: 'req_1',
      });
      expect(response.usage).toMatchObject(USAGE);
      const texts = events.map((event) => (event.type === 'text-delta' ? event.text : ''));
      expect(texts.join('')).toBe('I look at the file first.');
      const json = events.map((event) => (event.type === 'input-delta' ? event.json : '')).join('');
      expect(JSON.parse(json)).toEqual({ path: 'a.ts', lines: [1, 40] });
      expect(events.filter(({ type }) => type === 'block-end')).toEqual(
        CONTENT.map((block, index) => ({ type: 'block-end', index, block })),
      );
    });

    test('gives the same answer without streaming', async () => {
      const server = await startLoopback(({ body }) =>
        body.stream ? { frames: frames(whole) } : { body: whole },
      );
      const streamed = await send(connect({ url: server.url }), request(model));
      const plain = await send(connect({ url: server.url, streaming: false }), request(model));
      await server.close();
      expect(plain).toEqual(streamed);
      expect(server.requests.map(({ body }) => Boolean(body.stream))).toEqual([true, false]);
    });

    test('sends nothing before the stream is read, and once however it is read', async () => {
      const server = await startLoopback(() => ({ frames: frames(whole) }));
      const stream = connect({ url: server.url }).stream(request(model));
      expect(server.requests).toHaveLength(0);
      const [first, second] = await Promise.all([stream.response(), stream.response()]);
      const events: ModelEvent[] = [];
      for await (const event of stream) events.push(event);
      await server.close();
      expect(second).toBe(first);
      expect(events[0]?.type).toBe('response-start');
      expect(events.at(-1)?.type).toBe('response-end');
      expect(server.requests).toHaveLength(1);
    });

    test('waits for the answer inside of a loop over its events', async () => {
      const server = await startLoopback(() => ({ frames: frames(whole) }));
      const stream = connect({ url: server.url }).stream(request(model));
      const seen: string[] = [];
      for await (const { type } of stream) {
        if (seen.push(type) === 1) await stream.response();
      }
      await server.close();
      expect(seen.at(-1)).toBe('response-end');
    });

    test('has the answer also where the loop is left at its last event', async () => {
      const server = await startLoopback(() => ({ frames: frames(whole) }));
      const stream = connect({ url: server.url }).stream(request(model));
      for await (const { type } of stream) if (type === 'response-end') break;
      expect((await stream.response()).content).toEqual(CONTENT);
      await server.close();
    });

    test('sends the same bytes for the same request, whatever a parameter named stream says', async () => {
      const server = await startLoopback(() => ({ frames: frames(whole) }));
      const client = connect({ url: server.url });
      const asked = request(model);
      const copy = structuredClone(asked);
      await send(client, asked);
      await send(client, { ...copy, head: { ...copy.head, params: { stream: false } } });
      await server.close();
      expect(server.requests[1]?.text).toBe(server.requests[0]?.text);
    });

    test('ends the request when the loop is left', async () => {
      const server = await startLoopback(() => ({
        frames: frames(whole).slice(0, 3),
        after: 'hang',
      }));
      const stream = connect({ url: server.url }).stream(request(model));
      for await (const _ of stream) break;
      await expect(stream.response()).rejects.toMatchObject({ name: 'AbortError' });
      await expect.poll(() => server.abandoned(), { timeout: 5_000 }).toBe(1);
      await server.close();
    });

    test('reports allowances', async () => {
      const server = await startLoopback(() => ({
        frames: frames(whole),
        headers: {
          'anthropic-ratelimit-input-tokens-limit': '1000',
          'anthropic-ratelimit-input-tokens-remaining': '900',
          'anthropic-ratelimit-input-tokens-reset': '2026-11-28T10:00:00Z',
          'x-ratelimit-remaining-requests': '59',
          'x-ratelimit-reset-requests': '1s',
        },
      }));
      const { rateLimits } = await send(connect({ url: server.url }), request(model));
      await server.close();
      expect(rateLimits).toEqual([
        { name: 'input-tokens', limit: 1000, remaining: 900, reset: '2026-11-28T10:00:00Z' },
        { name: 'requests', remaining: 59, reset: '1s' },
      ]);
    });
  },
);
