import type Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage } from 'ai';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type AISDKMessage,
  type AISDKMessageLike,
  type AnthropicMessage,
  createAISDKConverter,
  createAnthropicConverter,
  createOpenAIChatConverter,
  fromAISDK,
  fromAnthropic,
  fromOpenAIChat,
  fromOpenAIResponses,
  type Message,
  type MessageLike,
  type OpenAIChatMessage,
  type OpenAIChatMessageLike,
  type OpenAIResponsesItem,
  type OpenAIResponsesItemLike,
  toAISDK,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
  usageFromOpenAIChat,
  usageFromOpenAIResponses,
} from '../src/index.ts';
import {
  assistant,
  bare,
  call,
  image,
  result,
  system,
  type TestMessage,
  text,
  thinking,
  user,
} from './build.ts';

const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

const history = [
  user('hi'),
  system('be brief'),
  assistant('let me', 'look', call('a', { path: 'x' }), call('b')),
  user(result('a', 'text'), result('b', [text('one'), text('two')]), 'and?', png),
  assistant('done'),
];

const listed = (losses: readonly { kind: string; messageIndex: number; blockIndex?: number }[]) =>
  losses.map(
    ({ kind, messageIndex, blockIndex }) =>
      `${kind}@${[messageIndex, blockIndex].filter((part) => part !== undefined).join('.')}`,
  );

describe('toOpenAIChat', () => {
  test('writes results as tool messages before what else the user says', () => {
    expect(toOpenAIChat(history)).toEqual({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'be brief' },
        {
          role: 'assistant',
          content: [text('let me'), text('look')],
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
            { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'text' },
        { role: 'tool', tool_call_id: 'b', content: [text('one'), text('two')] },
        {
          role: 'user',
          content: [
            text('and?'),
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        { role: 'assistant', content: 'done' },
      ],
      losses: [],
    });
  });

  test.each<[string, readonly TestMessage[], readonly string[]]>([
    ['thinking', [assistant(thinking(), 'x')], ['thinking@0.0']],
    [
      'an image in a result',
      [assistant(call('a')), user(result('a', [png]))],
      ['result-media@1.0'],
    ],
    ['the mark of failure', [user(result('a', 'no', { is_error: true }))], ['result-error@0.0']],
    ['a result without content', [user(bare('a'))], ['result-content@0.0']],
    ['a result with an empty list', [user(result('a', []))], ['result-content@0.0']],
    ['text behind a call', [assistant(call('a'), 'x')], ['block-order@0']],
    ['text before a result', [user('x', result('a'))], ['block-order@0']],
    ['two user messages behind results', [user(result('a')), user('x')], ['message-boundary@1']],
    [
      'a picture by its file id',
      [user({ type: 'image', source: { type: 'file', file_id: 'f' } })],
      ['media@0.0'],
    ],
    ['a block it has nothing like', [user({ type: 'odd' }, 'x')], ['block@0.0']],
    ['a message of nothing else', [assistant(thinking())], ['thinking@0.0', 'message@0']],
    ['fields of a block', [user({ ...text('x'), citations: [1] })], ['block-fields@0.0']],
    [
      'an id that is too long',
      [assistant(call('a'.repeat(41))), user(result('a'.repeat(41)))],
      ['call-id@0.0', 'call-id@1.0'],
    ],
    ['an id of 40 characters', [assistant(call('a'.repeat(40)))], []],
    [
      'an input that reads back as something else',
      [assistant(call('a', '{}'))],
      ['call-input@0.0'],
    ],
    ['an input cut short', [assistant(call('a', '{"pa'))], []],
  ])('says what it loses of %s', (_name, messages, losses) => {
    expect(listed(toOpenAIChat(messages).losses)).toEqual(losses);
  });

  test('gives a call and its result the same new id', () => {
    const id = 'call_1|fc_2'.padEnd(60, 'x');
    const { messages } = toOpenAIChat([assistant(call(id)), user(result(id))]);
    const [asked, answered] = messages as [
      OpenAIChatMessage & { tool_calls: [{ id: string }] },
      { tool_call_id: string },
    ];
    expect(asked.tool_calls[0].id).toBe(answered.tool_call_id);
    expect(answered.tool_call_id).toMatch(/^call_[0-9a-f]{32}$/);
  });

  test('fits the SDK', () => {
    expectTypeOf<OpenAIChatMessage>().toExtend<OpenAI.ChatCompletionMessageParam>();
    expectTypeOf<OpenAI.ChatCompletionMessageParam>().toExtend<OpenAIChatMessageLike>();
    expectTypeOf<OpenAI.ChatCompletionMessage>().toExtend<OpenAIChatMessageLike>();
  });
});

describe('fromOpenAIChat', () => {
  test('reads what the SDK sends and gets', () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'developer', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image_url', image_url: { url: 'https://x.test' } },
        ],
      },
      {
        role: 'assistant',
        content: '',
        refusal: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"x":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
      { role: 'user', content: 'go on' },
      { role: 'assistant', refusal: 'no' },
    ];
    expect(fromOpenAIChat(messages)).toEqual({
      messages: [
        system('be brief'),
        user('hi', image),
        assistant(call('a', { x: 1 })),
        user(result('a'), 'go on'),
        assistant('no'),
      ],
      losses: [{ kind: 'refusal', messageIndex: 5 }],
    });
  });

  test.each<[string, object, readonly string[]]>([
    ['a name', { role: 'user', name: 'Ada', content: 'x' }, ['message-fields@0']],
    [
      'sound',
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: {} },
          { type: 'text', text: 'x' },
        ],
      },
      ['block@0.0'],
    ],
    [
      'a custom call',
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'x', input: 'raw' } }],
      },
      ['block-fields@0'],
    ],
    [
      'the detail of a picture',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'u', detail: 'high' } }] },
      ['block-fields@0.0'],
    ],
    ['no content', { role: 'assistant', content: null }, ['message@0']],
  ])('says what it loses of %s', (_name, message, losses) => {
    expect(listed(fromOpenAIChat([message as OpenAIChatMessageLike]).losses)).toEqual(losses);
  });
});

