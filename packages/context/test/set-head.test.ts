import {
  type Entry,
  type JsonObject,
  parseEntry,
  type Request,
  serializeEntry,
} from '@varve/messages';
import { resolveModel } from '@varve/tokens';
import { memoryStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import { type Context, type ContextOptions, createContext } from '../src/index.ts';
import { compactingScene, fill, fillUp, summarizer } from './compacting-support.ts';
import {
  BOUND,
  bytesOf,
  call,
  earlyStorage,
  LATEST,
  OPENAI,
  rejection,
  round,
  says,
  scene,
  text,
  thinking,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const BASH = { name: 'bash', description: 'Runs it.', input_schema: { type: 'object' } };
const READ = { name: 'read', description: 'Reads it.', input_schema: { type: 'object' } };
const reread = (context: Context): Entry[] => context.entries().map(serializeEntry).map(parseEntry);
const thoughtsIn = ({ messages }: Request) =>
  messages.flatMap(({ content }) => content.filter(({ type }) => type === 'thinking'));

describe('setHead', () => {
  test.each([
    ['another model', { model: OPENAI }, 'model-switch'],
    ['other tools', { tools: [BASH, READ] }, 'tools-changed'],
    ['another system prompt', { system: 'You test.' }, 'system-changed'],
    ['other parameters', { params: { effort: 'low' } }, 'params-changed'],
  ] as const)(
    '%s: the next request carries it, what is left out stays, and the break is announced',
    async (_name, change, reason) => {
      const { context, events } = scene();
      await context.user('Go.');
      const before = await context.request();
      await context.reply(says(text('Done.')));
      const head = await context.setHead(change);
      await context.user('More.');
      const request = await context.request();
      expect(request.head).toBe(head);
      const { id: _, ...was } = before.head;
      const { id: __, ...is } = request.head;
      const system = [{ type: 'text', text: 'You test.' }];
      expect(is).toEqual({ ...was, ...change, ...('system' in change && { system }) });
      expect(events.filter(({ kind }) => kind === 'break-announced')).toEqual([
        { layer: 'prompt-cache', kind: 'break-announced', reason },
      ]);
      expect(violationsOf(request)).toEqual([]);
    },
  );

  test('K305: a thinking budget that fills the longest reply is refused, at the start and later', async () => {
    const thinks = (budget: number) => ({ thinking: { type: 'enabled', budget_tokens: budget } });
    const most = resolveModel(LATEST).model.maxOutputTokens as number;
    expect(() => scene({ model: LATEST, params: thinks(most) })).toThrow(RangeError);
    const { context } = scene({ model: LATEST, params: thinks(most - 1), maxOutputTokens: 1_000 });
    await context.user('Go.');
    const before = await context.request();
    expect(before.maxOutputTokens).toBe(most);
    const thrown = await rejection(context.setHead({ params: thinks(most) }));
    expect(thrown).toBeInstanceOf(RangeError);
    expect(`${thrown}`).toContain(`less than the ${most} tokens`);
    expect(bytesOf(await context.request())).toEqual(bytesOf(before));
    await context.setHead({ model: UNKNOWN, params: thinks(most) }); // nobody knows how much it can reply
    expect((await context.request()).maxOutputTokens).toBeGreaterThan(most);
  });

  // A6. Siblings looked for: at the start and later, each parameter, models that always think, server edits of the log.
  test.each<[string, Record<string, unknown>, string]>([
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 500 } }, '`500`'],
    ['no budget', { thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    ['a temperature', { thinking: { type: 'adaptive' }, temperature: 0.5 }, 'params.temperature'],
    ['top_k', { thinking: { type: 'adaptive' }, top_k: 5 }, 'params.top_k'],
  ])('K305: %s beside thinking is refused, at the start and later', async (_name, given, named) => {
    const params = given as JsonObject;
    expect(() => scene({ model: LATEST, params })).toThrow(RangeError);
    const { context } = scene({ model: LATEST });
    const before = context.entries();
    const thrown = await rejection(context.setHead({ params }));
    expect(thrown).toBeInstanceOf(RangeError);
    expect(`${thrown}`).toContain(named);
    expect(context.entries()).toEqual(before);
  });

  test('K305: thinking is cleared only where there is any, and first; the log keeps what was asked', async () => {
    const clear = { type: 'clear_thinking_20251015', keep: 'all' };
    const uses = { type: 'clear_tool_uses_20250919' };
    const asked = { context_management: { edits: [uses, clear] } };
    const { context } = scene({ model: LATEST, params: asked });
    await context.edit([{ kind: 'server', params: asked }], { by: 'test', reason: 'test' });
    await context.user('Go.');
    const without = await context.request();
    expect(violationsOf(without)).toEqual([]);
    expect(without.head.params).toEqual({ context_management: { edits: [uses] } });
    expect(without.server).toEqual({ context_management: { edits: [uses] } });
    expect((await context.request()).head).toBe(without.head);
    expect(context.view().head?.params).toEqual(asked);
    await context.setHead({ params: { ...asked, thinking: { type: 'adaptive' } } });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(request.server).toEqual({ context_management: { edits: [clear, uses] } });
    await context.setHead({ model: BOUND, params: asked });
    expect((await context.request()).server).toEqual(request.server);
    const only = scene({ model: LATEST, params: { context_management: { edits: [clear] } } });
    await only.context.user('Go.');
    expect((await only.context.request()).head.params).toEqual({});
  });

  test('M334: a tool of the provider without a name is a tool; a schema of no object is none', async () => {
    const toolset = { type: 'mcp_toolset', mcp_server_name: 'a' };
    const { context } = scene({ tools: [BASH, toolset] });
    await context.user('Go.');
    const request = await context.request();
    expect(request.head.tools).toEqual([BASH, toolset]);
    expect(violationsOf(request)).toEqual([]);
    const lines = context.entries().map(serializeEntry).map(parseEntry);
    const again = scene({ tools: [BASH, toolset], entries: lines });
    expect(bytesOf(await again.context.request())).toEqual(bytesOf(request));
    const odd = { name: 'x', input_schema: { type: 'string' } };
    expect(await rejection(context.setHead({ tools: [odd] }))).toBeInstanceOf(TypeError);
    expect(await rejection(context.setHead({ tools: [{ type: 'custom' }] }))).toBeInstanceOf(
      TypeError,
    );
  });

  test('what changes nothing adds nothing', async () => {
    const { context } = scene();
    const before = context.entries();
    await context.setHead({ system: 'You fix tests.' });
    await context.setHead({});
    expect(context.entries()).toEqual(before);
  });

  test('the read tool of a storage stays among the tools', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage });
    await context.setHead({ tools: [READ] });
    expect(context.view().head?.tools.map(({ name }) => name)).toEqual(['read', 'read_stored']);
  });

  test('limits, prices and sizes are those of the new model at once', async () => {
    const { context } = scene({ model: LATEST });
    await context.user('Go.');
    const before = await context.request();
    await context.setHead({ model: UNKNOWN });
    const after = await context.request();
    expect([before.maxOutputTokens, after.maxOutputTokens]).toEqual([
      (await firstRequest(LATEST)).maxOutputTokens,
      (await firstRequest(UNKNOWN)).maxOutputTokens,
    ]);
    expect(before.markers.length).toBeGreaterThan(0);
    expect(after.markers).toEqual((await firstRequest(UNKNOWN)).markers);
  });

  test.each([BOUND, LATEST, OPENAI, UNKNOWN])(
    'in the middle of a tool loop of %s, before and after the results, and between a request and its reply',
    async (model) => {
      for (const moment of ['before-results', 'after-results', 'before-reply'] as const) {
        const { context } = scene({ model });
        await context.user('Go.');
        await round(context, { a: 'out' }, [thinking('a')]);
        await context.request();
        if (moment === 'before-reply') await context.setHead({ tools: [BASH, READ] });
        await context.reply(says(thinking('b'), text('More.'), call('b')));
        if (moment === 'before-results') await context.setHead({ tools: [BASH, READ] });
        await context.results([{ toolUseId: 'b', content: 'out' }]);
        if (moment === 'after-results') await context.setHead({ tools: [BASH, READ] });
        const request = await context.request();
        expect(violationsOf(request)).toEqual([]);
        expect(thoughtsIn(request)).toHaveLength(model === BOUND || model === UNKNOWN ? 0 : 2);
        expect(JSON.stringify(request.messages)).toContain('More.');
      }
    },
  );

  test('a restart with the same options goes on with it, byte for byte; options that differ win, part by part', async () => {
    const options = { model: BOUND, system: 'You fix tests.', tools: [BASH] };
    const context = createContext(options);
    await context.user('Go.');
    await context.setHead({ model: LATEST });
    await context.setHead({ tools: [BASH, READ] });
    const request = await context.request();

    const again = createContext({ ...options, entries: reread(context) });
    expect(bytesOf(await again.request())).toEqual(bytesOf(request));
    expect(again.entries()).toEqual(context.entries());
    const third = createContext({ ...options, entries: reread(again) });
    expect(third.entries()).toEqual(context.entries());

    const other = createContext({ ...options, system: 'You test.', entries: reread(context) });
    expect((await other.request()).head).toMatchObject({
      ...{ model: LATEST, tools: [BASH, READ] },
      system: [{ type: 'text', text: 'You test.' }],
    });
    const otherAgain = createContext({ ...options, system: 'You test.', entries: reread(other) });
    expect(otherAgain.entries()).toEqual(other.entries());
    const model = createContext({ ...options, model: OPENAI, entries: reread(other) });
    expect(model.view().head).toMatchObject({ model: OPENAI, tools: [BASH, READ] });
  });

  test('a signal that is aborted before leaves all as it was', async () => {
    const { context } = scene();
    const before = context.entries();
    const error = await rejection(
      context.setHead({ model: OPENAI }, { signal: AbortSignal.abort() }),
    );
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(context.entries()).toEqual(before);
  });

  test('what cannot be written leaves all as it was', async () => {
    const { context } = scene();
    const before = context.entries();
    const params = { deep: {} } as Record<string, unknown>;
    params.self = params;
    await rejection(context.setHead({ params } as never));
    expect(context.entries()).toEqual(before);
  });
});

