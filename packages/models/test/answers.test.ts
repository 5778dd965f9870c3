import { describe, expect, test } from 'vitest';
import { type ModelEvent, type ModelResponse, send } from '../src/index.ts';
import {
  ANTHROPIC,
  answering,
  CHAT,
  PROVIDERS,
  type Provider,
  RESPONSES,
  request,
} from './providers.ts';
import { frame } from './wire.ts';

type Fields = Record<string, unknown>;

function streamed(provider: Provider, changes: Fields): Promise<ModelResponse> {
  const frames = provider.frames({ ...provider.whole, ...changes }).join('');
  return send(provider.connect({ fetch: answering(frames) }), request(provider.model));
}

const choice = (message: Fields, finish: string): Fields => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
});

test.each(PROVIDERS)('an SDK of $name may be loaded with the first request', async (provider) => {
  let loads = 0;
  const fetch = answering(provider.frames(provider.whole).join(''));
  const onLoad = () => {
    loads += 1;
  };
  const client = provider.connect({ fetch, onLoad });
  const stream = client.stream(request(provider.model));
  expect(loads).toBe(0);
  const response = await stream.response();
  expect({ loads, content: response.content.length }).toEqual({ loads: 1, content: 2 });
});

describe('stop reasons', () => {
  test.each([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
    'compaction',
  ])('of Anthropic stay as they are: %s', async (word) => {
    const response = await streamed(ANTHROPIC, { stop_reason: word });
    expect(response).toMatchObject({ stopReason: word, providerStopReason: word });
  });

  test('that nobody knows are unknown, with the word kept', async () => {
    const response = await streamed(ANTHROPIC, { stop_reason: 'bored' });
    expect(response).toMatchObject({ stopReason: 'unknown', providerStopReason: 'bored' });
  });

  test('of a refusal carry its details', async () => {
    const details = { type: 'refusal', category: 'x', explanation: null };
    const response = await streamed(ANTHROPIC, { stop_reason: 'refusal', stop_details: details });
    expect(response.stopDetails).toEqual(details);
  });

  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['function_call', 'tool_use'],
    ['content_filter', 'refusal'],
    ['error', 'error'],
    ['eos_maybe', 'unknown'],
  ])('of Chat Completions: %s is %s', async (word, stopReason) => {
    const response = await streamed(CHAT, choice({ content: 'Yes.' }, word));
    expect(response).toMatchObject({ stopReason, providerStopReason: word });
  });

  test('of servers that say stop for an answer with calls are tool_use', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } };
    expect(await streamed(CHAT, choice({ tool_calls: [call] }, 'stop'))).toMatchObject({
      stopReason: 'tool_use',
    });
  });

  test.each([
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'max_tokens'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'refusal'],
    [{ status: 'incomplete', incomplete_details: { reason: 'steered' } }, 'pause_turn'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_messages' } }, 'pause_turn'],
    [{ status: 'incomplete', incomplete_details: { reason: 'new' } }, 'unknown'],
    [{ status: 'cancelled' }, 'aborted'],
    [{ status: 'completed' }, 'tool_use'],
    [{ status: 'completed', output: [] }, 'end_turn'],
    [
      { status: 'completed', output: [{ type: 'compaction', id: 'c', encrypted_content: 'x' }] },
      'compaction',
    ],
  ])('of Responses: %j is %s', async (changes, stopReason) => {
    expect(await streamed(RESPONSES, changes)).toMatchObject({ stopReason });
  });

  test('a response that failed throws with its own code', async () => {
    const failed = streamed(RESPONSES, {
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'Slow.' },
    });
    await expect(failed).rejects.toMatchObject({ code: 'rate-limited', retryable: true });
  });
});