describe('toOpenAIResponses', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };

  test('writes an item for each thing the model said, and pictures in results', () => {
    const messages = [
      user('hi'),
      assistant(reasoning, 'let me', call('a', { x: 1 })),
      user(result('a', [png]), 'and?'),
    ];
    expect(toOpenAIResponses(messages)).toEqual({
      messages: [
        { role: 'user', content: 'hi' },
        reasoning,
        { role: 'assistant', content: 'let me' },
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"x":1}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
          ],
        },
        { role: 'user', content: 'and?' },
      ],
      losses: [],
    });
  });

  test('says what it loses', () => {
    const messages = [
      assistant(thinking(), 'x'),
      assistant('y'),
      user(result('a', 'no', { is_error: true })),
    ];
    expect(listed(toOpenAIResponses(messages).losses)).toEqual([
      'thinking@0.0',
      'message-boundary@1',
      'result-error@2.0',
    ]);
  });

  test('fits the SDK', () => {
    expectTypeOf<OpenAIResponsesItem>().toExtend<OpenAI.Responses.ResponseInputItem>();
    expectTypeOf<OpenAI.Responses.ResponseInputItem>().toExtend<OpenAIResponsesItemLike>();
    expectTypeOf<OpenAI.Responses.ResponseOutputItem>().toExtend<OpenAIResponsesItemLike>();
  });
});

describe('fromOpenAIResponses', () => {
  test('reads the output of a response as one message, with items of its own kind untouched', () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'x' },
    };
    const items = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      search,
      {
        type: 'message',
        id: 'm',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'hm', annotations: [] }],
      },
      { type: 'function_call', id: 'fc', call_id: 'a', name: 'read', arguments: '{' },
      { type: 'function_call_output', call_id: 'a', output: 'ok' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'next' }] },
    ] as OpenAIResponsesItemLike[];
    const { messages, losses } = fromOpenAIResponses(items);
    expect(messages).toEqual([
      assistant(items[0] as never, search, 'hm', call('a', '{')),
      user(result('a'), 'next'),
    ]);
    expect(losses).toEqual([]);
    expect(messages[0]?.content[0]).toBe(items[0]);
    expect(
      toOpenAIResponses(messages).messages.map((item) => (item as OpenAIResponsesItemLike).type),
    ).toEqual([
      'reasoning',
      'web_search_call',
      undefined,
      'function_call',
      'function_call_output',
      undefined,
    ]);
  });

  test('keeps a sealed compaction apart from a readable one', () => {
    const sealed = { type: 'compaction', id: 'c', encrypted_content: 'x' };
    const readable = { type: 'compaction', content: 'summary', encrypted_content: null };
    expect(toOpenAIResponses([assistant(sealed, readable)])).toEqual({
      messages: [sealed],
      losses: [{ kind: 'block', messageIndex: 0, blockIndex: 1 }],
    });
    expect(toAnthropic([assistant(sealed, readable)])).toEqual({
      messages: [{ role: 'assistant', content: [readable] }],
      losses: [{ kind: 'block', messageIndex: 0, blockIndex: 0 }],
    });
  });
});

