import { type Entry, parseEntry, type Request, serializeEntry, type Usage } from '@varve/messages';
import { usageFromOpenAIChat } from '@varve/messages/convert';
import { priceUsage } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { type Context, type ContextEvent, createContext } from '../src/index.ts';
import { compactingScene, fillUp, summarizer, summary } from './compacting-support.ts';
import {
  BOUND,
  bytesOf,
  call,
  earlyClearing,
  LATEST,
  OPENAI,
  output,
  rejection,
  says,
  scene,
  text,
} from './support.ts';

const bill = (read: number, written: number, plain = 0, out = 10): Usage => ({
  input_tokens: plain,
  output_tokens: out,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
});
const reread = (context: Context): Entry[] => context.entries().map(serializeEntry).map(parseEntry);
const breaksOf = (events: readonly ContextEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'expected-break' || event.kind === 'unexpected-break'
      ? [event.kind === 'expected-break' ? event.reason : 'unexpected']
      : [],
  );

/** One turn: a person speaks, the model answers and is billed. */
async function turn(context: Context, usage: Usage, said = output('said', 8_000)) {
  await context.user(said);
  const request = await context.request();
  await context.reply({ ...says(text('Done.')), usage });
  return request;
}

// siblings looked for: null, a number, a text, a list, an object of the AI SDK, of Gemini, of Chat Completions, of nobody
describe('K309: a good reply is kept, whatever came as its bill', () => {
  test.each<readonly [string, unknown, string, number]>([
    ['null', null, 'no-usage', 0],
    ['a number', 5, 'no-usage', 0],
    ['a text', 'none', 'no-usage', 0],
    ['a list', [], 'no-usage', 0],
    [
      'usage of the AI SDK',
      { inputTokens: 100, outputTokens: 7, cachedInputTokens: 60 },
      'other-usage',
      40,
    ],
    ['usage of Gemini', { promptTokenCount: 100, candidatesTokenCount: 7 }, 'other-usage', 100],
    ['usage of Chat Completions', { prompt_tokens: 100, completion_tokens: 7 }, 'other-usage', 100],
    ['usage of nobody', { tokens: 100 }, 'other-usage', 0],
  ])('%s', async (_, usage, reason, billedTokens) => {
    const events: ContextEvent[] = [];
    const context = createContext({ model: LATEST, onEvent: (event) => void events.push(event) });
    await context.user('Go.');
    await context.request();
    await context.reply({ ...says(text('Done.')), usage: usage as never });
    expect(context.view().messages.at(-1)?.content).toEqual([text('Done.')]);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'bill-doubted', reason, billedTokens }),
    );
    expect(context.usage().usage.input_tokens).toBe(billedTokens);
    await context.user('More.');
    await context.request();
    expect(context.size().tokens).toBeGreaterThan(0);
  });
});

const cyclic: Record<string, unknown> = { input_tokens: 100, output_tokens: 7 };
cyclic.self = cyclic;