describe('a call that the token limit cut', () => {
  const cut = '{"path":"a.ts","text":"half';
  const events = async (provider: Provider, frames: readonly string[]) => {
    const stream = provider
      .connect({ fetch: answering(frames.join('')) })
      .stream(request(provider.model));
    const seen: ModelEvent[] = [];
    for await (const event of stream) seen.push(event);
    return { seen, response: await stream.response() };
  };
  test.each([
    {
      provider: ANTHROPIC,
      frames: ANTHROPIC.frames({
        ...ANTHROPIC.whole,
        content: [{ type: 'tool_use', id: 'c1', name: 'write', input: {} }],
        stop_reason: 'max_tokens',
      }).map((text) =>
        text.replace('"partial_json":"{}"', `"partial_json":${JSON.stringify(cut)}`),
      ),
    },
    {
      provider: CHAT,
      frames: CHAT.frames({
        ...CHAT.whole,
        ...choice(
          {
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'write', arguments: cut } },
            ],
          },
          'length',
        ),
      }),
    },
    {
      provider: RESPONSES,
      frames: RESPONSES.frames({
        ...RESPONSES.whole,
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [
          {
            type: 'function_call',
            call_id: 'c1',
            name: 'write',
            arguments: cut,
            status: 'incomplete',
          },
        ],
      }),
    },
  ])('of $provider.name is no block, and what came of it is told', async ({ provider, frames }) => {
    const { seen, response } = await events(provider, frames);
    expect(response).toMatchObject({
      stopReason: 'max_tokens',
      content: [],
      cutCall: { id: 'c1', name: 'write', json: cut },
    });
    expect(seen.some(({ type }) => type === 'block-end')).toBe(false);
  });

  test.each([
    {
      provider: CHAT,
      changes: choice(
        {
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{bad' } }],
        },
        'tool_calls',
      ),
    },
    {
      provider: RESPONSES,
      changes: {
        output: [
          {
            type: 'function_call',
            call_id: 'c1',
            name: 'w',
            arguments: '{bad',
            status: 'completed',
          },
        ],
      },
    },
  ])(
    "of $provider.name keeps the model's own bad JSON as text where nothing was cut",
    async ({ provider, changes }) => {
      const response = await streamed(provider, changes);
      expect(response).toMatchObject({
        stopReason: 'tool_use',
        content: [{ type: 'tool_use', id: 'c1', input: '{bad' }],
      });
      expect(response.cutCall).toBeUndefined();
    },
  );

  test.each([
    {
      provider: CHAT,
      changes: choice(
        { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '' } }] },
        'tool_calls',
      ),
    },
    {
      provider: RESPONSES,
      changes: {
        output: [
          { type: 'function_call', call_id: 'c1', name: 'w', arguments: '', status: 'completed' },
        ],
      },
    },
  ])('of $provider.name without arguments has an empty input', async ({ provider, changes }) => {
    expect((await streamed(provider, changes)).content).toMatchObject([{ input: {} }]);
  });
});

