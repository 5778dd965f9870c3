import type { JsonObject, Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createAgent } from '../src/definitions.ts';
import { forkNotification } from '../src/hand-back.ts';
import { createFork, fanOut } from '../src/index.ts';
import { HEAD, PARENT, scripted } from './support.ts';

const CLEAR_THINKING: JsonObject = { type: 'clear_thinking_20251015' };
const CLEAR_RESULTS: JsonObject = { type: 'clear_tool_uses_20250919' };
const EDITS = [CLEAR_THINKING, CLEAR_RESULTS];

const thinking = (params: JsonObject, server?: JsonObject): Request => ({
  ...PARENT,
  head: { ...HEAD, model: 'claude-sonnet-4-5', params },
  maxOutputTokens: 20_000,
  ...(server && { server }),
});

const BUDGET = { thinking: { type: 'enabled', budget_tokens: 10_000 } };

async function sentBy(options: Omit<Parameters<typeof createFork>[0], 'client'>): Promise<Request> {
  const client = scripted(['Done.']);
  const fork = createFork({ client, allowColdPrefix: true, ...options });
  await fork.run({ directive: 'Look.' });
  expect(fork.request({ directive: 'Look.' })).toMatchObject({ head: client.asked[0]?.head });
  return client.asked[0] as Request;
}

describe('requests of children are what a provider takes (K305)', () => {
  // Siblings looked for: clearing in `server` and in `params`, a fork's own bound, an agent's bound, a model that always thinks.
  test.each([
    { name: 'left out', params: {} },
    { name: 'disabled', params: { thinking: { type: 'disabled' } } },
  ] as { name: string; params: JsonObject }[])(
    'thinking that is $name is not cleared',
    async ({ params }) => {
      const server = { context_management: { edits: EDITS } };
      const sent = await sentBy({ parent: thinking(BUDGET, server), override: { params } });
      expect(sent.server).toEqual({ context_management: { edits: [CLEAR_RESULTS] } });
      const management = { context_management: { edits: [CLEAR_THINKING] } };
      const own = await sentBy({
        parent: thinking({ ...BUDGET, ...management }),
        override: { params: { ...params, ...management } },
      });
      expect(own.head.params).toEqual(params);
    },
  );

  test('a fork that differs in nothing has the head and the server edits of its parent', async () => {
    const parent = thinking(BUDGET, { context_management: { edits: EDITS } });
    const sent = await sentBy({ parent });
    expect(sent.head).toBe(parent.head);
    expect(sent.server).toBe(parent.server);
    expect(sent.maxOutputTokens).toBe(20_000);
  });

  test('a reply that is bounded below the budget has the budget on top', async () => {
    const sent = await sentBy({ parent: thinking(BUDGET), maxOutputTokens: 4_000 });
    expect(sent.maxOutputTokens).toBe(14_000);
    expect(sent.head.params).toEqual(BUDGET);
  });

  test('a model that always thinks is not told not to', async () => {
    const parent = { ...thinking({}), head: { ...HEAD, params: {} } };
    const override = { params: { thinking: { type: 'disabled' } } };
    expect((await sentBy({ parent, override })).head.params).toEqual({});
  });

  test('an agent whose thinking would fill its replies', async () => {
    const client = scripted(['Done.']);
    const definition = { name: 'a', description: 'd', prompt: 'p', source: 'user' } as const;
    const agent = createAgent({
      ...{ client, offered: [], params: BUDGET, maxOutputTokens: 2_000 },
      ...{ definition, model: 'claude-sonnet-4-5' },
    });
    await agent.run({ directive: 'Look.' });
    expect(client.asked[0]?.maxOutputTokens).toBe(12_000);
  });
});

test('forks and agents refuse a model without a name (N343)', () => {
  const client = scripted([]);
  const parent = { ...PARENT, head: { ...HEAD, model: '' } };
  expect(() => createFork({ client, parent })).toThrow(TypeError);
  const definition = { name: 'a', description: 'd', prompt: 'p', source: 'user' } as const;
  const rest = { offered: [], maxOutputTokens: 2_000 };
  expect(() => createAgent({ client, definition, model: ' ', ...rest })).toThrow(TypeError);
});

// M334. Siblings looked for: tools of an agent and of an override, without a name, blank, three of which two are alike.
describe('M334: tools that no provider takes are refused where they are given', () => {
  const named = (name: unknown) => ({ name, description: 'd', input_schema: { type: 'object' } });
  const wrong: [string, unknown[], string][] = [
    [
      'two of one name',
      [named('bash'), named('bash')],
      'to have different names, got `bash` twice',
    ],
    ['three, the outer two alike', [named('a'), named('b'), named('a')], 'got `a` twice'],
    ['one without a name', [named('a'), {}], '[1]` to be a tool with a `name`'],
    ['a blank name', [named(' ')], '[0]` to be a tool with a `name`'],
  ];

  test.each(wrong)('createAgent: %s', (_, offered, words) => {
    const definition = { name: 'a', description: 'd', prompt: 'p', source: 'user' } as const;
    const create = () =>
      createAgent({
        ...{ client: scripted([]), definition, model: 'claude-sonnet-4-5' },
        ...{ offered: offered as never, maxOutputTokens: 2_000 },
      });
    expect(create).toThrow(TypeError);
    expect(create).toThrow('Expected `offered');
    expect(create).toThrow(words);
  });

  test.each(wrong)('createFork with an override: %s', (_, tools, words) => {
    const override = { tools: tools as never };
    const create = () => createFork({ client: scripted([]), parent: PARENT, override });
    expect(create).toThrow(TypeError);
    expect(create).toThrow('Expected `override.tools');
    expect(create).toThrow(words);
  });
});

describe('options that make no sense are refused with one wording', () => {
  const fork = () => createFork({ client: scripted([]), parent: PARENT });

  test.each([
    [{ maxTurns: 0 }, '`maxTurns` to be a positive integer, got `0`'],
    [{ maxTurns: 1.5 }, '`maxTurns` to be a positive integer, got `1.5`'],
    [{ maxTotalOutputTokens: -1 }, '`maxTotalOutputTokens` to be a positive integer, got `-1`'],
    [{ maxTextUnits: Number.NaN }, '`maxTextUnits` to be a positive integer, got `NaN`'],
  ])('a run with %j', async (limits, words) => {
    const run = fork().run({ directive: 'Look.', ...limits });
    await expect(run).rejects.toThrow(RangeError);
    await expect(run).rejects.toThrow(`Expected ${words}`);
  });

  test.each([
    [' ', 'string'],
    ['', "''"],
    [undefined, 'undefined'],
  ])('the directive %j', async (directive, got) => {
    const run = fork().run({ directive: directive as string, id: 'x' });
    await expect(run).rejects.toThrow(TypeError);
    await expect(run).rejects.toThrow(
      `Expected \`directive\` to be a text that is not blank, got \`${got}\``,
    );
  });

  test('a fan-out and what is handed back', async () => {
    await expect(fanOut(fork(), ['a'], { concurrency: 0 })).rejects.toThrow(
      'Expected `concurrency` to be a positive integer, got `0`',
    );
    const result = { id: 'a', text: 't', stopReason: 'end' } as const;
    expect(() => forkNotification(result, { maxUnits: -1 })).toThrow(
      'Expected `maxUnits` to be a non-negative integer, got `-1`',
    );
  });
});
