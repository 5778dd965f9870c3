import Anthropic, { APIUserAbortError } from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { startEmulator } from '../src/index.ts';
import type { RunningEmulator } from '../src/server/start.ts';

const running: RunningEmulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

async function start(
  options: NonNullable<Parameters<typeof startEmulator>[0]> = {},
  client: { maxRetries?: number; timeout?: number } = {},
) {
  const emulator = await startEmulator(options);
  running.push(emulator);
  const anthropic = new Anthropic({ baseURL: emulator.url, apiKey: 'test', ...client });
  return { emulator, anthropic };
}

const MODEL = 'claude-opus-5-5';
const hello = {
  model: MODEL,
  max_tokens: 2_000,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};
const SYSTEM = [
  {
    type: 'text' as const,
    text: 'You fix failing tests. '.repeat(400),
    cache_control: { type: 'ephemeral' as const },
  },
];

describe('the official SDK of Anthropic, unmodified', () => {
  test('messages.create answers and the second request reads what the first wrote', async () => {
    const { anthropic } = await start({ replies: ['One.', 'Two.'] });
    const first = await anthropic.messages.create({ ...hello, system: SYSTEM });
    const second = await anthropic.messages.create({ ...hello, system: SYSTEM });
    expect(first.content).toEqual([{ type: 'text', text: 'One.' }]);
    expect(first._request_id).toBe('req_emulated00000001');
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
    expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens);
  });

  test('messages.stream gives the same message as create, event by event', async () => {
    const content = [
      { type: 'thinking', thinking: 'Which file? 😀'.repeat(20), signature: '' },
      { type: 'text', text: 'I read it. 😀'.repeat(20) },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts', lines: [1, 2] } },
    ];
    const { anthropic } = await start({ replies: () => ({ content }), deltaCharacters: 7 });
    const stream = anthropic.messages.stream({ ...hello, system: SYSTEM });
    const kinds = new Set<string>();
    stream.on('streamEvent', ({ type }) => kinds.add(type));
    const streamed = await stream.finalMessage();
    const whole = await anthropic.messages.create(hello);
    expect(streamed.content).toMatchObject([
      { thinking: content[0]?.thinking },
      content[1],
      content[2],
    ]);
    expect(streamed.content).toMatchObject([
      { signature: expect.stringMatching(/^emu1\./) },
      {},
      {},
    ]);
    expect(streamed.stop_reason).toBe('tool_use');
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(streamed.usage.cache_creation?.ephemeral_5m_input_tokens).toBeGreaterThan(1_000);
    expect(kinds).toEqual(
      new Set([
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]),
    );
  });

  test.each([429, 500, 529])('retries %i and then answers', async (status) => {
    const faults = [{ kind: 'status' as const, status, retryAfterMs: 5, times: 2 }];
    const { emulator, anthropic } = await start({ faults });
    expect((await anthropic.messages.create(hello)).stop_reason).toBe('end_turn');
    expect(emulator.requests.map((request) => request.status)).toEqual([status, status, 200]);
  });

  test('gives up after its retries with the typed error', async () => {
    const faults = [{ kind: 'status' as const, status: 529, retryAfterMs: 5 }];
    const { emulator, anthropic } = await start({ faults });
    const error = await anthropic.messages.create(hello).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 529, type: 'overloaded_error' });
    expect(emulator.requests).toHaveLength(3);
  });

  test('does not retry a refusal, and reads its words', async () => {
    const { emulator, anthropic } = await start();
    const request = { ...hello, messages: [{ role: 'assistant' as const, content: 'x' }] };
    await expect(anthropic.messages.create(request)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: 'messages: first message must use the "user" role',
      requestID: 'req_emulated00000001',
    });
    expect(emulator.requests).toHaveLength(1);
  });

  test('aborts a stream in the middle, and the server goes on', async () => {
    const { anthropic } = await start({
      replies: () => 'x'.repeat(2_000),
      deltaCharacters: 10,
      eventDelayMs: 10,
    });
    const stream = anthropic.messages.stream(hello);
    stream.once('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toThrow(APIUserAbortError);
    expect((await anthropic.messages.countTokens(hello)).input_tokens).toBeGreaterThan(0);
  });

  test('a timeout is a connection timeout', async () => {
    const { anthropic } = await start(
      { faults: [{ kind: 'hang' }] },
      { timeout: 100, maxRetries: 0 },
    );
    await expect(anthropic.messages.create(hello)).rejects.toThrow(/timed out/i);
  });

  test('countTokens with and without the beta tells what would be billed', async () => {
    const { anthropic } = await start();
    const { input_tokens } = await anthropic.messages.countTokens({ ...hello, system: SYSTEM });
    const beta = await anthropic.beta.messages.countTokens({
      model: MODEL,
      messages: longToolUse(),
      betas: ['context-management-2025-06-27'],
      context_management: {
        edits: [{ type: 'clear_tool_uses_20250919', trigger: { type: 'tool_uses', value: 2 } }],
      },
    });
    const { usage } = await anthropic.messages.create({ ...hello, system: SYSTEM });
    expect(input_tokens).toBe(usage.input_tokens + (usage.cache_creation_input_tokens ?? 0));
    expect(beta.context_management?.original_input_tokens).toBeGreaterThan(
      beta.input_tokens + 1_000,
    );
  });

  test('beta context management reports what it applied, streaming or not', async () => {
    const { anthropic } = await start();
    const request = {
      model: MODEL,
      max_tokens: 100,
      messages: longToolUse(),
      betas: ['context-management-2025-06-27' as const],
      context_management: {
        edits: [
          {
            type: 'clear_tool_uses_20250919' as const,
            trigger: { type: 'tool_uses' as const, value: 2 },
            keep: { type: 'tool_uses' as const, value: 1 },
          },
        ],
      },
    };
    const whole = await anthropic.beta.messages.create(request);
    const streamed = await anthropic.beta.messages.stream(request).finalMessage();
    expect(whole.context_management?.applied_edits).toMatchObject([
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: 3 },
    ]);
    expect(streamed.context_management).toEqual(whole.context_management);
  });

  test('models.list and models.retrieve give the limits', async () => {
    const { anthropic } = await start();
    const ids: string[] = [];
    for await (const { id } of anthropic.models.list({ limit: 5 })) ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('claude-haiku-4-5');
    expect(await anthropic.models.retrieve(MODEL)).toMatchObject({
      id: MODEL,
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
    });
    await expect(anthropic.models.retrieve('none')).rejects.toMatchObject({ status: 404 });
  });

  test('the tool runner falls back to the whole history when threads are refused', async () => {
    const { emulator, anthropic } = await start({
      replies: [
        { content: [{ type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1, b: 2 } }] },
        'It is 3.',
      ],
    });
    const runner = anthropic.beta.messages.toolRunner({
      ...hello,
      tools: [
        {
          type: 'custom',
          name: 'add',
          input_schema: { type: 'object' },
          parse: (input: unknown) => input as { a: number; b: number },
          run: async ({ a, b }: { a: number; b: number }) => String(a + b),
        },
      ],
    });
    const last = await runner.runUntilDone();
    expect(last.content).toEqual([{ type: 'text', text: 'It is 3.' }]);
    expect(emulator.requests.map(({ status }) => status)).toEqual([400, 200, 200]);
    expect(JSON.parse(emulator.requests[0]?.reply.body ?? '')).toMatchObject({
      error: { details: { error_code: 'thread_unsupported_request' } },
    });
  });
});

function longToolUse(): Anthropic.Beta.BetaMessageParam[] {
  return [
    { role: 'user', content: 'Read' },
    ...[1, 2, 3, 4].flatMap((n): Anthropic.Beta.BetaMessageParam[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'read', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: 'line\n'.repeat(1_000) }],
      },
    ]),
  ];
}