// siblings looked for: each count, the parts of counts, passes of the provider, numbers of other kinds, what JSON cannot hold,
// usage of other APIs, the bill of a reply that is refused
describe('K309: counts that are none are unknown, and the reply is kept', () => {
  test.each<readonly [string, unknown, string, readonly [number, number]]>([
    ['NaN', { input_tokens: Number.NaN, output_tokens: 3 }, 'invalid-count', [0, 3]],
    ['endless', { input_tokens: 100, output_tokens: Infinity }, 'invalid-count', [100, 0]],
    ['all NaN', { input_tokens: Number.NaN, output_tokens: Number.NaN }, 'invalid-count', [0, 0]],
    ['below 0', { input_tokens: -5, output_tokens: -1 }, 'invalid-count', [0, 0]],
    [
      'a cache that is NaN',
      { input_tokens: 100, output_tokens: 7, cache_read_input_tokens: Number.NaN },
      'invalid-count',
      [100, 7],
    ],
    [
      'a cache that is a text',
      { input_tokens: 100, output_tokens: 7, cache_creation_input_tokens: '9' },
      'invalid-count',
      [100, 7],
    ],
    [
      'a lifetime that is NaN',
      { input_tokens: 1, output_tokens: 7, cache_creation: { ephemeral_5m_input_tokens: NaN } },
      'invalid-count',
      [1, 7],
    ],
    [
      'lifetimes that are none',
      { input_tokens: 1, output_tokens: 7, cache_creation: 'x' },
      'invalid-count',
      [1, 7],
    ],
    [
      'thinking that is NaN',
      { input_tokens: 1, output_tokens: 7, output_tokens_details: { thinking_tokens: NaN } },
      'invalid-count',
      [1, 7],
    ],
    [
      'details that are a list',
      { input_tokens: 1, output_tokens: 7, output_tokens_details: [] },
      'invalid-count',
      [1, 7],
    ],
    [
      'passes that are NaN',
      {
        input_tokens: 1,
        output_tokens: 7,
        iterations: [{ type: 'compaction', input_tokens: NaN }],
      },
      'invalid-count',
      [1, 7],
    ],
    ['what holds itself', cyclic, 'invalid-count', [100, 7]],
    [
      'a getter that throws',
      {
        get input_tokens() {
          throw new Error('boom');
        },
        output_tokens: 7,
      },
      'invalid-count',
      [0, 7],
    ],
    ['NaN of the AI SDK', { inputTokens: NaN, outputTokens: 7 }, 'other-usage', [0, 7]],
    ['texts', { input_tokens: '5', output_tokens: '6' }, 'other-usage', [0, 0]],
  ])('%s', async (_, usage, reason, [input, out]) => {
    const events: ContextEvent[] = [];
    const context = createContext({
      model: LATEST,
      call: async () => ({ ...says(text('Done.')), usage: usage as never }),
      onEvent: (event) => void events.push(event),
    });
    for (const said of ['Go.', 'More.']) {
      await context.user(said);
      await context.send();
      expect(context.view().messages.at(-1)?.content).toEqual([text('Done.')]);
    }
    const doubted = events.flatMap((event) => (event.kind === 'bill-doubted' ? event : []));
    expect(doubted.map((event) => event.reason)).toContain(reason);
    expect(context.usage().usage).toMatchObject({
      input_tokens: 2 * input,
      output_tokens: 2 * out,
    });
    expect(context.size().tokens).toBeLessThan(200);
    expect(createContext({ model: LATEST, entries: reread(context) }).size()).toEqual(
      context.size(),
    );
  });

  test.each<readonly [string, unknown]>([
    ['null', { thinking_tokens: null }],
    ['missing', {}],
  ])('a part of a count that is %s is no fault', async (_, details) => {
    const { context, events } = scene({ model: LATEST });
    await turn(context, { ...bill(0, 2_100), output_tokens_details: details } as never);
    expect(events.filter(({ kind }) => kind === 'bill-doubted')).toEqual([]);
  });

  test('a prompt of which a part is unknown is no base of the size', async () => {
    const { context } = scene({ model: LATEST });
    await turn(context, bill(0, 3_000, 20));
    const { tokens } = context.size();
    await turn(context, bill(Number.NaN, 20, 20));
    expect(context.size().tokens).toBeGreaterThan(tokens);
  });

  test('the bill of a reply that is refused is noted', async () => {
    const { context } = scene({ model: LATEST });
    await context.user('Go.');
    await context.request();
    const usage = { input_tokens: 100, output_tokens: Number.NaN };
    await expect(context.reply({ content: [], usage })).rejects.toMatchObject({
      code: 'empty-reply',
    });
    expect(context.usage().usage.input_tokens).toBe(100);
  });
});

