import type Anthropic from '@anthropic-ai/sdk';
import type { Marker, Message } from '@varve/messages';
import { fromAnthropic } from '@varve/messages/convert';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type AnthropicBody, createAnthropicWriter } from '../src/anthropic/request.ts';
import { createAnthropicClient } from '../src/anthropic.ts';
import { send } from '../src/index.ts';
import { createOpenAIChatWriter, type OpenAIChatBody } from '../src/openai/chat-request.ts';
import {
  createOpenAIResponsesWriter,
  type OpenAIResponsesBody,
} from '../src/openai/responses-request.ts';
import { createOpenAIChatClient, type createOpenAIResponsesClient } from '../src/openai.ts';
import { startLoopback } from './loopback.ts';
import { ANTHROPIC, CHAT, message, openaiSdk, RESPONSES, request } from './providers.ts';

const HISTORY: readonly Message[] = [
  message('user', 'Fix the test.'),
  message('assistant', [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'text', text: 'Reading.' },
    { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.ts' } },
  ]),
  message('user', [
    { type: 'tool_result', tool_use_id: 'call_1', content: 'export {};' },
    { type: 'text', text: 'Go on.' },
  ]),
];

const at = (messageIndex: number, blockIndex: number, ttl?: '5m' | '1h'): Marker => ({
  at: 'message',
  messageIndex,
  blockIndex,
  ...(ttl && { ttl }),
});

describe('the types of what is written', () => {
  test('fit the parameters of the SDKs, and the SDKs fit the clients', () => {
    expectTypeOf<AnthropicBody>().toExtend<Anthropic.MessageCreateParams>();
    expectTypeOf<AnthropicBody>().toExtend<Anthropic.Beta.Messages.MessageCreateParams>();
    expectTypeOf<OpenAIChatBody>().toExtend<OpenAI.ChatCompletionCreateParams>();
    expectTypeOf<OpenAIResponsesBody>().toExtend<OpenAI.Responses.ResponseCreateParams>();
    expectTypeOf<Anthropic>().toExtend<Parameters<typeof createAnthropicClient>[0]['sdk']>();
    expectTypeOf<OpenAI>().toExtend<
      Parameters<typeof createOpenAIChatClient>[0]['sdk'] &
        Parameters<typeof createOpenAIResponsesClient>[0]['sdk']
    >();
  });
});

