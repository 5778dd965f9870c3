import type { Block } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createContext } from '../src/index.ts';
import type { Reply } from '../src/options.ts';
import {
  BOUND,
  call,
  LATEST,
  OPENAI,
  rejection,
  says,
  scene,
  text,
  thinking,
  violationsOf,
} from './support.ts';

describe('reply that is malformed', () => {
  test.each<[string, unknown]>([
    ['no content', undefined],
    ['a block of an empty type', [{ type: '' }]],
    ['a text for content', 'Hello.'],
    ['a block that is nothing', [null]],
    ['a block without a type', [{}]],
    ['a text that is a number', [{ type: 'text', text: 5 }]],
    ['a call without a name', [call('a', '')]],
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

  test.each([undefined, null, 'Hello.', 5, []])(
    '%j in place of a reply is refused',
    async (reply) => {
      const { context } = scene({ model: BOUND });
      await context.user('Go.');
      await context.request();
      const error = await rejection(context.reply(reply as never));
      expect(error).toMatchObject({ code: 'malformed-reply' });
      expect(String(error)).toContain('It is no object with `content`. Pass `{ content }`, a list');
      expect(String(error)).not.toContain('again');
    },
  );

  test.each(['x', {}, null])('results: %j in place of a list, and what to pass', async (given) => {
    const { context } = scene({ model: BOUND });
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a')));
    const error = await rejection(context.results(given as never));
    expect(error).toMatchObject({ code: 'malformed-result' });
    expect(String(error)).toContain('a list of results `{ toolUseId, content }`. Pass that, or');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['a text', 'Hello.'],
    ['a promise that was not awaited', { content: Promise.resolve([]) }],
  ])('a model call that gives %s rejects `send`, and nothing changed', async (_name, reply) => {
    const { context } = scene({ call: async () => reply as Reply });
    await context.user('Go.');
    const before = context.entries();
    expect(await rejection(context.send())).toMatchObject({ code: 'malformed-reply' });
    expect(context.entries()).toEqual(before);
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

describe('user with what is no message', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['one block', text('Go.')],
    ['a block that is nothing', [null]],
    ['a list in a list', [[text('Go.')]]],
    ['a text without text', [{ type: 'text' }]],
    ['a text that is a number', [{ type: 'text', text: 5 }]],
    ['a block of an empty type', [{ type: '' }]],
  ])('%s is refused, and nothing is added', async (_name, content) => {
    const { context } = scene();
    const error = await rejection(context.user(content as never));
    expect(error).toMatchObject({ code: 'malformed-message' });
    expect(context.view().messages).toEqual([]);
  });
});

describe('results that are malformed', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['one result without a list', { toolUseId: 'a', content: 'out' }],
    ['a result that is nothing', [null]],
    ['no content', [{ toolUseId: 'a' }]],
    ['null for content', [{ toolUseId: 'a', content: null }]],
    ['a number', [{ toolUseId: 'a', content: 5 }]],
    ['an object', [{ toolUseId: 'a', content: { exitCode: 0 } }]],
    ['a buffer without a view', [{ toolUseId: 'a', content: new ArrayBuffer(4) }]],
    ['a block that is nothing', [{ toolUseId: 'a', content: [null] }]],
    ['a text that is a number', [{ toolUseId: 'a', content: [{ type: 'text', text: 5 }] }]],
    ['a call within a result', [{ toolUseId: 'a', content: [call('b')] }]],
    ['thinking within a result', [{ toolUseId: 'a', content: [thinking('s')] }]],
    ['one of two', [{ toolUseId: 'b', content: 'out' }, { toolUseId: 'a' }]],
  ])('%s is refused, none is taken, and the round goes on', async (_name, outputs) => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a'), call('b')));
    const before = context.entries();
    const error = await rejection(context.results(outputs as never));
    expect(error).toMatchObject({ code: 'malformed-result' });
    expect(context.entries()).toEqual(before);
    await context.results([{ toolUseId: 'a', content: 'out' }]);
    await context.closeRound('aborted');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test.each([undefined, null, '', ' ', 5, {}])(
    'a round cannot be closed for %j',
    async (reason) => {
      const { context } = scene();
      await context.user('Go.');
      await context.request();
      await context.reply(says(call('a')));
      expect(await rejection(context.closeRound(reason as never))).toBeInstanceOf(TypeError);
      expect(context.view().open?.waiting).toEqual(['a']);
    },
  );
});

describe('createContext with options that make no sense', () => {
  const summarize = async () => ({ content: [], stopReason: 'end_turn' }) as const;

  test.each<[string, unknown]>([
    ['options', undefined],
    ['options', null],
    ['model', {}],
    ['model', { model: '' }],
    ['model', { model: 5 }],
    ['system', { model: BOUND, system: 5 }],
    ['system', { model: BOUND, system: [null] }],
    ['layers', { model: BOUND, layers: [null] }],
    ['layers', { model: BOUND, layers: [{ name: 'l' }] }],
    ['models', { model: BOUND, models: {} }],
    ['entries', { model: BOUND, entries: 5 }],
    ['log', { model: BOUND, log: {} }],
    ['storage', { model: BOUND, storage: {} }],
    ['call', { model: BOUND, call: 'x' }],
    ['onEvent', { model: BOUND, onEvent: 5 }],
    ['now', { model: BOUND, now: 5 }],
    ['compaction.summarize', { model: BOUND, compaction: {} }],
  ])('a TypeError names `%s`', (name, options) => {
    const create = () => createContext(options as never);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`Expected \`${name}\` to be`);
  });

  test.each<[string, object]>([
    ['maxOutputTokens', { maxOutputTokens: 0 }],
    ['maxOutputTokens', { maxOutputTokens: 1.5 }],
    ['maxOutputTokens', { maxOutputTokens: Number.NaN }],
    ['compaction.percent', { compaction: { summarize, percent: 0 } }],
    ['compaction.percent', { compaction: { summarize, percent: 101 } }],
    ['compaction.percent', { compaction: { summarize, percent: Number.NaN } }],
    ['compaction.hookTimeoutMs', { compaction: { summarize, hookTimeoutMs: -1 } }],
  ])('a RangeError names `%s`', (name, options) => {
    const create = () => createContext({ model: BOUND, ...options });
    expect(create).toThrow(RangeError);
    expect(create).toThrow(`Expected \`${name}\` to be`);
  });
});