describe('toAISDK', () => {
  test('writes results as a tool message with the name of the tool', () => {
    const messages = [
      user('hi', png),
      assistant(thinking(), { type: 'redacted_thinking', data: 'd' }, 'ok', call('a', { x: 1 })),
      user(result('a', 'no', { is_error: true }), 'and?'),
    ];
    expect(toAISDK(messages)).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            text('hi'),
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'reasoning',
              text: 'hm',
              providerOptions: { anthropic: { signature: 'signed' } },
            },
            { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'd' } } },
            text('ok'),
            { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { x: 1 } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'read',
              output: { type: 'error-text', value: 'no' },
            },
          ],
        },
        { role: 'user', content: [text('and?')] },
      ],
      losses: [],
    });
  });

  test('finds the name of the tool in the call of its own turn', () => {
    const named = (name: string) => ({ ...call('k0'), name });
    const messages = [
      assistant(named('grep')),
      user(result('k0')),
      assistant(named('edit')),
      user(result('k0')),
    ];
    const names = toAISDK(messages).messages.flatMap((message) =>
      message.role === 'tool' ? message.content.map((part) => part.toolName) : [],
    );
    expect(names).toEqual(['grep', 'edit']);
    const { to } = createAISDKConverter();
    const shared = user(result('k0'));
    const twice = to([assistant(named('grep')), shared, assistant(named('edit')), shared]).messages;
    expect(JSON.stringify(twice[3])).toContain('edit');
  });

  test.each<[string, readonly TestMessage[], readonly string[]]>([
    [
      'content of a failed call',
      [assistant(call('a')), user(result('a', [text('x')], { is_error: true }))],
      ['result-error@1.0'],
    ],
    ['a URL that is not written the normal way', [user(image)], ['block-fields@0.0']],
    [
      'a URL that is none',
      [user({ type: 'image', source: { type: 'url', url: 'nope' } })],
      ['media@0.0'],
    ],
    ['several system texts', [system('a', 'b')], ['block-fields@0']],
  ])('says what it loses of %s', (_name, messages, losses) => {
    expect(listed(toAISDK(messages).losses)).toEqual(losses);
  });

  test('fits the SDK', () => {
    expectTypeOf<AISDKMessage>().toExtend<ModelMessage>();
    expectTypeOf<ModelMessage>().toExtend<AISDKMessageLike>();
  });
});

describe('fromAISDK', () => {
  test('reads every way the SDK writes a file and a result', () => {
    const url = new URL('https://x.test/a.png');
    const messages: ModelMessage[] = [
      { role: 'user', content: 'hi' },
      {
        role: 'user',
        content: [
          { type: 'image', image: 'AAAA', mediaType: 'image/png' },
          { type: 'image', image: url },
          { type: 'file', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' },
          { type: 'file', mediaType: 'image', data: { type: 'url', url } },
          { type: 'file', mediaType: 'application/pdf', data: { anthropic: 'f1' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'read',
            output: { type: 'json', value: { x: 1 } },
          },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'read',
            output: { type: 'error-json', value: [1] },
          },
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'read',
            output: { type: 'execution-denied' },
          },
          {
            type: 'tool-result',
            toolCallId: 'd',
            toolName: 'read',
            output: { type: 'content', value: [{ type: 'text', text: 'x' }] },
          },
        ],
      },
    ];
    const linked = { type: 'image', source: { type: 'url', url: url.href } };
    const { messages: read, losses } = fromAISDK(messages);
    expect(read).toEqual([
      user('hi'),
      user(png, linked, png, linked, { type: 'document', source: { type: 'file', file_id: 'f1' } }),
      assistant(call('a')),
      user(
        result('a', '{"x":1}'),
        result('b', '[1]', { is_error: true }),
        result('c', 'The call was not allowed to run.', { is_error: true }),
        result('d', [text('x')]),
      ),
    ]);
    expect(listed(losses)).toEqual(['block-fields@3.0', 'block-fields@3.1']);
  });

  test('says what it loses', () => {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: new Uint8Array(3) },
          { type: 'text', text: 'x' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'x' },
        ],
      },
    ];
    expect(listed(fromAISDK(messages).losses)).toEqual(['media@0.0', 'thinking@1.0']);
  });
});