describe('createAnthropicWriter', () => {
  test('writes parameters, head and messages', () => {
    const { head } = request('claude-opus-5-5');
    const params = {
      thinking: { type: 'adaptive' },
      betas: ['a-beta'],
      output_config: { effort: 'high' },
    };
    const written = createAnthropicWriter()(
      request('claude-opus-5-5', { head: { ...head, params }, messages: HISTORY }),
    );
    expect(written.body).toEqual({
      output_config: { effort: 'high' },
      thinking: { type: 'adaptive' },
      model: 'claude-opus-5-5',
      max_tokens: 1_000,
      tools: head.tools,
      system: head.system,
      messages: HISTORY.map(({ role, content }) => ({ role, content })),
    });
    expect(written).toMatchObject({ betas: ['a-beta'], isBeta: true, losses: [] });
  });

  test.each([
    ['{"path": "a', '{"path": "a'],
    [['a.ts'], '["a.ts"]'],
    [null, 'null'],
  ])('sends a call back whose input is no object: %j', (input, text) => {
    const call = { type: 'tool_use', id: 'c1', name: 'read', input };
    const messages = [
      message('user', 'Read it.'),
      { ...message('assistant', ''), content: [call] },
    ];
    const write = createAnthropicWriter();
    const { body, losses } = write(request('claude-opus-5-5', { messages }));
    const written = body.messages[1] as { content: readonly object[] };
    expect(written.content).toEqual([{ ...call, input: { INVALID_JSON: text } }]);
    expect(losses).toEqual([{ kind: 'call-input', messageIndex: 1, blockIndex: 0 }]);
    expect(write(request('claude-opus-5-5', { messages })).body.messages[1]).toBe(written);
    expect(call.input).toBe(input);
  });

  test('case 45: keeps thinking, redacted thinking, compaction and unknown blocks byte for byte', () => {
    const content = [
      { type: 'compaction', content: 'So far.', encrypted_content: 'ZW5j' },
      { type: 'thinking', thinking: '', signature: 'c2ln/+==' },
      { type: 'redacted_thinking', data: 'cmVk' },
      { type: 'from_the_future', field: [1, { deep: null }] },
      { type: 'text', text: 'Yes.' },
    ];
    const written = createAnthropicWriter()(
      request('claude-opus-5-5', {
        messages: [message('user', 'A'), message('assistant', content)],
      }),
    );
    expect(JSON.stringify(written.body.messages[1]?.content)).toBe(JSON.stringify(content));
  });

  test('needs no beta for a plain request', () => {
    expect(createAnthropicWriter()(request('claude-opus-5-5'))).toMatchObject({
      betas: [],
      isBeta: false,
    });
  });

  test.each([
    [
      { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
      ['context-management-2025-06-27'],
    ],
    [
      { context_management: { edits: [{ type: 'compact_20260112' }] } },
      ['context-management-2025-06-27', 'compact-2026-01-12'],
    ],
    [{ compaction: { type: 'summarize' } }, ['compact-2026-09-04']],
  ])('knows the betas that %j needs', (server, betas) => {
    const written = createAnthropicWriter()(request('claude-opus-5-5', { server }));
    expect(written).toMatchObject({ betas, isBeta: true, body: server });
  });

  test('writes markers last, with their lifetimes, and copies only what it marks', () => {
    const write = createAnthropicWriter();
    const plain = write(request('claude-opus-5-5', { messages: HISTORY })).body;
    const markers: Marker[] = [
      { at: 'tools', ttl: '1h' },
      { at: 'system', ttl: '1h' },
      at(2, 1, '5m'),
      at(0, 0),
    ];
    const { body } = write(request('claude-opus-5-5', { messages: HISTORY, markers }));
    expect(body.tools?.[0]?.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
    expect(body.system?.[0]?.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
    expect(body.messages[0]?.content).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
    expect(body.messages[2]?.content[1]).toEqual({
      type: 'text',
      text: 'Go on.',
      cache_control: { type: 'ephemeral', ttl: '5m' },
    });
    expect(body.messages[1]).toBe(plain.messages[1]);
    expect(JSON.stringify(plain)).not.toContain('cache_control');
  });

  test.each([
    { name: 'thinking moves to the block before it', marker: at(1, 1), expected: [1, 0] },
    { name: 'blank text moves to the block before it', marker: at(0, 1), expected: [0, 0] },
    { name: 'thinking with nothing before it is left out', marker: at(2, 0), expected: undefined },
    { name: 'a place that is not there is left out', marker: at(9, 0), expected: undefined },
  ])('case 48: a marker on $name', ({ marker, expected }) => {
    const messages = [
      message('user', [
        { type: 'text', text: 'A' },
        { type: 'text', text: ' ' },
      ]),
      message('assistant', [
        { type: 'text', text: 'B' },
        { type: 'redacted_thinking', data: 'x' },
      ]),
      message('assistant', [{ type: 'thinking', thinking: 'C', signature: 's' }]),
    ];
    const { body } = createAnthropicWriter()(
      request('claude-opus-5-5', { messages, markers: [marker] }),
    );
    const marked = body.messages.flatMap(({ content }, messageIndex) =>
      content.flatMap((block, index) => ('cache_control' in block ? [[messageIndex, index]] : [])),
    );
    expect(marked).toEqual(expected ? [expected] : []);
  });

  test('follows a marked block past messages and blocks that are not written', () => {
    const messages = [
      message('assistant', [{ type: 'reasoning', id: 'r', summary: [] }]),
      message('user', 'A'),
      message('assistant', [
        { type: 'reasoning', id: 'r', summary: [] },
        { type: 'text', text: 'B' },
        { type: 'text', text: 'C' },
      ]),
    ];
    const { body } = createAnthropicWriter()(
      request('claude-opus-5-5', { messages, markers: [at(2, 1)] }),
    );
    expect(body.messages[1]?.content).toMatchObject([
      { text: 'B', cache_control: {} },
      { text: 'C' },
    ]);
    expect(body.messages[1]?.content[1]).not.toHaveProperty('cache_control');
  });

  test('writes markers inside of tools and system text', () => {
    const { head } = request('claude-opus-5-5');
    const tools = ['a', 'b', 'c'].map((name) => ({ name, defer_loading: name === 'b' }));
    const system = ['A', ' ', 'C'].map((text) => ({ type: 'text' as const, text }));
    const markers: Marker[] = [
      { at: 'tools', blockIndex: 1, ttl: '1h' },
      { at: 'system', blockIndex: 1, ttl: '1h' },
      { at: 'system' },
    ];
    const { body } = createAnthropicWriter()(
      request('claude-opus-5-5', { head: { ...head, tools, system }, markers }),
    );
    const controls = [...(body.tools ?? []), ...(body.system ?? [])].map(
      (each) => each.cache_control,
    );
    const long = { type: 'ephemeral', ttl: '1h' };
    const none = undefined;
    // neither a deferred tool nor blank text can carry one
    expect(controls).toEqual([long, none, none, long, none, { type: 'ephemeral' }]);
  });

  test('marks the last tool that is part of the prefix', () => {
    const { head } = request('claude-opus-5-5');
    const tools = [...head.tools, { name: 'later', defer_loading: true }];
    const { body } = createAnthropicWriter()(
      request('claude-opus-5-5', { head: { ...head, tools }, markers: [{ at: 'tools' }] }),
    );
    expect(body.tools?.map((tool) => 'cache_control' in tool)).toEqual([true, false]);
  });

  test('case 75: tools have the same bytes whatever the order of the parameters', () => {
    const { head } = request('claude-opus-5-5');
    const left = {
      ...head,
      params: { thinking: { type: 'adaptive', display: 'x' }, metadata: {} },
    };
    const right = {
      ...head,
      params: { metadata: {}, thinking: { display: 'x', type: 'adaptive' } },
    };
    const bodies = [left, right].map((each) =>
      JSON.stringify(
        createAnthropicWriter()(request('claude-opus-5-5', { head: each, messages: HISTORY })).body,
      ),
    );
    expect(bodies[0]).toBe(bodies[1]);
  });
});

describe('createOpenAIChatWriter', () => {
  test('writes system text, functions and messages, and says what is lost', () => {
    const { body, losses } = createOpenAIChatWriter()(
      request('gpt-5.6-sol', { messages: HISTORY }),
    );
    expect(body).toEqual({
      model: 'gpt-5.6-sol',
      max_completion_tokens: 1_000,
      tools: [
        {
          type: 'function',
          function: {
            name: 'read',
            description: 'Reads.',
            parameters: { type: 'object', properties: {} },
          },
        },
      ],
      messages: [
        { role: 'system', content: 'You fix tests.' },
        { role: 'user', content: 'Fix the test.' },
        {
          role: 'assistant',
          content: 'Reading.',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'read', arguments: '{"path":"a.ts"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'export {};' },
        { role: 'user', content: 'Go on.' },
      ],
    });
    expect(losses).toMatchObject([{ kind: 'thinking', messageIndex: 1, blockIndex: 0 }]);
  });

  test('names the limit as older servers do where it is told to', () => {
    const { body } = createOpenAIChatWriter({ maxTokensField: 'max_tokens' })(request('local'));
    expect(body).toMatchObject({ max_tokens: 1_000 });
    expect(body).not.toHaveProperty('max_completion_tokens');
  });

  const MARKERS: Marker[] = [{ at: 'tools' }, { at: 'system' }, at(1, 2), at(2, 0), at(2, 1)];

  test('writes markers for models that take them', () => {
    const write = createOpenAIChatWriter();
    const { body } = write(request('gpt-5.6-sol', { messages: HISTORY, markers: MARKERS }));
    const mark = { prompt_cache_breakpoint: { mode: 'explicit' } };
    expect(body.messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'You fix tests.', ...mark }],
      // that of the calls, which can carry none
      [{ type: 'text', text: 'Fix the test.', ...mark }],
      'Reading.',
      [{ type: 'text', text: 'export {};', ...mark }],
      [{ type: 'text', text: 'Go on.', ...mark }],
    ]);
  });

  test('marks the very block among several of the system text', () => {
    const { head } = request('gpt-5.6-sol');
    const system = ['A', 'B', 'C'].map((text) => ({ type: 'text' as const, text }));
    const markers: Marker[] = [{ at: 'system', blockIndex: 0 }, { at: 'system' }];
    const { body } = createOpenAIChatWriter()(
      request('gpt-5.6-sol', { head: { ...head, system }, markers }),
    );
    const mark = { prompt_cache_breakpoint: { mode: 'explicit' } };
    const [first, second, third] = system;
    expect(body.messages[0]?.content).toEqual([
      { ...first, ...mark },
      second,
      { ...third, ...mark },
    ]);
  });

  test('marks the very block among several of a message', () => {
    const parts = ['A', 'B', 'C'].map((text) => ({ type: 'text', text }));
    const messages = [
      message('user', [{ type: 'tool_result', tool_use_id: 'c', content: 'D' }, ...parts]),
    ];
    const { body } = createOpenAIChatWriter()(
      request('gpt-5.6-sol', { messages, markers: [at(0, 2)] }),
    );
    const [first, second, third] = parts;
    const marked = { ...second, prompt_cache_breakpoint: { mode: 'explicit' } };
    expect(body.messages.at(-1)?.content).toEqual([first, marked, third]);
  });

  test.each([['gpt-5.5'], ['somebody-elses']])('writes none for %s', (model) => {
    const { body } = createOpenAIChatWriter()(
      request(model, { messages: HISTORY, markers: MARKERS }),
    );
    expect(JSON.stringify(body)).not.toContain('prompt_cache_breakpoint');
  });
});

describe('createOpenAIResponsesWriter', () => {
  test('writes items, with reasoning as it came', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' };
    const [first, second, third] = HISTORY as [Message, Message, Message];
    const messages = [
      first,
      { ...second, content: [reasoning, ...second.content.slice(1)] },
      third,
    ];
    const markers: Marker[] = [{ at: 'system' }, at(2, 0)];
    const { body, losses } = createOpenAIResponsesWriter()(
      request('gpt-5.6-sol', { messages, markers }),
    );
    const mark = { prompt_cache_breakpoint: { mode: 'explicit' } };
    expect(losses).toEqual([]);
    expect(body).toEqual({
      model: 'gpt-5.6-sol',
      max_output_tokens: 1_000,
      tools: [
        {
          type: 'function',
          name: 'read',
          description: 'Reads.',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
      input: [
        { role: 'system', content: [{ type: 'input_text', text: 'You fix tests.', ...mark }] },
        { role: 'user', content: 'Fix the test.' },
        reasoning,
        { role: 'assistant', content: 'Reading.' },
        { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a.ts"}' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: [{ type: 'input_text', text: 'export {};', ...mark }],
        },
        { role: 'user', content: 'Go on.' },
      ],
    });
  });

  test("leaves the provider's own tools as they are", () => {
    const { head } = request('gpt-5.6-sol');
    const search = { type: 'web_search', name: 'web_search' };
    const { body } = createOpenAIResponsesWriter()(
      request('gpt-5.6-sol', { head: { ...head, tools: [search] } }),
    );
    expect(body.tools).toEqual([search]);
  });
});

describe('what reaches the server', () => {
  test('goes through the beta methods with its header where a request needs it', async () => {
    const server = await startLoopback(() => ({ frames: ANTHROPIC.frames(ANTHROPIC.whole) }));
    const client = ANTHROPIC.connect({ url: server.url });
    const server_ = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
    await send(client, request('claude-opus-5-5', { server: server_ }));
    await send(client, request('claude-opus-5-5'));
    await server.close();
    const [first, second] = server.requests;
    expect(first?.headers['anthropic-beta']).toBe('context-management-2025-06-27');
    expect(first?.body).toMatchObject({ stream: true, ...server_ });
    expect(first?.body).not.toHaveProperty('betas');
    expect(second?.headers['anthropic-beta']).toBeUndefined();
  });

  test('is not streamed for a request that only warms the cache', async () => {
    const warm = { ...ANTHROPIC.whole, content: [], stop_reason: 'max_tokens' };
    const server = await startLoopback(() => ({ body: warm }));
    const response = await send(
      ANTHROPIC.connect({ url: server.url }),
      request('claude-opus-5-5', { maxOutputTokens: 0 }),
    );
    await server.close();
    expect(server.requests[0]?.body).toMatchObject({ stream: false, max_tokens: 0 });
    expect(response).toMatchObject({ content: [], stopReason: 'max_tokens' });
  });

  test('asks OpenAI for the bill of a stream', async () => {
    const server = await startLoopback(() => ({ frames: CHAT.frames(CHAT.whole) }));
    await send(CHAT.connect({ url: server.url }), request('gpt-5.6-sol'));
    await server.close();
    expect(server.requests[0]?.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('tells of losses before it is sent', async () => {
    const server = await startLoopback(() => ({ frames: CHAT.frames(CHAT.whole) }));
    const heard: unknown[] = [];
    const client = createOpenAIChatClient({
      sdk: openaiSdk({ url: server.url }),
      onLosses: (losses, of) => heard.push([of, losses.length, server.requests.length]),
    });
    await send(client, request('gpt-5.6-sol', { messages: HISTORY }));
    await server.close();
    expect(heard).toEqual([['request', 1, 0]]);
  });
});

describe('countTokens', () => {
  test('asks Anthropic, with server-side edits through the beta methods', async () => {
    const server = await startLoopback(() => ({ body: { input_tokens: 42 } }));
    const client = ANTHROPIC.connect({ url: server.url });
    const server_ = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
    expect(await client.countTokens?.(request('claude-opus-5-5'))).toBe(42);
    expect(await client.countTokens?.(request('claude-opus-5-5', { server: server_ }))).toBe(42);
    await server.close();
    expect(server.requests.map(({ path }) => path)).toEqual(
      Array(2).fill('/v1/messages/count_tokens'),
    );
    expect(server.requests[0]?.body).not.toHaveProperty('max_tokens');
    expect(server.requests[1]?.headers['anthropic-beta']).toContain(
      'context-management-2025-06-27',
    );
  });

  test('asks OpenAI for responses, and Chat Completions have none', async () => {
    const server = await startLoopback(() => ({
      body: { object: 'response.input_tokens', input_tokens: 7 },
    }));
    const client = RESPONSES.connect({ url: server.url });
    expect(await client.countTokens?.(request('gpt-5.6-sol'))).toBe(7);
    await server.close();
    expect(server.requests[0]).toMatchObject({ path: '/responses/input_tokens' });
    expect(server.requests[0]?.body).not.toHaveProperty('max_output_tokens');
    expect(CHAT.connect({}).countTokens).toBeUndefined();
  });

  test('says so where the SDK cannot count, instead of 0', async () => {
    const client = createAnthropicClient({ sdk: { messages: { create: () => undefined } } });
    await expect(client.countTokens?.(request('x'))).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  test('normalises failures and ends with an abort', async () => {
    const server = await startLoopback(() => ({ status: 529, body: {} }));
    const client = ANTHROPIC.connect({ url: server.url });
    await expect(client.countTokens?.(request('x'))).rejects.toMatchObject({ code: 'overloaded' });
    const aborted = client.countTokens?.(request('x'), { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    await server.close();
  });
});

test('case 77: what was sent reads back and is written again with the same bytes', () => {
  const write = createAnthropicWriter();
  const { body } = write(request('claude-opus-5-5', { messages: HISTORY }));
  const read = fromAnthropic(JSON.parse(JSON.stringify(body.messages))).messages;
  const messages = read.map((each, index) => ({ ...each, id: `r${index}` }));
  const again = write(request('claude-opus-5-5', { messages })).body;
  expect(JSON.stringify(again)).toBe(JSON.stringify(body));
});