describe('what a provider would refuse for ever (cases 48, 49)', () => {
  const cached = (value: string): Block => ({
    type: 'text',
    text: value,
    cache_control: { type: 'ephemeral' },
  });
  const six = ['1', '2', '3', '4', '5', '6'].map(cached);
  const notBase64: Block = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: '!!!not base64' },
  };
  const refused: [string, readonly Block[]][] = [
    ['a block of an unknown type', [{ type: 'weird', x: 1 }]],
    ['more marked blocks than a request may carry', six],
    ['data that is no base64', [notBase64]],
  ];

  test.each(refused)('user and results refuse %s, and nothing enters', async (_name, content) => {
    const context = createContext({ model: LATEST });
    expect(await rejection(context.user(content))).toMatchObject({ code: 'malformed-message' });
    expect(context.view().messages).toEqual([]);
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('c1', 'bash', {})));
    const before = context.entries();
    expect(await rejection(context.results([{ toolUseId: 'c1', content }]))).toMatchObject({
      code: 'malformed-result',
    });
    expect(context.entries()).toEqual(before);
    await context.results([{ toolUseId: 'c1', content: 'ok' }]);
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('results refuse what is too much together', async () => {
    const context = createContext({ model: LATEST });
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('c1', 'bash', {}), call('c2', 'bash', {})));
    const outputs = ['c1', 'c2'].map((toolUseId) => ({ toolUseId, content: six.slice(0, 3) }));
    expect(await rejection(context.results(outputs))).toMatchObject({ code: 'malformed-result' });
  });

  test.each<[string, object]>([
    ['a tool without a schema', { tools: [{ name: 'a' }] }],
    ['more marked blocks than a request may carry', { system: six }],
  ])('createContext and setHead refuse %s', async (_name, change) => {
    expect(() => createContext({ model: LATEST, ...change })).toThrow(TypeError);
    const context = createContext({ model: LATEST });
    const before = context.entries();
    expect(await rejection(context.setHead(change))).toBeInstanceOf(TypeError);
    expect(context.entries()).toEqual(before);
    expect(() => createContext({ model: OPENAI, ...change })).not.toThrow();
  });

  test('case 48: markers of the caller give way to those of the context, however many turns bring some', async () => {
    const context = createContext({ model: LATEST, system: [cached('You fix tests.')] as never });
    for (const turn of ['1', '2', '3', '4', '5', '6']) {
      await context.user([cached(turn)]);
      const request = await context.request();
      expect(violationsOf(request)).toEqual([]);
      expect(JSON.stringify(request)).not.toContain('cache_control');
      await context.reply(says({ type: 'text', text: 'ok' }));
    }
  });
});
