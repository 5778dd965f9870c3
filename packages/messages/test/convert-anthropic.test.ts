import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import { type AnthropicMessage, fromAnthropic, toAnthropic } from '../src/convert.ts';
import type { Message } from '../src/index.ts';
import { assistant, call, result, type TestMessage, text, user } from './build.ts';
import { listed } from './conversions.ts';

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
