import { describe, expect, test } from 'vitest';
import { createAnthropicConverter, createOpenAIChatConverter } from '../src/convert.ts';
import { assistant, type TestMessage, thinking, user } from './build.ts';
import { history, listed } from './conversions.ts';

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