describe('usage', () => {
  test('sums bills by model and by caller, in tokens and dollars, and a restart knows the same', async () => {
    const { context } = scene({ model: LATEST });
    const bills = [bill(0, 3_000), bill(3_000, 2_000), bill(0, 5_100)];
    await turn(context, bills[0] as Usage);
    await turn(context, bills[1] as Usage);
    await context.setHead({ model: BOUND });
    await turn(context, bills[2] as Usage);
    await context.addUsage({ by: 'fork-agent', model: LATEST, usage: bill(5_000, 100), calls: 3 });

    const usage = context.usage();
    const dollars = (model: string, ...given: Usage[]) =>
      given.reduce((sum, each) => sum + priceUsage(each, model).dollars, 0);
    const fork = dollars(LATEST, bill(5_000, 100));
    expect(usage.calls).toBe(6);
    expect(usage.unpricedTokens).toBe(0);
    expect(usage.dollars).toBeCloseTo(
      dollars(LATEST, ...bills.slice(0, 2)) + dollars(BOUND, ...bills.slice(2)) + fork,
      12,
    );
    expect(usage.models.find(({ model }) => model === LATEST)).toMatchObject({
      calls: 5,
      usage: {
        ...{ input_tokens: 0, output_tokens: 30 },
        ...{ cache_read_input_tokens: 8_000, cache_creation_input_tokens: 5_100 },
      },
    });
    expect(usage.callers.map(({ by, calls }) => [by, calls])).toEqual([
      ['reply', 3],
      ['fork-agent', 3],
    ]);
    expect(scene({ model: LATEST, entries: reread(context) }).context.usage()).toEqual(usage);
  });

  test('an unknown model is not priced, and bills that are no numbers count as nothing', async () => {
    const { context } = scene({ model: 'pretend-1' });
    await turn(context, bill(0, 3_000));
    expect(context.usage()).toMatchObject({ calls: 1, dollars: 0, unpricedTokens: 3_010 });
    await context.addUsage({
      ...{ by: 'proxy', model: LATEST },
      usage: { input_tokens: -5, output_tokens: 3, cache_read_input_tokens: null },
    });
    expect(context.usage().usage).toMatchObject({ input_tokens: 0, output_tokens: 13 });
  });

  test.each([
    [undefined, 'bill'],
    [{ model: LATEST, usage: bill(0, 1) }, 'by'],
    [{ by: 'x', usage: bill(0, 1) }, 'model'],
    [{ by: 'x', model: LATEST, usage: { prompt_tokens: 5 } }, 'usage'],
    [{ by: 'x', model: LATEST, usage: bill(0, 1), calls: 0 }, 'calls'],
  ])('a bill like %j names `%s`', async (given, name) => {
    const { context } = scene();
    const before = context.entries();
    const error = await rejection(context.addUsage(given as never));
    expect((error as Error).message).toContain(`Expected \`${name}\` to be`);
    expect(context.entries()).toEqual(before);
  });

  test('summaries count, once, whether they became one or not, also one that was aborted', async () => {
    const controller = new AbortController();
    const { summarize } = summarizer({ ...summary(), usage: bill(4_000, 100) });
    let aborts = false;
    const restore = async () => {
      if (aborts) controller.abort();
      return { messages: [], restored: [] };
    };
    const { context, options } = compactingScene({ summarize, restore });
    await context.user('Fix the parser.');
    const from = await fillUp(context);
    expect((await context.compact()).kind).toBe('compacted');
    expect(context.usage().callers).toMatchObject([{ by: 'compact', calls: 1 }]);
    await fillUp(context, 4_000, from);
    aborts = true;
    await rejection(context.compact({ signal: controller.signal }));
    const { callers } = context.usage();
    expect(callers).toMatchObject([{ by: 'compact', calls: 2 }]);
    expect(callers[0]?.usage.cache_creation_input_tokens).toBe(200);
    const again = compactingScene({}, { ...options, entries: reread(context) });
    expect(again.context.usage().callers).toEqual(callers);
  });
});

