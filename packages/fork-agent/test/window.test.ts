import { anthropicProfile, checkHistory, type Head, type Message } from '@varve/messages';
import { type ModelInfo, resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { builtInAgents, createAgent } from '../src/definitions.ts';
import { createFork, ForkError, fanOut } from '../src/index.ts';
import { createProgress } from '../src/progress.ts';
import { call, HEAD, requestOf, scripted, text } from './support.ts';

const SMALL = 'claude-haiku-4-5';
const words = (count: number): string => 'word '.repeat(count);
const headOf = (model: string, more: Partial<Head> = {}): Head => ({
  ...HEAD,
  model,
  params: {},
  ...more,
});
const parentOf = (tokens: number, head: Head) =>
  requestOf([{ id: 'u1', role: 'user', content: [text(words(tokens))] }], head);
const TASK = { directive: 'Look.' };

async function refusal(run: () => Promise<unknown>): Promise<ForkError> {
  const thrown = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!ForkError.is(thrown)) throw new Error('no refusal', { cause: thrown });
  return thrown;
}

describe('what the parent knows of its size', () => {
  const parent = parentOf(10, headOf(SMALL));
  const reply = { content: [text(words(10))] };

  test('is the size of what is shared, and the parent is not counted again', async () => {
    const fork = createFork({ client: scripted([]), parent, reply, parentTokens: 199_000 });
    const { maxOutputTokens } = fork.request(TASK);
    expect(maxOutputTokens).toBeGreaterThan(500);
    expect(maxOutputTokens).toBeLessThan(1_000);
    const full = createFork({ client: scripted([]), parent, reply, parentTokens: 200_000 });
    const error = await refusal(() => full.run(TASK));
    expect(error.code).toBe('message-too-large');
    const [tokens = 0, , head = 0, prefix = 0, own = 0] = numbersOf(error.message);
    expect(head + prefix).toBe(200_000);
    expect(tokens).toBe(200_000 + own);
  });

  test('says nothing about another model, system prompt or tool list', () => {
    for (const override of [
      { model: 'claude-haiku-4-5-20251001' },
      { system: [{ type: 'text' as const, text: 'You test.' }] },
      { tools: [] },
    ]) {
      const options = { client: scripted([]), parent, override, parentTokens: 199_990 };
      const counted = createFork({ ...options, parentTokens: undefined }).request(TASK);
      expect(createFork(options).request(TASK)).toEqual(counted);
    }
  });

  test.each([-1, 0.5, Number.NaN, '9' as never])('is refused where it is %s', (parentTokens) => {
    const make = () => createFork({ client: scripted([]), parent, parentTokens });
    expect(make).toThrow('Expected `parentTokens` to be a non-negative integer');
  });
});