describe('compatible servers', () => {
  const chunk = (delta: Fields, finish: string | null = null) =>
    frame({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });
  const sendChunks = (...chunks: string[]) =>
    send(
      CHAT.connect({ fetch: answering([...chunks, frame('[DONE]')].join('')) }),
      request('local'),
    );
  const answered = (before: string, output: readonly unknown[]) => {
    const response = { id: 'r', model: 'm', status: 'completed', output };
    const end = frame({ type: 'response.completed', response }, 'response.completed');
    const client = RESPONSES.connect({ fetch: answering(before + end) });
    return send(client, request(RESPONSES.model));
  };
  const call = (id: string | undefined, name: string, index?: number) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { name, arguments: `{"n":"${name}"}` },
  });

  test.each([
    { name: 'whole calls under one number', calls: [call('a', 'one', 0), call('b', 'two', 0)] },
    { name: 'whole calls without a number', calls: [call('a', 'one'), call('b', 'two')] },
    {
      name: 'whole calls without numbers and ids',
      calls: [call(undefined, 'one'), call('', 'two')],
    },
    { name: 'numbered calls', calls: [call('a', 'one', 0), call('b', 'two', 1)] },
  ])('may send $name', async ({ calls }) => {
    const response = await sendChunks(
      ...calls.map((each) => chunk({ tool_calls: [each] })),
      chunk({}, 'tool_calls'),
    );
    expect(response.content).toMatchObject([
      { name: 'one', input: { n: 'one' } },
      { name: 'two', input: { n: 'two' } },
    ]);
    const ids = response.content.map((block) => block.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
  });

  test.each(['reasoning_content', 'reasoning'])('may send thinking as %s', async (field) => {
    const response = await sendChunks(
      chunk({ [field]: 'Let me ' }),
      chunk({ [field]: 'see.' }),
      chunk({ content: 'Yes.' }),
      chunk({}, 'stop'),
    );
    expect(response.content).toEqual([
      { type: 'thinking', thinking: 'Let me see.', signature: '' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('may send no bill, which is told apart from one of nothing', async () => {
    const { usage } = await sendChunks(chunk({ content: 'Yes.' }), chunk({}, 'stop'));
    expect(usage).toEqual({ input_tokens: 0, output_tokens: 0, provider_usage: null });
  });

  test.each([
    { prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 },
    { cached_tokens: 60 },
    { prompt_tokens_details: { cached_tokens: 60 } },
  ])('may name cached tokens elsewhere: %j', async (named) => {
    const reported = { prompt_tokens: 100, completion_tokens: 5, ...named };
    const { usage } = await streamed(CHAT, {
      ...choice({ content: 'Yes.' }, 'stop'),
      usage: reported,
    });
    expect(usage).toMatchObject({
      input_tokens: 40,
      cache_read_input_tokens: 60,
      provider_usage: reported,
    });
  });

  test('may send arguments as an object, streamed or whole', async () => {
    const input = { path: 'a.ts' };
    const call = { id: 'a', type: 'function', function: { name: 'read', arguments: input } };
    const streamedCall = await sendChunks(chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'));
    expect(streamedCall.content).toMatchObject([{ name: 'read', input }]);
    const item = { type: 'function_call', id: 'f', call_id: 'a', name: 'read', arguments: input };
    expect((await answered('', [item])).content).toMatchObject([{ name: 'read', input }]);
  });

  test('may send no arguments for a call without any', async () => {
    const item = { type: 'function_call', id: 'f', call_id: 'a', name: 'now', arguments: null };
    const { content, cutCall } = await answered('', [item]);
    expect(content).toMatchObject([{ name: 'now', input: {} }]);
    expect(cutCall).toBeUndefined();
  });

  test('may open with a chunk that has neither a name nor a choice', async () => {
    const { id, model } = await sendChunks(
      frame({ id: '', model: '', choices: [], prompt_filter_results: [] }),
      chunk({ content: 'Yes.' }, 'stop'),
    );
    expect({ id, model }).toEqual({ id: 'x', model: 'm' });
  });

  test('may mix several answers, of which the first is read', async () => {
    const of = (index: number, delta: Fields, finish: string | null = null) =>
      frame({ id: 'x', model: 'm', choices: [{ index, delta, finish_reason: finish }] });
    const { content, stopReason } = await sendChunks(
      of(0, { content: 'One ' }),
      of(1, { content: 'Two ' }),
      of(1, {}, 'stop'),
      of(0, { content: 'more' }, 'length'),
    );
    expect(content).toEqual([{ type: 'text', text: 'One more' }]);
    expect(stopReason).toBe('max_tokens');
  });

  test('may leave items to the last event, which then has them', async () => {
    const [first, second] = ['One.', 'Two.'].map((text, place) => ({
      ...{ id: `m${place}`, type: 'message', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text, annotations: [] }],
    }));
    const done = { type: 'response.output_item.done', output_index: 0, item: first };
    const { content } = await answered(frame(done, done.type), [first, second]);
    expect(content.map(({ text }) => text)).toEqual(['One.', 'Two.']);
  });

  test('may fail inside of a stream with a status of their own', async () => {
    const failed = sendChunks(
      chunk({ content: 'Yes' }),
      frame({ error: { code: 502, message: 'Gone.' } }),
    );
    await expect(failed).rejects.toMatchObject({ code: 'server-error', status: 502 });
  });
});

const HALF = JSON.stringify({ path: 'a\ud83d' });

test.each([
  {
    provider: ANTHROPIC,
    changes: {
      content: [
        { type: 'text', text: 'Yes \ud83d' },
        { type: 'tool_use', id: 'c', name: 'read', input: JSON.parse(HALF) },
      ],
      stop_reason: 'tool_use',
    },
  },
  {
    provider: CHAT,
    changes: choice(
      {
        content: 'Yes \ud83d',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: HALF } }],
      },
      'tool_calls',
    ),
  },
  {
    provider: RESPONSES,
    changes: {
      output: [
        {
          ...{ id: 'm', type: 'message', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'Yes \ud83d', annotations: [] }],
        },
        { type: 'function_call', id: 'f', call_id: 'c', name: 'read', arguments: HALF },
      ],
    },
  },
])(
  'case 49: half surrogates of $provider.name are replaced, so that they can be sent back',
  async ({ provider, changes }) => {
    const { content } = await streamed(provider, changes);
    expect(content).toMatchObject([{ text: 'Yes \ufffd' }, { input: { path: 'a\ufffd' } }]);
  },
);