describe('cache breaks (P7)', () => {
  test('cached tokens that are not read are an unexpected break; a grown prefix is none', async () => {
    const { context, events, clock } = scene({ model: LATEST });
    await turn(context, bill(0, 3_000));
    clock.pass(1_000);
    await turn(context, bill(3_000, 3_000));
    expect(breaksOf(events)).toEqual([]);
    clock.pass(1_000);
    await turn(context, bill(0, 9_000));
    expect(events.filter(({ kind }) => kind === 'unexpected-break')).toEqual([
      {
        ...{ layer: 'prompt-cache', kind: 'unexpected-break', model: LATEST },
        ...{ readTokens: 0, expectedReadTokens: 6_000 },
        breaks: [{ cause: 'unexplained', lostTokens: 6_000 }],
      },
    ]);
    const { cache } = context.usage();
    expect(cache).toMatchObject({ requests: 3, alarms: { unexplained: 1 }, lostTokens: 6_000 });
    expect(cache.hitShare).toBeCloseTo(3_000 / 18_000, 12);
  });

  test('a lifetime that passed explains itself', async () => {
    const { context, events, clock } = scene({ model: LATEST });
    await turn(context, bill(0, 3_000));
    clock.pass(3_600_000);
    await turn(context, bill(0, 6_000));
    expect(breaksOf(events)).toEqual(['ttl-expired']);
  });

  test.each([
    [
      'other tools',
      { tools: [{ name: 'read', input_schema: { type: 'object' } }] },
      'tools-changed',
    ],
    ['another system prompt', { system: 'You test.' }, 'system-changed'],
    ['a model that was not asked before', { model: BOUND }, 'model-switch'],
  ])('%s: expected', async (_name, change, reason) => {
    const { context, events, clock } = scene({ model: LATEST });
    await turn(context, bill(0, 3_000));
    clock.pass(1_000);
    await context.setHead(change);
    await turn(context, bill(0, 6_000));
    expect(breaksOf(events)).toEqual([reason]);
    expect(context.usage().cache.expected).toEqual({ [reason]: 1 });
    clock.pass(1_000);
    await turn(context, bill(6_000, 3_000));
    expect(breaksOf(events)).toEqual([reason]);
  });

  test('back with a model that is still cached: no break', async () => {
    const { context, events, clock } = scene({ model: LATEST });
    await turn(context, bill(0, 3_000));
    await context.setHead({ model: BOUND });
    clock.pass(1_000);
    await turn(context, bill(0, 6_000));
    await context.setHead({ model: LATEST });
    clock.pass(1_000);
    await turn(context, bill(3_000, 6_000));
    expect(breaksOf(events)).toEqual(['model-switch']);
  });

  test('a clearing, a compaction and an edit by hand: each expected under its name', async () => {
    const { context, events, clock } = scene({ model: LATEST, layers: [earlyClearing(1)] });
    await context.user('Go.');
    for (const id of ['a', 'b', 'c', 'd']) {
      await context.request();
      clock.pass(1_000);
      const { tokens } = context.size();
      await context.reply({ ...says(call(id)), usage: bill(0, tokens) });
      await context.results([{ toolUseId: id, content: output(id, 4_000) }]);
    }
    expect(new Set(breaksOf(events))).toEqual(new Set(['clearing', 'unexpected']));

    const made = compactingScene();
    await made.context.user('Fix the parser.');
    await fillUp(made.context, 3_000);
    await made.context.request();
    await made.context.reply({ ...says(text('Done.')), usage: bill(0, 3_000) });
    await made.context.compact();
    await turn(made.context, bill(100, 2_000), 'More.');
    expect(breaksOf(made.events)).toEqual(['compaction']);

    const { context: third, events: told } = scene({ model: LATEST });
    await turn(third, bill(0, 3_000));
    await turn(third, bill(3_000, 3_000));
    const [first, , , last] = third.view().messages;
    await third.edit(
      [{ kind: 'replace-span', fromId: first?.id ?? '', toId: last?.id ?? '', with: [], then: [] }],
      { by: 'person', reason: 'rewind' },
    );
    await turn(third, bill(0, 3_000));
    expect(breaksOf(told)).toEqual(['person']);
  });

  test('a restart knows what was cached and goes on with the same measures, telling nothing twice', async () => {
    const { context, events, clock } = scene({ model: LATEST });
    await turn(context, bill(0, 3_000));
    clock.pass(1_000);
    await turn(context, bill(0, 6_000));
    await context.setHead({ system: 'You test.' });
    const again = scene({ model: LATEST, entries: reread(context), now: clock.now });
    expect(again.events).toEqual([]);
    expect(again.context.usage()).toEqual(context.usage());
    clock.pass(1_000);
    const [one, other] = [
      await turn(context, bill(0, 9_000)),
      await turn(again.context, bill(0, 9_000)),
    ];
    expect(bytesOf(other)).toEqual(bytesOf(one));
    expect(breaksOf(events)).toEqual(['unexpected', 'system-changed']);
    expect(breaksOf(again.events)).toEqual(['system-changed']);
    expect(again.context.usage()).toEqual(context.usage());
  });
});

// K307. Siblings looked for: a bill without a prompt, a first bill, one far below; the context goes on either way.
describe('K307: a bill that is far from what was expected is said', () => {
  test('a jump, and a bill without a prompt', async () => {
    const { context, events } = scene({ model: LATEST });
    await turn(context, bill(0, 2_100));
    await turn(context, bill(0, 150_000));
    await turn(context, bill(0, 0, 0));
    const doubted = events.flatMap((event) => (event.kind === 'bill-doubted' ? event : []));
    expect(doubted.map(({ layer, reason }) => [layer, reason])).toEqual([
      ['tokens', 'implausible'],
      ['tokens', 'no-prompt'],
    ]);
    expect(doubted[0]?.billedTokens).toBe(150_000);
    expect(context.size().tokens).toBeLessThan(20_000);
  });
});

