import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { fromAISDK, fromOpenAIChat, fromOpenAIResponses, toOpenAIChat } from '../src/convert.ts';
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
import { history, listed, png } from './conversions.ts';

type OpenAIChatMessage = ReturnType<typeof toOpenAIChat>['messages'][number];
type OpenAIChatMessageLike = Parameters<typeof fromOpenAIChat>[0][number];

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

  test('takes messages as they are typed in, without a cast', () => {
    const { messages } = fromOpenAIChat([
      { role: 'user', content: 'hi' },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ]);
    expect(messages).toHaveLength(2);
    expect(fromAISDK([{ role: 'user', content: 'hi' }]).messages).toHaveLength(1);
    const items = [{ type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' }];
    expect(fromOpenAIResponses(items).losses).toEqual([]);
  });
});
