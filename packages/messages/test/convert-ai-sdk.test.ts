import type { ModelMessage } from 'ai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { createAISDKConverter, fromAISDK, toAISDK } from '../src/convert.ts';
import {
  assistant,
  call,
  image,
  result,
  system,
  type TestMessage,
  text,
  thinking,
  user,
} from './build.ts';
import { listed, png } from './conversions.ts';

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
    expectTypeOf<ReturnType<typeof toAISDK>['messages'][number]>().toExtend<ModelMessage>();
    expectTypeOf<ModelMessage>().toExtend<Parameters<typeof fromAISDK>[0][number]>();
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