describe('toAnthropic', () => {
  test('sends role and content alone, the same blocks', () => {
    const message: Message = {
      id: 'm1',
      role: 'user',
      content: [text('hi')],
      createdAt: '2026-11-28T00:00:00Z',
    };
    const { messages, losses } = toAnthropic([message]);
    expect(messages).toEqual([{ role: 'user', content: [text('hi')] }]);
    expect(messages[0]?.content[0]).toBe(message.content[0]);
    expect(losses).toEqual([]);
  });

  test('gives ids that Anthropic refuses new ones, call and result alike (case 39)', () => {
    const turn = [assistant(call('k|0')), user(result('k|0'))];
    const { messages, losses } = toAnthropic([user('hi'), ...turn, ...turn, ...turn]);
    const ids = messages
      .slice(1)
      .map(
        ({ content }) =>
          (content[0] as { id?: string }).id ??
          (content[0] as { tool_use_id?: string }).tool_use_id,
      );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id ?? ''))).toBe(true);
    expect(losses.map(({ kind }) => kind)).toEqual(new Array(6).fill('call-id'));
  });

  test('leaves the first use of an id as it is', () => {
    const turn = [assistant(call('k0')), user(result('k0'))];
    expect(toAnthropic([...turn, ...turn]).messages.slice(0, 2)).toEqual(turn);
  });

  test('fits the SDK', () => {
    expectTypeOf<AnthropicMessage>().toExtend<Anthropic.MessageParam>();
    expectTypeOf<Anthropic.MessageParam>().toExtend<MessageLike>();
  });
});

describe('fromAnthropic', () => {
  test('reads text content as a block, and the SDK’s own messages', () => {
    const params: Anthropic.MessageParam[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'ho' }] },
    ];
    expect(fromAnthropic(params)).toEqual({ messages: [user('hi'), assistant('ho')], losses: [] });
    expect(
      listed(fromAnthropic([{ ...assistant('x'), id: 'msg_1' } as TestMessage]).losses),
    ).toEqual(['message-fields@0']);
  });
});

describe('a converter', () => {
  test('reads no message twice', () => {
    let reads = 0;
    const counted = (message: TestMessage): TestMessage => ({
      role: message.role,
      get content() {
        reads++;
        return message.content;
      },
    });
    const { to } = createOpenAIChatConverter();
    const messages = history.map(counted);
    to(messages);
    const first = reads;
    to(messages);
    expect(reads).toBe(first);
    to([...messages, user('more')]);
    expect(reads).toBe(first);
  });
});

describe('a converter that has seen a message', () => {
  test.each([createOpenAIChatConverter, createAnthropicConverter])(
    'places its losses where it stands now',
    (create) => {
      const { to } = create();
      const asked = assistant(thinking(), { type: 'reasoning', id: 'r', summary: [] }, 'x');
      const before = listed(to([user('hi'), asked]).losses);
      const after = listed(to([user('hi'), user('there'), asked]).losses);
      expect(before[0]).toMatch(/@1\.\d$/);
      expect(after).toEqual(before.map((place) => place.replace('@1', '@2')));
    },
  );
});

describe('usageFromOpenAIChat and usageFromOpenAIResponses', () => {
  test.each([
    [{ prompt_tokens: 100, completion_tokens: 7 }, [100, 0, 0, 7]],
    [
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
      [10, 60, 30, 7],
    ],
    [
      { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } },
      [0, 100, 0, 7],
    ],
    [
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 150, cache_write_tokens: 9 },
      },
      [0, 100, 0, 7],
    ],
    [{ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: null }, [0, 0, 0, 0]],
  ])('splits %j', (usage, [input, read, write, output]) => {
    const split = usageFromOpenAIChat(usage);
    expect(split).toEqual({
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
      output_tokens: output,
      provider_usage: usage,
    });
    const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage as never as Record<
      string,
      never
    >;
    const responses = {
      input_tokens: prompt_tokens,
      output_tokens: completion_tokens,
      input_tokens_details: prompt_tokens_details,
    };
    expect(usageFromOpenAIResponses(responses as never)).toEqual({
      ...split,
      provider_usage: responses,
    });
  });

  test('keeps the thinking apart, and fits the SDK', () => {
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    expect(usageFromOpenAIChat(usage).output_tokens_details).toEqual({ thinking_tokens: 4 });
    expectTypeOf<OpenAI.CompletionUsage>().toExtend<Parameters<typeof usageFromOpenAIChat>[0]>();
    expectTypeOf<OpenAI.Responses.ResponseUsage>().toExtend<
      Parameters<typeof usageFromOpenAIResponses>[0]
    >();
  });
});