const numbersOf = (message: string): number[] =>
  [...message.replaceAll(/`[^`]*`/g, '').matchAll(/\d+/g)].map(([digits]) => Number(digits));

// siblings: the parent's messages, its reply, system prompt, tools, the directive; forks, fan-out, agents; results and mail and
// compaction of later requests; another model by override; windows that are unknown, long by suffix or header
describe('K301: what a child sends fits the window of its model', () => {
  const head = headOf(SMALL);
  const long = [{ type: 'text' as const, text: words(250_000) }];
  test.each([
    ["the parent's messages", { parent: parentOf(250_000, head) }, TASK],
    [
      "the parent's reply",
      { parent: parentOf(10, head), reply: { content: [text(words(250_000))] } },
      TASK,
    ],
    ['the system prompt', { parent: parentOf(10, headOf(SMALL, { system: long })) }, TASK],
    [
      'the tools',
      {
        parent: parentOf(
          10,
          headOf(SMALL, { tools: [{ name: 't', description: words(250_000) }] }),
        ),
      },
      TASK,
    ],
    ['the directive', { parent: parentOf(10, head) }, { directive: words(250_000) }],
    [
      'the model of an override',
      {
        parent: parentOf(250_000, headOf('claude-opus-5-5')),
        override: { model: SMALL },
        allowColdPrefix: true,
      },
      TASK,
    ],
  ])('a fork too large by %s is refused before anything is sent', async (_, options, task) => {
    const client = scripted(['Done.']);
    const told: Message[] = [];
    const fork = createFork({ client, ...options });
    const error = await refusal(() => fork.run({ ...task, onMessage: (m) => void told.push(m) }));
    expect(error.code).toBe('message-too-large');
    const [, tokens, most] =
      /about (\d+) tokens, and the window of `claude-haiku-4-5` has room for (\d+):/.exec(
        error.message,
      ) ?? [];
    expect(Number(tokens)).toBeGreaterThan(245_000);
    expect(most).toBe('199999');
    expect(error.message).not.toContain('word word');
    expect(client.asked).toEqual([]);
    expect(told).toEqual([]);
    expect(fork.price(task).asAsked.promptTokens).toBeGreaterThan(200_000);
  });

  test.each([
    ['in a window that holds it', parentOf(250_000, headOf('claude-opus-5-5'))],
    ['just below the window', parentOf(150_000, head)],
    ['of a model nobody knows', parentOf(250_000, headOf('my-model'))],
    ['of a long window by its name', parentOf(250_000, headOf(`${SMALL}[1m]`))],
    [
      'of a long window by its header',
      parentOf(250_000, headOf(SMALL, { params: { betas: ['context-1m-2025-08-07'] } })),
    ],
  ])('one %s is sent', async (_, parent) => {
    const client = scripted(['Done.']);
    const { stopReason } = await createFork({ client, parent }).run(TASK);
    expect(stopReason).toBe('end');
    expect(client.asked).toHaveLength(1);
  });

  test('a child that outgrows the window ends before the request, with what it has and the sizes', async () => {
    const client = scripted([[text('Reading.'), call('c1')], 'never']);
    const parent = parentOf(100_000, head);
    const result = await createFork({ client, parent, tools: () => words(120_000) }).run(TASK);
    expect(result).toMatchObject({ stopReason: 'context-full', text: 'Reading.', turns: 1 });
    expect(result.error).toMatchObject({
      code: 'message-too-large',
      message: expect.stringMatching(/about 2\d{5} tokens.* 199999/),
    });
    expect(client.asked).toHaveLength(1);
    const whole = [...parent.messages, ...result.messages];
    expect(checkHistory(whole, anthropicProfile({ thinking: 'free' }))).toEqual([]);
    const compacted = scripted([[text('Reading.'), call('c1')], 'Done.']);
    const compact = (messages: readonly Message[]) => messages.slice(0, 1);
    const shorter = await createFork({
      client: compacted,
      parent,
      tools: () => words(120_000),
    }).run({ ...TASK, compact });
    expect(shorter.stopReason).toBe('end');
  });

  test('in a fan-out a child that is too large fails alone', async () => {
    const client = scripted(['Done.', 'Done.']);
    const fork = createFork({ client, parent: parentOf(10, head) });
    const results = await fanOut(fork, ['Look.', words(250_000), 'Look again.']);
    expect(results.map(({ kind }) => kind)).toEqual(['done', 'failed', 'done']);
    expect(results[1]).toMatchObject({ error: { code: 'message-too-large' } });
    expect(client.asked).toHaveLength(2);
    const none = scripted([]);
    const all = await fanOut(createFork({ client: none, parent: parentOf(250_000, head) }), [
      'a',
      'b',
    ]);
    expect(all.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    expect(none.asked).toEqual([]);
  });

  test('an agent with a briefing that is too large is refused', async () => {
    const client = scripted(['Done.']);
    const [definition] = builtInAgents({ editTools: [], agentTools: [] });
    if (!definition) throw new Error('no agent');
    const agent = createAgent({
      client,
      definition: { ...definition, model: SMALL },
      model: SMALL,
      offered: [],
      maxOutputTokens: 1_000,
    });
    const error = await refusal(() => agent.run({ directive: words(250_000) }));
    expect(error.code).toBe('message-too-large');
    expect(client.asked).toEqual([]);
  });

  test('progress of a child whose window is full is asked of its tail', async () => {
    const client = scripted(['Reading a.ts now']);
    const cheapClient = scripted(['Reading a.ts now']);
    const cheap = { model: 'unknown-model', client: cheapClient };
    const progress = (tokens: number) =>
      createProgress({ client, cheap, now: () => 0 }).summarize({
        sent: parentOf(tokens, head),
        sentMs: 0,
        since: [],
      });
    expect(await progress(2_000)).toMatchObject({ kind: 'summary', via: 'fork' });
    expect(await progress(250_000)).toMatchObject({ kind: 'summary', via: 'tail' });
    expect([client.asked.length, cheapClient.asked.length]).toEqual([1, 1]);
  });
});

// siblings: forks, agents, progress; a model that only the caller knows, and one that the table has with another window
describe("a caller's own entry of a model says how large its window is", () => {
  const entry = (id: string, windowTokens: number, more: Partial<ModelInfo> = {}): ModelInfo => ({
    ...resolveModel(id).model,
    ...{ id, aliases: [], windowTokens, ...more },
  });
  const OWN = 'my-model';

  test.each([OWN, SMALL])(
    'a fork of %s that is larger is refused before it is sent',
    async (id) => {
      const models = [entry(id, 8_000)];
      const client = scripted(['Done.']);
      const parent = parentOf(9_000, headOf(id));
      const error = await refusal(() => createFork({ client, parent, models }).run(TASK));
      expect(error.code).toBe('message-too-large');
      expect(error.message).toContain('7999');
      expect(client.asked).toEqual([]);
      const fits = { ...parentOf(5_000, headOf(id)), maxOutputTokens: 700 };
      expect((await createFork({ client, parent: fits, models }).run(TASK)).stopReason).toBe('end');
      expect(client.asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([700]);
    },
  );

  test('a larger window than the table has is used', async () => {
    const client = scripted(['Done.']);
    const models = [entry(SMALL, 1_000_000)];
    const parent = parentOf(250_000, headOf(SMALL));
    expect((await createFork({ client, parent, models }).run(TASK)).stopReason).toBe('end');
  });

  test('an agent', async () => {
    const client = scripted(['Done.']);
    const [definition] = builtInAgents({ editTools: [], agentTools: [] });
    if (!definition) throw new Error('no agent');
    const agent = createAgent({
      ...{ client, definition: { ...definition, model: OWN }, model: OWN, offered: [] },
      ...{ maxOutputTokens: 1_000, models: [entry(OWN, 8_000)] },
    });
    const error = await refusal(() => agent.run({ directive: words(9_000) }));
    expect(error.code).toBe('message-too-large');
    expect(client.asked).toEqual([]);
  });

  test('progress', async () => {
    const client = scripted(['Reading a.ts now']);
    const cheapClient = scripted(['Reading a.ts now']);
    const cheap = { model: 'unknown-model', client: cheapClient };
    const models = [entry(SMALL, 8_000)];
    const sent = parentOf(9_000, headOf(SMALL));
    const progress = createProgress({ client, cheap, now: () => 0, models });
    const done = await progress.summarize({ sent, sentMs: 0, since: [] });
    expect(done).toMatchObject({ kind: 'summary', via: 'tail' });
  });

  test.each([
    ['asks for what is left', 5_800, 4_000, {}, 'less'],
    ['asks for what it was told to', 2_000, 4_000, {}, 'same'],
    ['keeps a thinking budget that fits', 2_000, 4_000, { budget: 3_000 }, 'same'],
    ['is refused where its thinking budget does not fit', 6_000, 4_000, { budget: 3_000 }, 'none'],
  ] as const)('a child %s', async (_, tokens, maxOutputTokens, { budget }: Thinks, asks) => {
    const params = budget ? { thinking: { type: 'enabled', budget_tokens: budget } } : {};
    const client = scripted(['Done.']);
    const parent = { ...parentOf(tokens, headOf(OWN, { params })), maxOutputTokens };
    const fork = createFork({ client, parent, models: [entry(OWN, 8_000)] });
    const run = () => fork.run(TASK);
    if (asks === 'none') {
      const error = await refusal(run);
      expect(error.message).toContain('thinking');
      expect(client.asked).toEqual([]);
      return;
    }
    await run();
    const [request] = client.asked;
    expect(request).toEqual(fork.request(TASK));
    expect(request?.head.params).toBe(parent.head.params);
    if (asks === 'same') expect(request?.maxOutputTokens).toBe(maxOutputTokens);
    else {
      expect(request?.maxOutputTokens).toBeLessThan(1_000);
      expect(request?.maxOutputTokens).toBeGreaterThan(0);
    }
  });

  test('what is no entry of a model is refused', () => {
    const options = { client: scripted([]), parent: parentOf(10, headOf(OWN)) };
    expect(() => createFork({ ...options, models: [{}] as never })).toThrow(TypeError);
  });
});

interface Thinks {
  readonly budget?: number;
}
