import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import {
  anthropicProfile,
  checkHistory,
  type Message,
  repairHistory,
  type ViewMessage,
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
import { chat, free, prefixBound, responses } from './profiles.ts';

/** Codes with their places, as `code@message.block`. */
const broken = (messages: readonly TestMessage[], profile = free) =>
  checkHistory(messages, profile).map(({ code, messageIndex, blockIndex }) =>
    [code, [messageIndex, blockIndex].filter((part) => part !== undefined).join('.')].join('@'),
  );

const hi = user('hi');

interface Row {
  readonly name: string;
  readonly history: readonly TestMessage[];
  readonly anthropic: readonly string[];
  /** What OpenAI's chat profile says, where it differs. */
  readonly openai?: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'no messages', history: [], anthropic: [] },
  { name: 'one user message', history: [hi], anthropic: [] },
  { name: 'a last assistant message', history: [hi, assistant('ho')], anthropic: [] },
  { name: 'two user messages in a row', history: [hi, user('and')], anthropic: [] },
  { name: 'text content', history: [{ role: 'user', content: 'hi' }], anthropic: [] },
  { name: 'NUL characters', history: [user('\0')], anthropic: [] },
  {
    name: 'a block type without a name here',
    history: [user({ type: 'odd' }), assistant({ type: 'odd' })],
    anthropic: [],
  },
  {
    name: 'calls with their results',
    history: [hi, assistant(call('a'), call('b')), user(result('b'), result('a'), 'more')],
    anthropic: [],
  },
  {
    name: 'an id used again in a later turn',
    history: [hi, assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
    anthropic: [],
  },
  {
    name: 'a result without content',
    history: [hi, assistant(call('a')), user(bare('a'), result('a', []))],
    anthropic: ['duplicate-result@2.1'],
  },
  {
    name: 'white space inside a result',
    history: [
      hi,
      assistant(call('a'), call('b')),
      user(result('a', '\n'), result('b', [text('\n')])),
    ],
    anthropic: ['empty-text@2.1'],
    openai: [],
  },
  {
    name: 'a first assistant message',
    history: [assistant('ho')],
    anthropic: ['first-not-user@0'],
    openai: [],
  },
  {
    name: 'a compaction in front',
    history: [assistant({ type: 'compaction', content: 'c' })],
    anthropic: [],
  },
  {
    name: 'calls at the end',
    history: [hi, assistant(call('a'), call('b'))],
    anthropic: ['open-round@1.0', 'open-round@1.1'],
  },
  {
    name: 'a call that nobody answered',
    history: [hi, assistant(call('a')), user('no')],
    anthropic: ['missing-result@1.0'],
  },
  {
    name: 'half a batch of results',
    history: [hi, assistant(call('a'), call('b')), user(result('a'))],
    anthropic: ['missing-result@1.1'],
  },
  {
    name: 'a result that comes too late',
    history: [hi, assistant(call('a')), assistant('x'), user(result('a'))],
    anthropic: ['missing-result@1.0', 'orphan-result@3.0'],
  },
  {
    name: 'results in two messages',
    history: [hi, assistant(call('a'), call('b')), user(result('a')), user(result('b'))],
    anthropic: ['missing-result@1.1', 'orphan-result@3.0'],
    openai: [],
  },
  {
    name: 'a system message before the results',
    history: [hi, assistant(call('a')), system('s'), user(result('a'))],
    anthropic: ['missing-result@1.0', 'system-placement@2', 'orphan-result@3.0'],
    openai: ['missing-result@1.0', 'orphan-result@3.0'],
  },
  { name: 'a result for no call', history: [user(result('a'))], anthropic: ['orphan-result@0.0'] },
  {
    name: 'two results for one call',
    history: [hi, assistant(call('a')), user(result('a'), result('a'))],
    anthropic: ['duplicate-result@2.1'],
  },
  {
    name: 'text before the results',
    history: [hi, assistant(call('a')), user('wait', result('a'))],
    anthropic: ['result-after-content@2.1'],
  },
  {
    name: 'two calls with one id',
    history: [hi, assistant(call('a'), call('a')), user(result('a'))],
    anthropic: ['duplicate-id@1.1'],
  },
  {
    name: 'empty ids',
    history: [hi, assistant(call('')), user(result(''))],
    anthropic: ['empty-id@1.0', 'empty-id@2.0'],
  },
  {
    name: 'an input that is text',
    history: [hi, assistant(call('a', '{"x')), user(result('a'))],
    anthropic: ['malformed-call@1.0'],
    openai: [],
  },
  {
    name: 'no content',
    history: [user(), { role: 'assistant', content: '' }],
    anthropic: ['empty-content@0', 'empty-content@1'],
  },
  {
    name: 'empty and blank text',
    history: [user('', ' \n', 'x'), { role: 'user', content: '\t' }],
    anthropic: ['empty-text@0.0', 'empty-text@0.1', 'empty-text@1.0'],
    openai: [],
  },
  {
    name: 'empty text inside a result',
    history: [hi, assistant(call('a')), user(result('a', [text('')]))],
    anthropic: ['empty-text@2.0'],
    openai: [],
  },
  {
    name: 'half surrogates, however deep',
    history: [
      user('\ud83d'),
      assistant(call('a', { deep: [{ '\udc00': 1 }] })),
      user(result('a', [text('\ud83d')])),
    ],
    anthropic: ['half-surrogate@0.0', 'half-surrogate@1.0', 'half-surrogate@2.0'],
  },
  {
    name: 'blocks in the wrong role',
    history: [user('hi', thinking(), call('a')), assistant(image, result('a'), 'x')],
    anthropic: [
      'block-not-allowed@0.1',
      'block-not-allowed@0.2',
      'block-not-allowed@1.0',
      'block-not-allowed@1.1',
    ],
  },
  {
    name: 'a call inside a result',
    history: [hi, assistant(call('a')), user(result('a', [call('b')]))],
    anthropic: ['block-not-allowed@2.0'],
  },
  {
    name: 'an image in a failed result',
    history: [hi, assistant(call('a')), user(result('a', [image], { is_error: true }))],
    anthropic: ['error-result-media@2.0'],
    openai: [],
  },
  {
    name: 'an image in a result',
    history: [hi, assistant(call('a')), user(result('a', [image], { is_error: false }))],
    anthropic: [],
  },
  {
    name: 'thinking without a signature',
    history: [hi, assistant(thinking(''), 'x')],
    anthropic: ['unsigned-thinking@1.0'],
    openai: [],
  },
  {
    name: 'thinking that nothing follows',
    history: [hi, assistant('x', thinking()), hi],
    anthropic: ['trailing-thinking@1.1'],
    openai: [],
  },
  {
    name: 'thinking that the next reply follows',
    history: [hi, assistant(thinking()), assistant('x')],
    anthropic: [],
  },
  {
    name: 'unknown roles',
    history: [hi, { role: 'tool', content: 'x' }],
    anthropic: ['unknown-role@1'],
  },
  {
    name: 'content that is no list',
    history: [{ role: 'user', content: null as never }],
    anthropic: ['malformed-message@0'],
  },
  {
    name: 'blocks that are no blocks',
    history: [user(null as never, { type: 'text' }, [] as never, { type: 7 } as never)],
    anthropic: [0, 1, 2, 3].map((index) => `malformed-block@0.${index}`),
  },
  {
    name: 'a system message after a user turn',
    history: [hi, system('s'), system('t'), assistant('x'), hi, system('last')],
    anthropic: [],
  },
  {
    name: 'system messages elsewhere',
    history: [system('s'), assistant('x'), system('s'), hi, system('s'), hi],
    anthropic: ['system-placement@0', 'system-placement@2', 'system-placement@4'],
    openai: [],
  },
];

describe('checkHistory', () => {
  test.each(rows)('$name: $anthropic', ({ history, anthropic, openai = anthropic }) => {
    expect(broken(history)).toEqual(anthropic);
    expect(broken(history, chat)).toEqual(openai);
  });

  test('says for each violation what is wrong and what to do, and quotes nothing', () => {
    const [violation] = checkHistory([user('secret \ud83d')], free);
    expect(violation?.text).toMatch(/half a surrogate pair.*toWellFormed/);
    expect(violation?.text).not.toContain('secret');
  });

  test('takes results anywhere in the next turn from the Responses profile', () => {
    const history = [
      hi,
      assistant(call('a'), call('b')),
      user('wait', result('b')),
      user(result('a')),
    ];
    expect(broken(history, responses)).toEqual([]);
    expect(broken(history, chat)).toEqual(['result-after-content@2.1', 'result-after-content@3.0']);
    expect(broken([hi, assistant(thinking())], responses)).toEqual(['trailing-thinking@1.0']);
  });

  test('refuses system messages where the model does', () => {
    const profile = anthropicProfile({ thinking: 'free', systemMessages: false });
    expect(broken([hi, system('s')], profile)).toEqual(['role-refused@1']);
  });

  test.each([
    [100_000, []],
    [100_001, ['too-many-messages']],
  ])('takes up to 100,000 messages: %d', (length, expected) => {
    const history = new Array<TestMessage>(length).fill(hi);
    expect(checkHistory(history, free).map(({ code }) => code)).toEqual(expected);
    expect(checkHistory(history, chat)).toEqual([]);
  });

  test('compares stamps of messages with thinking where the model does (rule 6)', () => {
    const reply = (fingerprint: string, ...blocks: Parameters<typeof assistant>) => ({
      ...assistant(...blocks),
      response: { request: { messageCount: 1, fingerprint } },
    });
    const history = [
      hi,
      reply('old', thinking(), 'x', { type: 'redacted_thinking', data: 'd' }, 'y'),
      reply('old', 'x'),
      reply('f1', thinking(), 'x'),
    ];
    const fingerprintAt = (count: number) => (count === 1 ? 'f1' : undefined);
    const stale: ReturnType<typeof checkHistory>[number]['code'][] = checkHistory(
      history,
      prefixBound,
      { fingerprintAt },
    ).map(({ code }) => code);
    expect(stale).toEqual(['stale-thinking', 'stale-thinking']);
    expect(checkHistory(history, free, { fingerprintAt })).toEqual([]);
    expect(checkHistory(history, prefixBound)).toEqual([]);
  });

  test('takes the SDK’s messages and our own', () => {
    expectTypeOf<Anthropic.MessageParam>().toExtend<MessageLike>();
    expectTypeOf<Message>().toExtend<MessageLike>();
    expectTypeOf<ViewMessage>().toExtend<MessageLike>();
    const params: Anthropic.MessageParam[] = [{ role: 'user', content: 'hi' }];
    expect(checkHistory(params, free)).toEqual([]);
  });
});

test('a BigInt, which no request can carry, is found and left out by a repair', () => {
  const history = [
    user('hi'),
    assistant(call('a', { n: 10n }), text('x')),
    user(result('a'), 'go on'),
  ];
  expect(checkHistory(history, free)[0]).toMatchObject({
    ...{ code: 'malformed-block', messageIndex: 1, blockIndex: 0 },
  });
  const { messages } = repairHistory(history, { profile: free });
  expect(checkHistory(messages, free)).toEqual([]);
});
