import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { startEmulator } from '../src/index.ts';
import type { RunningEmulator } from '../src/server/start.ts';

const running: RunningEmulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

async function start(options: NonNullable<Parameters<typeof startEmulator>[0]> = {}) {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return { emulator, openai: new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: 'test' }) };
}

/** An answer of the other provider. */
async function messageOf({ url }: RunningEmulator): Promise<{ readonly id: string }> {
  const answered = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'test',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({
      model: 'claude-opus-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  });
  return (await answered.json()) as { readonly id: string };
}

const MODEL = 'gpt-5.6-sol';
const INSTRUCTIONS = 'You fix failing tests. '.repeat(400);
const REPLY = {
  content: [
    { type: 'thinking', thinking: 'Which file?', signature: '' },
    { type: 'text', text: 'I read it. 😀'.repeat(10) },
    { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.ts' } },
  ],
};

describe('the official SDK of OpenAI, unmodified: chat completions (C1, C2)', () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: 'Hi' },
  ];

  test('create answers with text, calls and usage that includes what was cached', async () => {
    const { openai } = await start({ replies: () => REPLY });
    const first = await openai.chat.completions.create({ model: MODEL, messages });
    const second = await openai.chat.completions.create({ model: MODEL, messages });
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I read it. 😀'.repeat(10),
        tool_calls: [{ id: 'call_1', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
    });
    expect(second.usage?.prompt_tokens).toBe(first.usage?.prompt_tokens);
    expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(first.usage?.prompt_tokens);
    expect(first.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
  });

  test('the stream helper gives the same message', async () => {
    const { openai } = await start({ replies: () => REPLY, deltaCharacters: 7 });
    const request = { model: MODEL, messages };
    const whole = await openai.chat.completions.create(request);
    const stream = openai.chat.completions.stream({
      ...request,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]?.message).toMatchObject({
      content: whole.choices[0]?.message.content,
      tool_calls: whole.choices[0]?.message.tool_calls,
    });
    expect(streamed.usage?.total_tokens).toBe(whole.usage?.total_tokens);
  });

  test('before 5.6 reads come in steps of 128 and writes cost nothing', async () => {
    const { openai } = await start();
    const request = { model: 'gpt-5.5', messages };
    const first = await openai.chat.completions.create(request);
    const { usage } = await openai.chat.completions.create(request);
    expect(usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(1_024);
    expect((usage?.prompt_tokens_details?.cached_tokens ?? 1) % 128).toBe(0);
    expect(first.usage?.prompt_tokens_details?.cache_write_tokens).toBe(0);
  });

  test('an explicit breakpoint is written besides the automatic one', async () => {
    const { openai } = await start();
    const marked = (tail: string): OpenAI.ChatCompletionMessageParam[] => [
      {
        role: 'user',
        content: [
          { type: 'text', text: INSTRUCTIONS, prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'text', text: tail },
        ],
      },
    ];
    const read = async (tail: string, mode?: 'explicit') => {
      const { usage } = await openai.chat.completions.create({
        model: MODEL,
        messages: marked(tail),
        ...(mode && { prompt_cache_options: { mode } }),
      });
      return usage?.prompt_tokens_details?.cached_tokens ?? 0;
    };
    expect(await read('a')).toBe(0);
    expect(await read('b', 'explicit')).toBe(0);
    expect(await read('c', 'explicit')).toBeGreaterThan(1_024);
  });

  test.each([429, 500, 503])('retries %i', async (status) => {
    const { emulator, openai } = await start({
      faults: [{ kind: 'status', status, retryAfterMs: 5, times: 2 }],
    });
    await openai.chat.completions.create({ model: MODEL, messages });
    expect(emulator.requests.map((request) => request.status)).toEqual([status, status, 200]);
  });
});

describe('the official SDK of OpenAI, unmodified: Responses (C1, C2)', () => {
  test('create, stream helper and stored responses', async () => {
    const { openai } = await start({ replies: () => REPLY, deltaCharacters: 7 });
    const request = { model: MODEL, instructions: INSTRUCTIONS, input: 'Hi' };
    const whole = await openai.responses.create(request);
    const streamed = await openai.responses.stream(request).finalResponse();
    expect(streamed.output_text).toBe('I read it. 😀'.repeat(10));
    expect(streamed.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
    ]);
    expect(streamed.usage?.output_tokens).toBe(whole.usage?.output_tokens);
    expect(streamed.usage?.input_tokens_details.cached_tokens).toBe(whole.usage?.input_tokens);
    const next = await openai.responses.create({
      model: MODEL,
      instructions: INSTRUCTIONS,
      previous_response_id: streamed.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
    });
    expect(next.usage?.input_tokens).toBeGreaterThan(whole.usage?.input_tokens ?? Infinity);
    expect(next.usage?.input_tokens_details.cached_tokens).toBe(whole.usage?.input_tokens);
  });

  test.each([
    ['30m', undefined],
    ['12h', { ttl_30m_tokens: 0, ttl_12h_tokens: expect.any(Number) }],
  ] as const)('usage of writes for %s has the split %j', async (ttl, split) => {
    const { openai } = await start();
    const { usage } = await openai.responses.create({
      ...{ model: MODEL, instructions: INSTRUCTIONS, input: 'Hi' },
      prompt_cache_options: { mode: 'implicit', ttl },
    });
    const details = usage?.input_tokens_details;
    expect(details?.cache_write_tokens).toBeGreaterThan(1_000);
    expect(details?.cache_write_tokens_details).toEqual(split);
  });

  test('an output that hits its limit is incomplete', async () => {
    const { openai } = await start({ replies: () => 'word '.repeat(100) });
    const request = { model: MODEL, input: 'Hi', max_output_tokens: 16 };
    const { status, incomplete_details } = await openai.responses.create(request);
    expect([status, incomplete_details?.reason]).toEqual(['incomplete', 'max_output_tokens']);
    const streamed = await openai.responses.stream(request).finalResponse();
    expect(streamed.status).toBe('incomplete');
  });

  test('compact keeps the words of the user, and its item stands for the rest', async () => {
    const { openai } = await start();
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: 'Read' },
      { role: 'assistant', content: 'word '.repeat(5_000) },
    ];
    const { output, usage } = await openai.responses.compact({ model: MODEL, input });
    expect(output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    expect(usage.input_tokens).toBeGreaterThan(4_000);
    const next = await openai.responses.create({
      model: MODEL,
      input: [...(output as OpenAI.Responses.ResponseInput), { role: 'user', content: 'Go on' }],
    });
    expect(next.usage?.input_tokens).toBeLessThan(1_500);
  });

  test('context_management compacts at its threshold', async () => {
    const { openai } = await start();
    const request = {
      model: MODEL,
      input: 'word '.repeat(5_000),
      context_management: [{ type: 'compaction', compact_threshold: 4_000 }],
    };
    const { output, usage } = await openai.responses.create(request);
    expect(output.map(({ type }) => type)).toEqual(['compaction', 'message']);
    expect(usage?.input_tokens).toBeGreaterThan(5_000);
    const below = { ...request, input: 'short' };
    expect((await openai.responses.create(below)).output.map(({ type }) => type)).toEqual([
      'message',
    ]);
  });

  test('inputTokens.count gives what a request is billed as', async () => {
    const { openai } = await start();
    const { input_tokens } = await openai.responses.inputTokens.count({
      model: MODEL,
      input: 'Hi',
    });
    const { usage } = await openai.responses.create({ model: MODEL, input: 'Hi' });
    expect(input_tokens).toBe(usage?.input_tokens);
  });

  test('diagnostics compare with the response that is named', async () => {
    const { emulator, openai } = await start();
    const ask = (instructions: string, id?: string) =>
      openai.responses.create({
        model: MODEL,
        instructions,
        input: 'Hi',
        ...(id && { prompt_cache_options: { comparison_response_id: id } }),
      });
    const first = await ask(INSTRUCTIONS);
    const same = await ask(INSTRUCTIONS, first.id);
    const other = await ask(`Now ${INSTRUCTIONS}`, first.id);
    const none = await ask(INSTRUCTIONS, 'resp_none');
    const foreign = await ask(INSTRUCTIONS, (await messageOf(emulator)).id);
    expect(first.prompt_cache_diagnostics).toBeUndefined();
    expect(same.prompt_cache_diagnostics).toEqual({ type: 'cache_hit' });
    expect(other.prompt_cache_diagnostics).toMatchObject({
      type: 'cache_miss',
      reason: 'input_changed',
    });
    for (const { prompt_cache_diagnostics } of [none, foreign])
      expect(prompt_cache_diagnostics).toEqual({ type: 'comparison_response_not_found' });
  });

  test('a prompt over the limit names its code', async () => {
    const { openai } = await start({ faults: [{ kind: 'prompt-too-long' }] });
    await expect(openai.responses.create({ model: MODEL, input: 'Hi' })).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
    });
  });

  test('models.list and models.retrieve', async () => {
    const { openai } = await start();
    const ids: string[] = [];
    for await (const { id } of openai.models.list()) ids.push(id);
    expect(ids).toContain(MODEL);
    expect((await openai.models.retrieve(MODEL)).id).toBe(MODEL);
    await expect(openai.models.retrieve('none')).rejects.toMatchObject({ status: 404 });
  });
});