// Siblings looked for: thinking that is told and in no block, a restart, compaction at once, a bill that is missing next.
describe('K306, K307: one wrong output leaves the conversation as large as it is', () => {
  const said = 'ordinary english prose with words of the usual kind. '.repeat(1_400);
  test.each<readonly [string, Usage, string[]]>([
    ['a sum', { input_tokens: 17_000, output_tokens: 150_000 }, ['implausible-output']],
    [
      'thinking that is not sent back',
      {
        input_tokens: 17_000,
        output_tokens: 50_020,
        output_tokens_details: { thinking_tokens: 50_000 },
      },
      [],
    ],
  ])('%s', async (_, wrong, reasons) => {
    for (const later of [undefined, bill(0, 34_000, 0, 9)]) {
      const events: ContextEvent[] = [];
      const bills = [wrong, later];
      const context = createContext({
        model: 'claude-opus-4-5',
        call: async () => {
          const usage = bills.shift();
          return { content: [text('fine')], ...(usage && { usage }) };
        },
        onEvent: (event) => void events.push(event),
      });
      for (let sent = 1; sent <= 4; sent++) {
        await context.user(said);
        await context.send();
        expect(context.size().tokens).toBeGreaterThan(16_900 * sent);
        expect(context.size().tokens).toBeLessThan(17_300 * sent);
      }
      const doubted = events.flatMap((event) => (event.kind === 'bill-doubted' ? event : []));
      expect(doubted.map(({ reason }) => reason)).toEqual(reasons);
      const entries = reread(context);
      const restarted = createContext({ model: 'claude-opus-4-5', entries });
      expect(restarted.size().tokens).toBe(context.size().tokens);
    }
  });
});

describe('lastRequest', () => {
  test('is the request itself while it waits, and with its reply once that is there', async () => {
    const { context } = scene({ model: LATEST });
    expect(context.lastRequest()).toBeUndefined();
    await context.user('Go.');
    const request = await context.request();
    expect(context.lastRequest()).toEqual({ request });
    expect(context.lastRequest()?.request).toBe(request);
    const reply = await context.reply(says(text('Step.'), call('a')));
    expect(context.lastRequest()).toEqual({ request, reply });
    expect(context.lastRequest()?.request).toBe(request);
    await context.results([{ toolUseId: 'a', content: 'out' }]);
    await context.setHead({ system: 'You test.' });
    expect(context.lastRequest()?.request).toBe(request);
  });

  test('what `send` could not send is not the last one', async () => {
    let fails = false;
    const sent: Request[] = [];
    const { context } = scene({
      model: LATEST,
      async call(request) {
        if (fails) throw new Error('down');
        sent.push(request);
        return says(text('Done.'));
      },
    });
    await context.user('Go.');
    await context.send();
    fails = true;
    await context.user('More.');
    await rejection(context.send());
    expect(context.lastRequest()?.request).toBe(sent[0]);
  });

  test.each([LATEST, BOUND, OPENAI])(
    '%s: after a restart, the same bytes and markers',
    async (model) => {
      const { context, clock } = scene({ model });
      await turn(context, bill(0, 3_000));
      const request = await turn(context, bill(3_000, 3_000));
      await context.user('More.');
      const again = scene({
        model,
        entries: reread(context),
        now: clock.now,
      }).context.lastRequest();
      expect(again && bytesOf(again.request)).toEqual(bytesOf(request));
      expect(again?.request.markers).toEqual(request.markers);
      expect(again?.request.maxOutputTokens).toBe(request.maxOutputTokens);
      expect(again?.reply).toEqual(context.lastRequest()?.reply);
    },
  );
});

// N348. Siblings looked for: bills without a token of the cache, and bills that do not speak of it, of both kinds of APIs.
describe('N348: a gateway that strips cache markers is said once, with its cause', () => {
  test.each<[string, Usage, string]>([
    ['nothing read or written', bill(0, 0, 20_000), 'markers-ignored'],
    ['no field of the cache', { input_tokens: 20_000, output_tokens: 10 }, 'not-reported'],
  ])('%s', async (_name, usage, cause) => {
    const { context, events } = scene({ model: LATEST });
    for (let at = 0; at < 4; at++) await turn(context, usage, output(`said ${at}`, 24_000));
    const breaks = events.filter(({ kind }) => kind === 'unexpected-break');
    expect(breaks).toMatchObject([{ layer: 'prompt-cache', breaks: [{ cause }] }]);
    expect(context.usage().cache.hitShare).toBe(0);
  });

  test('a provider that caches by itself, whose bills do not speak of the cache', async () => {
    const { context, events } = scene({ model: 'gpt-5.5' });
    const usage = usageFromOpenAIChat({ prompt_tokens: 20_000, completion_tokens: 10 });
    for (let at = 0; at < 4; at++) await turn(context, usage, output(`said ${at}`, 24_000));
    const breaks = events.filter(({ kind }) => kind === 'unexpected-break');
    expect(breaks).toMatchObject([{ layer: 'prompt-cache', breaks: [{ cause: 'not-reported' }] }]);
  });
});
