import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Head } from '@varve/messages';
import { afterEach, describe, expect, test } from 'vitest';
import { createCountEndpoint } from '../src/exact.ts';
import { TokensError } from '../src/index.ts';

type CountTokens = ReturnType<typeof createCountEndpoint>;

const head: Head = {
  id: 'head-1',
  model: 'claude-opus-5-5',
  system: [{ type: 'text', text: 'You fix bugs.' }],
  tools: [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }],
  params: { thinking: { type: 'adaptive' }, betas: ['context-management-2025-06-27', 'x-1'] },
};

const input: Parameters<CountTokens>[0] = {
  head,
  messages: [
    {
      role: 'user',
      content: [{ type: 'text', text: 'Fix the failing test.' } as { type: string }],
    },
    { role: 'assistant', content: 'Which one?' },
  ],
};

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

type Answer = { readonly status?: number; readonly body: string } | 'nothing';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A count endpoint on this machine that gives one answer and remembers what it was asked. */
async function endpoint(answer: Answer) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    received.push({ path: request.url, headers: request.headers, body });
    if (answer === 'nothing') return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(answer.body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const count = createCountEndpoint({ fetch, baseUrl, headers: { 'x-api-key': 'key' } });
  return { received, count };
}

const errorOf = async (promise: Promise<number>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe('createCountEndpoint (T3)', () => {
  test('asks for the count of the whole request', async () => {
    const { received, count } = await endpoint({ body: '{"input_tokens":1234}' });
    const server = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
    expect(await count({ ...input, server })).toBe(1_234);
    const [request] = received;
    expect(request?.path).toBe('/v1/messages/count_tokens');
    expect(request?.headers).toMatchObject({
      'x-api-key': 'key',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'context-management-2025-06-27,x-1',
      'content-type': 'application/json',
    });
    expect(request?.body).toEqual({
      model: 'claude-opus-5-5',
      system: head.system,
      tools: head.tools,
      thinking: { type: 'adaptive' },
      messages: input.messages,
      ...server,
    });
  });

  test('sends no empty system prompt, tools or betas, and nothing of a message but role and content', async () => {
    const { received, count } = await endpoint({ body: '{"input_tokens":9}' });
    const message = { id: 'm-1', role: 'user', content: 'hi', createdAt: '2026-01-01T00:00:00Z' };
    await count({ head: { ...head, system: [], tools: [], params: {} }, messages: [message] });
    expect(received[0]?.body).toEqual({
      model: 'claude-opus-5-5',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(received[0]?.headers['anthropic-beta']).toBeUndefined();
  });

  test('asks once for the same messages, and again when anything else is sent with them', async () => {
    const { received, count } = await endpoint({ body: '{"input_tokens":9}' });
    await count(input);
    await count({ ...input });
    expect(received).toHaveLength(1);
    await count({ ...input, head: { ...head, model: 'claude-sonnet-5-5' } });
    await count({ ...input, messages: [...input.messages] });
    expect(received).toHaveLength(3);
  });

  test.each([
    [
      429,
      '{"type":"error","error":{"type":"rate_limit_error","message":"secret"}}',
      'rate_limit_error',
    ],
    [413, '<html>too large</html>', '413'],
    [400, '{"error":{"type":"<script>"}}', '400'],
  ])('a refusal with status %i says so, without quoting the answer', async (status, body, says) => {
    const { count } = await endpoint({ status, body });
    const error = await errorOf(count(input));
    expect(TokensError.is(error) && [error.code, error.status]).toEqual(['count-failed', status]);
    expect(String(error)).toContain(says);
    expect(String(error)).not.toMatch(/secret|html|script/);
  });

  test.each([
    '{"tokens":9}',
    '{"input_tokens":"9"}',
    '{"input_tokens":-1}',
    'null',
    '9 tokens',
    '',
  ])('an answer of %j is not a count', async (body) => {
    const { count } = await endpoint({ body });
    const error = await errorOf(count(input));
    expect(TokensError.is(error) && error.code).toBe('count-unreadable');
  });

  test('an endpoint that cannot be reached is a failed count with its cause', async () => {
    const cause = new TypeError('fetch failed');
    const count = createCountEndpoint({ fetch: () => Promise.reject(cause), headers: {} });
    const error = await errorOf(count(input));
    expect(TokensError.is(error) && [error.code, error.cause]).toEqual(['count-failed', cause]);
  });

  test('a failed count is not remembered', async () => {
    const answers = [new Response('', { status: 529 }), Response.json({ input_tokens: 7 })];
    const count = createCountEndpoint({
      fetch: async () => answers.shift() ?? Response.error(),
      headers: {},
    });
    await expect(count(input)).rejects.toThrow('529');
    expect(await count(input)).toBe(7);
  });
});

describe('an abort of a count (T3)', () => {
  test('rejects at once where the signal is already aborted', async () => {
    const { count } = await endpoint('nothing');
    const error = await errorOf(count(input, { signal: AbortSignal.abort() }));
    expect(error).toHaveProperty('name', 'AbortError');
  });

  test('an endpoint rejects with the abort itself while it waits', async () => {
    const { received, count } = await endpoint('nothing');
    const controller = new AbortController();
    const counting = errorOf(count(input, { signal: controller.signal }));
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await counting).toHaveProperty('name', 'AbortError');
    expect(TokensError.is(await counting)).toBe(false);
  });
});
