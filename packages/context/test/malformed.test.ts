import type { Block } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../src/index.ts';
import { BOUND, call, OPENAI, rejection, says, scene, text, violationsOf } from './support.ts';

describe('reply that is malformed', () => {
  test.each<[string, unknown]>([
    ['no content', undefined],
    ['a text for content', 'Hello.'],
    ['a block that is nothing', [null]],
    ['a block without a type', [{}]],
    ['a text that is a number', [{ type: 'text', text: 5 }]],
    ['a call without a name', [call('a', '')]],
    ['a call whose input is nothing', [{ ...call('a'), input: null }]],
    ['a call whose input was cut off', [{ ...call('a'), input: '{"file' }]],
    ['a call whose input is a list', [{ ...call('a'), input: [] }]],
  ])('%s is refused and leaves the conversation as it was', async (_name, content) => {
    const { context } = scene({ model: BOUND });
    await context.user('Go.');
    await context.request();
    const before = context.entries();
    const error = await rejection(context.reply({ content } as Reply));
    expect(error).toMatchObject({ code: 'malformed-reply' });
    expect(context.entries()).toEqual(before);
    await context.reply(says(text('Hello.')));
    await context.user('Go on.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('thinking that lost its signature is left out where it would be refused', async () => {
    const { context } = scene({ model: BOUND });
    await context.user('Go.');
    await context.request();
    const unsigned: Block = { type: 'thinking', thinking: 'Hm.', signature: '' };
    expect((await context.reply(says(unsigned, text('Hello.')))).content).toEqual([text('Hello.')]);
    await context.user('Go on.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('a provider that takes inputs as text gets them back as text', async () => {
    const { context } = scene({ model: OPENAI });
    await context.user('Go.');
    await context.request();
    const { content } = await context.reply(says({ ...call('a'), input: '{"file' }));
    expect(content).toMatchObject([{ input: '{"file' }]);
  });
});