// M334. Siblings looked for: tools without a name, names and schemas that no provider takes, blank names, no list, the read tool of a storage beside the caller's own.
describe('M334: tools that no provider takes are refused where they are given', () => {
  const wrong: [string, unknown, string][] = [
    [
      'two tools of one name',
      [BASH, BASH],
      'Expected `tools` to have different names, got `bash` twice',
    ],
    ['three, the outer two alike', [BASH, READ, BASH], 'got `bash` twice'],
    ['a tool without a name', [{ description: 'x' }], 'Expected `tools[0]` to be'],
    ['an empty name', [BASH, { name: '' }], 'Expected `tools[1]` to be'],
    ['a blank name', [{ name: ' ' }], 'Expected `tools[0]` to be'],
    ['a name that is no text', [{ name: 5 }], 'Expected `tools[0]` to be'],
    ['nothing in the list', [null], 'Expected `tools[0]` to be'],
    ['a name with a dot', [{ name: 'desk.ask' }], 'Expected `tools[0].name` to be'],
    ['a name of 129 characters', [{ name: 'a'.repeat(129) }], 'Expected `tools[0].name` to be'],
    ['the schema of the AI SDK', [{ name: 'x', inputSchema: {} }], '`tools[0].input_schema`'],
    ['the schema of OpenAI', [BASH, { name: 'x', parameters: {} }], '`tools[1].input_schema`'],
    ['a schema that is a text', [{ name: 'x', input_schema: '{}' }], '`tools[0].input_schema`'],
    ['no list', BASH, 'Expected `tools` to be'],
  ];

  test.each(wrong)('createContext: %s', (_name, tools, message) => {
    const create = () => createContext({ model: BOUND, tools } as unknown as ContextOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  test.each(wrong)('setHead: %s, and nothing has changed', async (_name, tools, message) => {
    const { context } = scene();
    const before = context.entries();
    const error = await rejection(context.setHead({ tools } as never));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
    expect(context.entries()).toEqual(before);
  });

  test.each([
    [{ model: '' }, 'model'],
    [{ model: null }, 'model'],
    [{ system: 5 }, 'system'],
    [{ system: [{ type: 'image' }] }, 'system'],
    [{ params: 'x' }, 'params'],
    [undefined, 'change'],
  ])('setHead: %j names `%s`', async (change, name) => {
    const { context } = scene();
    const error = await rejection(context.setHead(change as never));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(`Expected \`${name}\` to be`);
  });

  test('the read tool of a storage that the caller lists is there once', () => {
    const storage = earlyStorage({ store: memoryStore() });
    const context = createContext({ model: BOUND, tools: [storage.readTool, BASH], storage });
    expect(context.view().head?.tools.map(({ name }) => name)).toEqual(['read_stored', 'bash']);
  });
});

// M333. Siblings looked for: by hand, at the threshold, after a refusal; a new head by `setHead` and by a restart.
describe('M333: a summary request carries no thinking of another head', () => {
  async function thoughtful(context: Context) {
    await context.user('Fix the parser.');
    for (const id of ['a', 'b']) await round(context, { [id]: 'x'.repeat(2_000) }, [thinking(id)]);
  }

  test.each([
    { way: 'setHead', change: { system: 'You test.' } },
    { way: 'restart', change: { system: 'You test.' } },
    { way: 'setHead', change: { model: 'claude-sonnet-5-5' } },
    { way: 'restart', change: { model: 'claude-sonnet-5-5' } },
  ])('by hand, after a $way with $change', async ({ way, change }) => {
    const { requests, summarize } = summarizer();
    const made = compactingScene({ summarize }, { model: BOUND });
    await thoughtful(made.context);
    let { context } = made;
    if (way === 'setHead') await context.setHead(change);
    else {
      const entries = reread(context);
      context = createContext({ ...made.options, ...change, entries });
    }
    const outcome = await context.compact();
    expect(outcome.kind === 'compacted' && outcome.receipt.engine).toBe('summary');
    expect(requests).toHaveLength(1);
    expect(requests.flatMap(violationsOf)).toEqual([]);
    expect(requests.flatMap(thoughtsIn)).toEqual([]);
  });

  test('at the threshold and after a refusal', async () => {
    for (const way of ['threshold', 'refusal'] as const) {
      const { requests, summarize } = summarizer();
      const { context } = compactingScene({ summarize }, { model: BOUND });
      await thoughtful(context);
      if (way === 'threshold') await fillUp(context);
      else await fill(context, 'k');
      await context.setHead({ model: LATEST });
      await context.setHead({ model: BOUND, tools: [BASH, READ] });
      if (way === 'threshold') await context.request();
      else await context.recover(Object.assign(new Error('prompt is too long'), { status: 400 }));
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.flatMap(violationsOf)).toEqual([]);
    }
  });
});

async function firstRequest(model: string): Promise<Request> {
  const { context } = scene({ model });
  await context.user('Go.');
  return context.request();
}
