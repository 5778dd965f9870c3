import { describe, expect, test } from 'vitest';
import { checkMessages } from '../src/foreign.ts';
import { anthropicProfile } from '../src/index.ts';

const user = (content: unknown) => ({ role: 'user', content });
const result = (content: unknown) => user([{ type: 'tool_result', tool_use_id: 'a', content }]);

describe('checkMessages', () => {
  test.each([
    ['no list', 5, '`history` to be a list of messages, got `5`'],
    ['null for a message', [user('a'), null], '`history[1]` to be a message, got `null`'],
    ['no content', [{ role: 'user' }], '`history[0].content` to be a text or a list of blocks'],
    ['content 5', [user(5)], '`history[0].content` to be a text or a list of blocks, got `5`'],
    ['null for a block', [user([null])], '`history[0].content[0]` to be a block'],
    [
      'a text block without text',
      [user([{ type: 'text' }])],
      '`history[0].content[0].text` to be a text, got `undefined`',
    ],
    [
      'a result with content 5',
      [user('a'), result(5)],
      '`history[1].content[0].content` to be a text or a list of blocks, got `5`',
    ],
    [
      'a result that holds a text block without text',
      [result([{ type: 'text', text: 5 }])],
      '`history[0].content[0].content[0].text`',
    ],
  ])('refuses %s with its place', (_, messages, words) => {
    expect(() => checkMessages(messages as never)).toThrow(TypeError);
    expect(() => checkMessages(messages as never)).toThrow(`Expected ${words}`);
  });

  test('passes what may be left out, and names the list as it is told to', () => {
    checkMessages([
      user(''),
      result(undefined),
      result([]),
      { role: 'system' },
      user([{ type: 'x' }]),
    ]);
    expect(() => checkMessages([5], 'messages')).toThrow('`messages[0]`');
  });

  test('refuses messages of another library by their name', () => {
    const chat = { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function' }] };
    expect(() => checkMessages([chat])).toThrow(
      expect.objectContaining({ code: 'foreign-messages' }),
    );
  });
});

test('anthropicProfile without the rule for thinking says what is missing', () => {
  const profile = anthropicProfile as (options?: object) => unknown;
  expect(() => profile()).toThrow('Expected `options` to be an object, got `undefined`');
  expect(() => profile({})).toThrow(
    "Expected `thinking` to be one of 'free', 'latest-turn', 'prefix-bound'",
  );
});