test('an answer that another model took over names that model', async () => {
  const fallback = {
    type: 'fallback',
    from: { model: 'claude-opus-5-5' },
    to: { model: 'claude-opus-5' },
  };
  const response = await streamed(ANTHROPIC, {
    content: [fallback, { type: 'text', text: 'Yes.' }],
  });
  expect(response).toMatchObject({ model: 'claude-opus-5', content: [fallback, { text: 'Yes.' }] });
});

describe('the bill of an answer', () => {
  test('case 71: keeps the split of writes by lifetime', async () => {
    const { usage } = await streamed(ANTHROPIC, {});
    expect(usage.cache_creation).toEqual({
      ephemeral_5m_input_tokens: 15,
      ephemeral_1h_input_tokens: 5,
    });
  });

  test.each([CHAT, RESPONSES])('of $name keeps what the provider said', async (provider) => {
    const { usage } = await streamed(provider, {});
    expect(usage.provider_usage).toEqual(provider.whole.usage);
  });

  test('of a compaction by the server has its passes, and the edits that were applied', async () => {
    const iterations = [{ type: 'compaction', input_tokens: 9, output_tokens: 3 }];
    const edit = {
      type: 'clear_tool_uses_20250919',
      cleared_tool_uses: 2,
      cleared_input_tokens: 900,
    };
    const response = await streamed(ANTHROPIC, {
      usage: { ...(ANTHROPIC.whole.usage as Fields), iterations },
      context_management: { applied_edits: [edit] },
    });
    expect(response).toMatchObject({ iterations, appliedEdits: [edit] });
  });
});

describe('silent overflow', () => {
  const text = 'prompt is too long: 210000 tokens > 200000 maximum';

  test.each(PROVIDERS)(
    'case 22: an error text of $name as the whole answer, billed as nothing, is no answer',
    async (provider) => {
      const bodies: Readonly<Record<string, Fields>> = {
        anthropic: {
          content: [{ type: 'text', text }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 0, output_tokens: 0 },
        },
        'openai-chat': {
          ...choice({ content: text }, 'stop'),
          usage: { prompt_tokens: 0, completion_tokens: 0 },
        },
        'openai-responses': {
          output: [
            {
              id: 'm',
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text }],
            },
          ],
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      };
      await expect(streamed(provider, bodies[provider.name] as Fields)).rejects.toMatchObject({
        code: 'silent-overflow',
        actualTokens: 210_000,
        limitTokens: 200_000,
        retryable: false,
      });
    },
  );

  test('is not seen in the same text where the model wrote and billed it', async () => {
    const response = await streamed(ANTHROPIC, {
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
    });
    expect(response.content).toEqual([{ type: 'text', text }]);
  });

  const used = (input: number, output: number) => ({
    content: [{ type: 'text', text: 'x' }],
    stop_reason: 'max_tokens',
    usage: { input_tokens: 10, cache_read_input_tokens: input - 10, output_tokens: output },
  });
  const withWindow = (windowTokens: number, changes: Fields) =>
    send(
      ANTHROPIC.connect({
        windowTokens,
        fetch: answering({ ...ANTHROPIC.whole, ...changes }),
        streaming: false,
      }),
      request('local'),
    );

  test.each([
    { input: 1_000, output: 9, overflow: undefined },
    {
      input: 1_001,
      output: 9,
      overflow: { kind: 'usage-above-window', promptTokens: 1_001, windowTokens: 1_000 },
    },
    {
      input: 995,
      output: 1,
      overflow: { kind: 'no-room-for-output', promptTokens: 995, windowTokens: 1_000 },
    },
    { input: 900, output: 1, overflow: undefined },
  ])(
    'case 59, case 62: $input of 1000 tokens with $output out is reported as $overflow.kind, not thrown',
    async ({ input, output, overflow }) => {
      expect((await withWindow(1_000, used(input, output))).overflow).toEqual(overflow);
    },
  );

  test('takes the window of a known model from the table', async () => {
    const response = await streamed(ANTHROPIC, {
      usage: { input_tokens: 1_000_001, output_tokens: 9 },
    });
    expect(response.overflow).toMatchObject({ windowTokens: 1_000_000 });
  });
});
