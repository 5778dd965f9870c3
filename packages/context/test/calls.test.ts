import { type Block, type Entry, toolResults } from '@varve/messages';
import { resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { createContext } from '../src/index.ts';
import {
  BOUND,
  bytesOf,
  call,
  earlyStorage,
  image,
  LATEST,
  output,
  rejection,
  round,
  says,
  scene,
  text,
  thinking,
  UNKNOWN,
  violationsOf,
} from './support.ts';

describe('user', () => {
  test.each([
    { name: 'nothing', content: '' },
    { name: 'blank text', content: ' \n\t' },
    { name: 'no blocks', content: [] },
    { name: 'blank blocks', content: [text(''), text(' ')] },
  ])('refuses $name and adds nothing', async ({ content }) => {
    const { context } = scene();
    expect(await rejection(context.user(content))).toMatchObject({ code: 'empty-message' });
    expect(context.view().messages).toEqual([]);
  });

  test('leaves blank text beside an image out', async () => {
    const { context } = scene();
    const { content } = await context.user([text(' '), image]);
    expect(content).toEqual([image]);
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('during an open round it waits for the results and follows them', async () => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a')));
    await context.user('Stop after this.');
    await context.results([{ toolUseId: 'a', content: 'out' }]);
    const request = await context.request();
    expect(request.messages.at(-1)?.content).toEqual([text('Stop after this.')]);
    expect(violationsOf(request)).toEqual([]);
  });

  test('keeps what was said whatever the caller does to its objects later', async () => {
    const { context } = scene();
    const block = { type: 'text', text: 'Go.' };
    await context.user([block]);
    block.text = 'Changed.';
    expect((await context.request()).messages[0]?.content).toEqual([text('Go.')]);
  });

  test.each([
    { name: 'a cycle', make: () => Object.assign(text('x'), { self: {} as unknown }) },
    { name: 'a bigint', make: () => ({ ...text('x'), size: 10n }) },
  ])('refuses $name, and the next message is none the worse', async ({ make }) => {
    const { context } = scene({ storage: earlyStorage() });
    const block = make() as Block & { self?: unknown };
    if ('self' in block) Object.assign(block, { self: block });
    expect(await rejection(context.user([block]))).toMatchObject({
      ...{ code: 'malformed-message', cause: { code: 'not-serializable' } },
    });
    expect(context.view().messages).toEqual([]);
    await context.user('Go.');
    expect(violationsOf(await context.request())).toEqual([]);
  });
});

describe('reply: where nothing waits for one it is refused, and nothing changes', () => {
  const answered = async ({ hasRequests }: { readonly hasRequests: boolean }) => {
    const { context } = scene();
    await context.user('Go.');
    if (hasRequests) await context.request();
    await context.reply(says(text('Done.')));
    return context;
  };

  test.each([true, false])('a second reply, after a request: %s', async (hasRequests) => {
    const context = await answered({ hasRequests });
    const [entries, usage] = [context.entries(), context.usage()];
    const second = { ...says(text('Again.')), usage: { input_tokens: 10, output_tokens: 2 } };
    expect(await rejection(context.reply(second))).toMatchObject({ code: 'nothing-to-send' });
    expect(context.entries()).toEqual(entries);
    expect(context.usage()).toEqual(usage);
    expect(context.view().messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test('one to a message that an edit took away', async () => {
    const { context } = scene();
    const { id } = await context.user('Go.');
    await context.request();
    const kind = 'replace-span' as const;
    const gone = { kind, fromId: id, toId: id, with: [], then: [] };
    await context.edit([gone], { by: 'person', reason: 'clear' });
    expect(await rejection(context.reply(says(text('Done.'))))).toMatchObject({
      code: 'nothing-to-send',
    });
  });

  test('turns of another agent go in without requests', async () => {
    const context = await answered({ hasRequests: false });
    await context.user('And?');
    await context.reply(says(call('a')));
    await context.results([{ toolUseId: 'a', content: 'out' }]);
    await context.reply(says(text('Done.')));
    await context.user('Now?');
    expect(violationsOf(await context.request())).toEqual([]);
  });
});

describe('request', () => {
  test('refuses a conversation that nobody has begun, and one that the model has ended', async () => {
    const { context } = scene();
    expect(await rejection(context.request())).toMatchObject({ code: 'nothing-to-send' });
    await context.user('Go.');
    await context.request();
    await context.reply(says(text('Done.')));
    expect(await rejection(context.request())).toMatchObject({ code: 'nothing-to-send' });
  });

  test('refuses an open round and names the calls', async () => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a'), call('b')));
    await context.results([{ toolUseId: 'b', content: 'out' }]);
    const error = await rejection(context.request());
    expect(error).toMatchObject({ code: 'open-round', message: expect.stringContaining(' a.') });
  });

  test('one that is not answered leaves no trace in the messages', async () => {
    const { context } = scene();
    await context.user('Go.');
    const first = await context.request();
    await context.user('Or rather stop.');
    const second = await context.request();
    expect(second.messages).toHaveLength(2);
    expect(bytesOf(second).slice(0, bytesOf(first).length)).toEqual(bytesOf(first));
  });

  test.each([
    { name: 'an unknown model', model: UNKNOWN, options: {}, tokens: 20_000 },
    { name: 'a model with 128,000', model: BOUND, options: {}, tokens: 20_000 },
    {
      name: 'a small model',
      model: 'small-1',
      options: { models: [{ ...resolveModel('small-1').model, maxOutputTokens: 8_192 }] },
      tokens: 8_192,
    },
    {
      name: 'what is asked for',
      model: BOUND,
      options: { maxOutputTokens: 64_000 },
      tokens: 64_000,
    },
    {
      name: 'more than the model can reply',
      model: BOUND,
      options: { maxOutputTokens: 900_000 },
      tokens: 128_000,
    },
    {
      name: 'thinking and a reply beside it',
      model: LATEST,
      options: { params: { thinking: { type: 'enabled', budget_tokens: 31_999 } } },
      tokens: 51_999,
    },
    {
      name: 'a bound below the thinking budget',
      model: LATEST,
      options: {
        maxOutputTokens: 4_000,
        params: { thinking: { type: 'enabled', budget_tokens: 5_000 } },
      },
      tokens: 5_001,
    },
  ])('K308: asks for $tokens tokens: $name', async ({ model, options, tokens }) => {
    const { context } = scene({ model, ...options });
    await context.user('Go.');
    expect((await context.request()).maxOutputTokens).toBe(tokens);
  });

  test('an unknown model gets no markers, a known one gets them', async () => {
    const markersOf = async (model: string) => {
      const { context } = scene({ model });
      await context.user('Go.');
      return (await context.request()).markers.length;
    };
    expect(await markersOf(UNKNOWN)).toBe(0);
    expect(await markersOf(LATEST)).toBeGreaterThan(0);
  });
});

describe('reply', () => {
  test.each([
    { name: 'nothing', content: [] },
    { name: 'blank text', content: [text('\n')] },
    { name: 'thinking that was cut off', content: [thinking('s'), text('')] },
  ])('refuses $name; the request can be sent again', async ({ content }) => {
    const { context } = scene();
    await context.user('Go.');
    const first = await context.request();
    expect(await rejection(context.reply({ content }))).toMatchObject({ code: 'empty-reply' });
    expect(bytesOf(await context.request())).toEqual(bytesOf(first));
  });

  test('leaves thinking out that nothing follows', async () => {
    const { context } = scene({ model: BOUND });
    await context.user('Go.');
    await context.request();
    const content = [thinking('s'), text('Half of'), thinking('t')];
    const message = await context.reply({ content, stopReason: 'max_tokens' });
    expect(message.content).toEqual(content.slice(0, 2));
    await context.user('Go on.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('records the model, the bill, why it stopped and which prefix it answers', async () => {
    const { context, clock } = scene();
    await context.user('Go.');
    const startedAtMs = clock.now();
    await context.request();
    clock.pass(5_000);
    const usage = { input_tokens: 12, output_tokens: 3 };
    const { response } = await context.reply({ ...says(call('a')), id: 'msg_1', usage });
    expect(response).toMatchObject({ id: 'msg_1', model: LATEST, stopReason: 'tool_use', usage });
    expect(response?.request).toMatchObject({ messageCount: 1, startedAtMs });
    expect(context.size().tokens).toBeGreaterThanOrEqual(15);
  });
});

describe('results', () => {
  async function open(...ids: string[]) {
    const { context } = scene({ storage: earlyStorage() });
    await context.user('Go.');
    await context.request();
    await context.reply(says(...ids.map((id) => call(id))));
    return context;
  }

  test.each([
    { name: 'an unknown call', outputs: ['a', 'x'] },
    { name: 'a result that comes twice', outputs: ['a', 'b', 'a'] },
  ])('refuses $name, and takes none of them', async ({ outputs }) => {
    const context = await open('a', 'b');
    const given = outputs.map((toolUseId) => ({ toolUseId, content: 'out' }));
    expect(await rejection(context.results(given))).toMatchObject({ code: 'unknown-call' });
    expect(context.view().open?.waiting).toEqual(['a', 'b']);
  });

  test('refuses a result that has been given', async () => {
    const context = await open('a', 'b');
    await context.results([{ toolUseId: 'a', content: 'out' }]);
    const again = context.results([{ toolUseId: 'a', content: 'out' }]);
    expect(await rejection(again)).toMatchObject({ code: 'unknown-call' });
  });

  test('refuses what could not be read back, and takes none of them', async () => {
    const context = await open('a', 'b');
    const given = [
      { toolUseId: 'a', content: 'out' },
      { toolUseId: 'b', content: [{ ...text('x'), size: 10n }] },
    ];
    expect(await rejection(context.results(given))).toMatchObject({
      ...{ code: 'malformed-result', cause: { code: 'not-serializable' } },
    });
    expect(context.view().open?.waiting).toEqual(['a', 'b']);
  });

  test.each([
    { name: 'empty text', content: '' },
    { name: 'no blocks', content: [] },
    { name: 'empty blocks', content: [text(''), text('\n')] },
    { name: 'an image', content: [image] },
    { name: 'bytes', content: new TextEncoder().encode('done\n') },
    { name: 'bytes of no text', content: new Uint8Array([0, 255, 1, 254, 2, 253, 0, 0]) },
  ])('takes $name, of a tool that failed as well', async ({ content }) => {
    for (const isError of [false, true]) {
      const context = await open('a');
      await context.results([{ toolUseId: 'a', content, isError }]);
      expect(violationsOf(await context.request())).toEqual([]);
    }
  });

  test('media of a failed tool stand behind its result', async () => {
    const context = await open('a');
    await context.results([{ toolUseId: 'a', content: [text('failed'), image], isError: true }]);
    const result = {
      type: 'tool_result',
      tool_use_id: 'a',
      content: [text('failed')],
      is_error: true,
    };
    expect((await context.request()).messages.at(-1)?.content).toEqual([result, image]);
  });

  test('bytes come as text without a storage', async () => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a')));
    const content = new TextEncoder().encode('done');
    const [message] = await context.results([{ toolUseId: 'a', content }]);
    expect(toolResults(message as never)[0]?.content).toBe('done');
  });

  test('none changes nothing', async () => {
    const context = await open('a');
    expect(await context.results([])).toEqual([]);
    expect(context.view().open?.waiting).toEqual(['a']);
  });
});

describe('closeRound', () => {
  test('ends the calls that wait, keeps the results that came, and the next request is valid', async () => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a'), call('b')));
    await context.results([{ toolUseId: 'b', content: 'out' }]);
    expect(await context.closeRound('aborted')).toHaveLength(1);
    await context.user('Try again.');
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    const contents = toolResults(request.messages[2] as never).map(({ content }) => content);
    expect(contents).toEqual([expect.stringContaining('aborted'), 'out']);
    expect(await context.closeRound('aborted')).toEqual([]);
  });
});

describe('send', () => {
  test('needs a model to call', async () => {
    const { context } = scene();
    await context.user('Go.');
    expect(await rejection(context.send())).toMatchObject({ code: 'no-call' });
  });

  test('passes the signal on, and rejects as the model does', async () => {
    const cause = new Error('529');
    const seen: unknown[] = [];
    const { context } = scene({
      call: async (_, { signal }) => {
        seen.push(signal);
        throw cause;
      },
    });
    await context.user('Go.');
    const { signal } = new AbortController();
    expect(await rejection(context.send({ signal }))).toBe(cause);
    expect(seen).toEqual([signal]);
  });
});

describe('createContext', () => {
  test('needs a model and nothing else', async () => {
    const context = createContext({ model: UNKNOWN });
    await context.user('Go.');
    const { head, messages } = await context.request();
    expect(head).toMatchObject({ model: UNKNOWN, system: [], tools: [], params: {} });
    expect(messages).toHaveLength(1);
  });

  test('a blank system prompt is none, and the read tool comes once', async () => {
    const storage = earlyStorage();
    const context = createContext({
      model: LATEST,
      system: '  ',
      tools: [storage.readTool],
      storage,
    });
    await context.user('Go.');
    const request = await context.request();
    expect(request.head.system).toEqual([]);
    expect(request.head.tools).toEqual([storage.readTool]);
    expect(violationsOf(request)).toEqual([]);
  });

  test('the window of a model is the one its name asks for', async () => {
    const windowOf = async (model: string) => {
      let windowTokens = 0;
      const plan = ({ limits }: { limits: { windowTokens: number } }) => {
        windowTokens = limits.windowTokens;
        return { kind: 'none', reason: 'looked' } as const;
      };
      const context = createContext({
        model,
        layers: [{ name: 'l', planner: { observe() {}, plan } }],
      });
      await context.user('Go.');
      await context.request();
      return windowTokens;
    };
    expect(await windowOf('claude-opus-4-5')).toBe(200_000);
    expect(await windowOf('claude-opus-4-5[1m]')).toBe(1_000_000);
  });

  test('refuses entries that are no log', () => {
    const { context } = scene();
    const [head] = context.entries();
    expect(() => createContext({ model: LATEST, entries: [head, head] as never })).toThrow(
      expect.objectContaining({ code: 'duplicate-entry' }),
    );
  });

  test('ids never collide with those of a log that lacks entries', async () => {
    const first = scene();
    await first.context.user('Go.');
    for (const id of ['a', 'b', 'c']) await round(first.context, { [id]: output(id, 300) });
    // without the head and the first round, as a salvage may leave it
    const [, asked, , , ...rest] = first.context.entries();
    const thinned = [asked, ...rest] as Entry[];
    const { context } = scene({ entries: thinned });
    for (const id of ['d', 'e', 'f']) await round(context, { [id]: output(id, 300) });
    const ids = context.entries().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
