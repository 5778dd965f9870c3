import { MessagesError } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { describe, expect, test } from 'vitest';
import { createCountEndpoint } from '../src/exact.ts';
import { createEstimator, createTokenMeter } from '../src/index.ts';

const crudeEstimator = createEstimator({ family: 'crude' });

const text = { type: 'text', text: 'x' };
const hi = { role: 'user', content: [text] };
const head = { id: 'h', model: 'claude-opus-5-5', system: [], tools: [], params: {} };

class HumanMessage {
  readonly content = 'hi';
  _getType(): string {
    return 'human';
  }
}

const ROWS: readonly (readonly [what: string, message: unknown, names: RegExp])[] = [
  [
    'OpenAI Chat Completions',
    { role: 'assistant', content: null, tool_calls: [] },
    /Chat Completions.*fromOpenAIChat/,
  ],
  ['a tool message', { role: 'tool', tool_call_id: 'c', content: 'x' }, /Chat Completions/],
  [
    'OpenAI Responses',
    { type: 'function_call_output', call_id: 'c', output: 'x' },
    /Responses.*fromOpenAIResponses/,
  ],
  [
    'model messages of the AI SDK',
    { role: 'assistant', content: [text, { type: 'tool-call', toolCallId: 'c', input: {} }] },
    /ModelMessage of the AI SDK.*fromAISDK/,
  ],
  [
    'UI messages of the AI SDK',
    { id: 'a', role: 'user', parts: [text] },
    /UIMessage of the AI SDK.*convertToModelMessages/,
  ],
  ['contents of Gemini', { role: 'user', parts: [{ text: 'x' }] }, /Gemini/],
  ['messages of LangChain', new HumanMessage(), /LangChain/],
  [
    'messages of Bedrock Converse',
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c' } }] },
    /Converse/,
  ],
];

const estimators = [createEstimator(), createEstimator({ family: 'claude-new' }), crudeEstimator];

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

/** Siblings looked for: estimators, what counts with them, the endpoint of a provider, the meter. */
describe('N341: what counts our messages refuses those of another library by name', () => {
  test.each(ROWS)('%s', async (_, foreign, names) => {
    const message = foreign as MessageLike;
    const messages = [hi, message];
    const asked: unknown[] = [];
    const endpoint = createCountEndpoint({
      headers: {},
      fetch: (...request) => {
        asked.push(request);
        return Promise.reject(new Error('no network'));
      },
    });
    const doors = [
      ...estimators.flatMap((estimator) => [
        () => estimator.message(message),
        () => estimator.classes(message),
      ]),
      () => endpoint({ head, messages }),
      () => createTokenMeter({ model: 'claude-opus-5-5', estimator: crudeEstimator }).add(message),
      () =>
        createTokenMeter({ model: 'claude-opus-5-5', estimator: crudeEstimator }).reset(messages),
    ];
    for (const door of doors) {
      for (const attempt of [1, 2]) {
        const error = await thrownBy(door);
        expect([attempt, error]).toEqual([attempt, expect.any(MessagesError)]);
        expect(error).toMatchObject({ code: 'foreign-messages' });
        expect(String(error)).toMatch(names);
      }
    }
    const counted = await thrownBy(() => endpoint({ head, messages }));
    expect(String(counted)).toContain('Message 1 is');
    expect(asked).toEqual([]);
  });

  // E3
  test.each<[string, unknown, string]>([
    ['null', { role: 'user', content: null }, 'messages[0].content'],
    ['nothing', { role: 'user' }, 'messages[0].content'],
    ['an object', { role: 'user', content: { a: 1 } }, 'messages[0].content'],
    ['a pair', ['human', 'x'], 'LangChain'],
  ])('a meter says what is wrong with content that is %s', (_name, message, named) => {
    const meter = createTokenMeter({ model: 'claude-opus-5-5' });
    expect(() => meter.add(message as never)).toThrow(named);
    expect(() => meter.reset([message as never])).toThrow(named);
    expect(meter.size().tokens).toBe(0);
  });

  test('messages of ours and of the SDK are counted, results that hold blocks of others included', () => {
    const messages: readonly MessageLike[] = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [text, { type: 'tool_use', id: 'c', name: 'a', input: {} }],
      } as never,
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [text, { type: 'image_url', image_url: { url: 'x' } }],
          },
        ],
      } as never,
    ];
    for (const estimator of estimators) {
      for (const message of messages) expect(estimator.message(message)).toBeGreaterThan(0);
    }
  });
});
