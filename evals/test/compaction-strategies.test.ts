import { type Block, isText, type JsonObject, type Message, type Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { BUILT_IN_STRATEGIES, type OwnCall, type Strategy } from '../src/index.ts';
import { SUMMARY_TOKENS } from '../src/replay/forced-compaction.ts';
import { replayAndWait } from '../src/replay/replay.ts';
import type { PricingOptions } from '../src/resolve-pricing.ts';
import { findLedger } from '../src/strategies/compaction/ledger-compact.ts';
import { providerStandIn } from '../src/strategies/compaction/provider-compact.ts';
import { characters, planOf, rowAfterWaiting, rowFor } from './replays.ts';
import { edit, generatedSteps, read, type Step } from './sessions.ts';

const builtIn = (name: string): Strategy =>
  BUILT_IN_STRATEGIES.find((strategy) => strategy.name === name) as Strategy;

const WINDOW = 80_000;
/** Each with a window that it fills: layers keep the conversation small. */
const CASES = [
  ['ledger-compact', WINDOW],
  ['full-compact', WINDOW],
  ['provider-compact', WINDOW],
  ['session-memory', WINDOW],
  ['collapse', WINDOW],
  ['layers+ledger', 60_000],
] as const;
/** The reserves shrink in windows below 64,000 tokens. */
const limitOf = (window: number): number => window - 33_000 * Math.min(1, window / 64_000);
const LONG = generatedSteps({ seed: 1, calls: 45, lines: 110 });
const THOUGHTFUL = LONG.map(
  (step): Step => ('call' in step ? { ...step, thinking: 'Now the next part.' } : step),
);

/** A turn that ends every few calls. */
const TURNS: readonly Step[] = Array.from({ length: 30 }, (_, at): readonly Step[] => [
  { user: `Change part ${at} and keep its name.` },
  read(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});\n`.repeat(250)),
  edit(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});`),
  { say: `Part ${at} is done.` },
]).flat();

/** Keeps the requests of the first run; the second one checks that it answers the same. */
function spying(
  strategy: Strategy,
  asked: OwnCall[] = [],
): { readonly strategy: Strategy; readonly sent: Request[] } {
  const sent: Request[] = [];
  let runs = 0;
  const create: Strategy['create'] = (context) => {
    const run = strategy.create(context);
    const isFirst = runs++ === 0;
    return {
      ...run,
      request() {
        const request = run.request();
        if (isFirst) sent.push(request);
        return request;
      },
      calls() {
        const calls = run.calls?.() ?? [];
        if (isFirst) asked.push(...calls);
        return calls;
      },
    };
  };
  return { strategy: { ...strategy, create }, sent };
}

const isSummary = ({ origin }: Message): boolean => origin?.kind === 'summary';
const textOf = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ content }) => content.filter(isText))
    .map(({ text }) => text)
    .join('\n');

describe('strategies that compact (C4, C12, C17, N4)', () => {
  const ways: readonly [string, readonly Step[], Partial<PricingOptions>][] = [
    ['OpenAI', LONG, { provider: 'openai' }],
    ['no cache', LONG, { provider: 'none' }],
    ['thinking that is free', THOUGHTFUL, { thinking: 'free' }],
    ['thinking of the latest turn', THOUGHTFUL, { thinking: 'latest-turn' }],
    ['thinking bound to its prefix', THOUGHTFUL, { thinking: 'prefix-bound' }],
  ];
  const grid = CASES.flatMap(([name, window]) =>
    ways.map((way) => [name, ...way, window] as const),
  );

  test.each(oneIn(8, grid))(
    '%s, %s: every request is valid and below the limit',
    async (name, _, steps, pricing, window) => {
      const plan = planOf(steps, { pricing: { ttl: '5m', window, ...pricing } });
      const { tally, repeatable } = await replayAndWait(plan, builtIn(name));
      expect(tally.violations).toEqual(new Map());
      expect(repeatable).toBe(true);
      expect(tally).toMatchObject({
        breaksUnannounced: 0,
        overWindowRequests: 0,
        personLostRequests: 0,
        systemChangedRequests: 0,
      });
      expect(tally.compactions + tally.forcedCompactions).toBeGreaterThan(0);
      if (pricing.thinking !== 'prefix-bound') {
        expect(tally.compactions).toBeGreaterThan(0);
        expect(tally.forcedCompactions).toBe(0);
        expect(tally.peakTokens).toBeLessThanOrEqual(limitOf(window));
      }
    },
  );

  test.each(CASES)('%s: below the threshold nothing is summarised', async (name) => {
    const { strategy, sent } = spying(builtIn(name));
    const { tally } = await replayAndWait(planOf(LONG.slice(0, 30)), strategy);
    expect(tally).toMatchObject({ compactions: 0, forcedCompactions: 0 });
    expect(sent.some(({ messages }) => messages.some(isSummary))).toBe(false);
  });

  test('the ledger alone asks nobody and costs nothing', async () => {
    const plan = planOf(LONG, { pricing: { window: WINDOW } });
    const row = await rowAfterWaiting(plan, builtIn('ledger-compact'));
    expect(row).toMatchObject({ ownCalls: 0, standInCalls: 0, ownCallDollars: 0 });
    expect(row.dollars).toBeLessThan(rowFor(plan, builtIn('keep-all')).dollars);
  });

  test('a fold takes no word of a person away, and stands for older work', async () => {
    // in a smaller window what may be folded saves less than a tenth of the request
    const plan = planOf(LONG, { pricing: { window: 100_000 } });
    const { strategy, sent } = spying(builtIn('collapse'));
    const row = await rowAfterWaiting(plan, strategy);
    expect(row.compactions).toBeGreaterThan(0);
    const folded = sent.findLast(({ messages }) => messages.some(isSummary)) as Request;
    expect(textOf(folded.messages.filter(isSummary))).toContain('AlphaFile');
    const said = textOf(folded.messages.filter(({ role, origin }) => role === 'user' && !origin));
    expect(said).toContain('Refactor the project Alpha, step by step.');
    expect(said.match(/Go on\./g)?.length).toBeGreaterThan(0);
  });

  test('a threshold by name compacts earlier than the window makes it', async () => {
    const plan = planOf(LONG);
    const early = findLedger('ledger-t40-k5') as Strategy;
    const { tally } = await replayAndWait(plan, early);
    expect(tally.compactions).toBeGreaterThan(0);
    expect(tally.peakTokens).toBeLessThan(40_000);
    expect(findLedger('layers+ledger-t40-k5')?.name).toBe('layers+ledger-t40-k5');
    for (const name of ['ledger-t40', 'ledger', 'ledger-tx-k5', 'other+ledger-t40-k5']) {
      expect(findLedger(name)).toBeUndefined();
    }
  });

  test.each(['free', 'latest-turn', 'prefix-bound'] as const)(
    'a fold of small calls takes no word of a person, and every request is valid: thinking %s',
    async (thinking) => {
      const { strategy, sent } = spying(builtIn('layers+fold'));
      const small = Array.from({ length: 60 }, (_, at): readonly Step[] => [
        ...(at % 10 === 0 ? [{ user: `Change part ${at} and keep its name.` }] : []),
        read(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});\n`.repeat(6)),
        ...(at % 10 === 9 ? [{ say: `Part ${at} is done.` }] : []),
      ]).flat();
      const plan = planOf(small, { gapMs: 400_000, pricing: { ttl: '5m', thinking } });
      const { tally, repeatable } = await replayAndWait(plan, strategy);
      expect(tally).toMatchObject({ compactions: 0, breaksUnannounced: 0, personLostRequests: 0 });
      expect(tally.violations).toEqual(new Map());
      expect(repeatable).toBe(true);
      const { messages } = sent.at(-1) as Request;
      expect(textOf(messages)).toContain('Read src/part-0.ts');
      const said = messages.filter(({ role, origin }) => role === 'user' && !origin);
      const asked = small.flatMap((step) => ('user' in step ? [step.user] : []));
      for (const each of asked) expect(textOf(said)).toContain(each);
    },
  );
});

describe('full-compact', () => {
  test('it pays for a call and says nothing that was not checked in', async () => {
    const plan = planOf(LONG, { pricing: { window: WINDOW } });
    const { strategy, sent } = spying(builtIn('full-compact'));
    const row = await rowAfterWaiting(plan, strategy);
    expect(row.ownCalls).toBe(row.compactions);
    expect(row.standInCalls).toBe(row.ownCalls);
    const { output = 0, cacheRead = 0, input = 0 } = plan.pricing.model.prices[0] ?? {};
    const replies = (row.ownCalls * SUMMARY_TOKENS * output) / 1e6;
    expect(row.ownCallDollars).toBeGreaterThan(replies * 0.98);
    // the conversation is read from the cache; only the instruction is new
    const prompts = (row.ownCalls * (limitOf(WINDOW) * cacheRead + 3_000 * input * 1.25)) / 1e6;
    expect(row.ownCallDollars).toBeLessThan((replies + prompts) * 1.05);
    const compacted = sent.find(({ messages }) => messages.some(isSummary)) as Request;
    // the summary holds what the ledger adds, and what was asked stays beside it
    expect(textOf(compacted.messages.filter(isSummary))).toContain('AlphaFile');
    expect(textOf(compacted.messages)).toContain('Refactor the project Alpha');
  });
});

describe('provider-compact', () => {
  const blocksIn = ({ messages }: Request): readonly Block[] =>
    messages.flatMap(({ content }) => content.filter(({ type }) => type === 'compaction'));

  test('its block stands first, alone and as it came, and nothing before it is sent again', async () => {
    const plan = planOf(LONG, { pricing: { window: WINDOW } });
    const { strategy, sent } = spying(builtIn('provider-compact'));
    const row = await rowAfterWaiting(plan, strategy);
    expect(row).toMatchObject({ acted: true, invalidRequests: 0, violations: {} });
    expect(row.compactions).toBeGreaterThan(1);
    expect(row.ownCalls).toBe(row.compactions);
    const compacted = sent.filter(({ messages }) => messages.some(isSummary));
    expect(compacted.length).toBeGreaterThan(10);
    for (const request of compacted) {
      const [first] = request.messages;
      expect(first).toMatchObject({ role: 'assistant', origin: { engine: 'provider' } });
      expect(blocksIn(request)).toEqual(first?.content);
      expect(JSON.stringify(first?.content)).toBe(
        JSON.stringify(blocksIn(compacted[0] as Request)),
      );
    }
    const [before, after] = [sent.indexOf(compacted[0] as Request) - 1, compacted[0] as Request];
    const shown = new Set(sent[before]?.messages.slice(1, -2).map(({ id }) => id));
    expect(after.messages.filter(({ id }) => shown.has(id))).toEqual([]);
    expect(textOf(after.messages)).toContain('Refactor the project Alpha');
  });

  test('it pays for the iteration that wrote the block, whose prompt is read from the cache', async () => {
    const plan = planOf(LONG, { pricing: { window: WINDOW } });
    const row = await rowAfterWaiting(plan, builtIn('provider-compact'));
    expect(row.standInCalls).toBe(row.ownCalls);
    const { output = 0, cacheRead = 0, input = 0 } = plan.pricing.model.prices[0] ?? {};
    const replies = (row.ownCalls * SUMMARY_TOKENS * output) / 1e6;
    expect(row.ownCallDollars).toBeGreaterThan(replies * 0.98);
    // the newest results were not sent before
    const prompts = (row.ownCalls * (limitOf(WINDOW) * cacheRead + 3_000 * input * 1.25)) / 1e6;
    expect(row.ownCallDollars).toBeLessThan((replies + prompts) * 1.05);
  });

  test('a turn that is over is compacted up to its last reply', async () => {
    const calls: OwnCall[] = [];
    const { strategy } = spying(builtIn('provider-compact'), calls);
    // mostly it is a person whose words fill the window
    const pasted = TURNS.map(
      (step): Step =>
        'user' in step ? { user: `${step.user}\n${'A line of the log.\n'.repeat(900)}` } : step,
    );
    const plan = planOf(pasted, { pricing: { window: WINDOW } });
    const row = await rowAfterWaiting(plan, strategy);
    expect(row).toMatchObject({ violations: {}, invalidRequests: 0 });
    expect(row.ownCalls).toBe(row.compactions);
    expect(calls.some(({ request }) => request.messages.at(-1)?.role === 'assistant')).toBe(true);
  });

  test.each([
    ['a model of another provider', { provider: 'openai' }],
    ['an older model', { model: 'claude-haiku-4-5' }],
  ] as const)('with %s the ledger compacts', async (_, pricing) => {
    const plan = planOf(LONG, { pricing: { window: WINDOW, ...pricing } });
    const { strategy, sent } = spying(builtIn('provider-compact'));
    const row = await rowAfterWaiting(plan, strategy);
    expect(row).toMatchObject({ ownCalls: 0, invalidRequests: 0 });
    expect(row.compactions).toBeGreaterThan(0);
    expect(sent.flatMap(blocksIn)).toEqual([]);
  });

  const given = (server: JsonObject) => {
    const { recording, pricing } = planOf(LONG.slice(0, 6));
    const { head, history } = recording;
    const messages = history.slice(0, 5);
    const request: Request = { head, messages, markers: [], maxOutputTokens: 20_000, server };
    const calls: OwnCall[] = [];
    const onCall = (call: OwnCall) => void calls.push(call);
    const standIn = providerStandIn({ model: pricing.model, sizeOf: recording.sizes.of, onCall });
    if (standIn === undefined) throw new Error('the model has no compaction on demand');
    const ask = (change: Partial<Request> = {}) => standIn.call({ ...request, ...change }, {});
    return { request, calls, ask, recording };
  };
  const asked = { compaction: { type: 'summarize' } };

  test('the stand-in answers as the API does: one signed block, and all of the bill in its iteration', async () => {
    const { request, calls, ask, recording } = given(asked);
    const reply = await ask();
    expect(reply).toMatchObject({
      content: [{ type: 'compaction', signature: expect.any(String) }],
      stopReason: 'compaction',
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    const [iteration] = reply.iterations as readonly Record<string, unknown>[];
    const { sizes, head } = recording;
    const prompt = request.messages.reduce(
      (sum, each) => sum + sizes.message(each),
      sizes.of(head),
    );
    const outputTokens = calls[0]?.outputTokens;
    expect(iteration).toEqual({
      ...{ type: 'compaction', input_tokens: prompt, output_tokens: outputTokens },
    });
    expect(Math.abs((outputTokens ?? 0) - SUMMARY_TOKENS)).toBeLessThan(60);
    expect(calls).toMatchObject([{ request, isStandIn: true }]);
  });

  test('where `max_tokens` cuts the summary there is no block, and it is paid for', async () => {
    const { calls, ask } = given(asked);
    const reply = await ask({ maxOutputTokens: 1_000 });
    expect(reply).toMatchObject({ content: [], stopReason: 'max_tokens' });
    expect(calls).toMatchObject([{ outputTokens: 1_000 }]);
  });

  test.each<[string, JsonObject, (request: Request) => Partial<Request>]>([
    ['not asked for', {}, () => ({})],
    ['context management', { ...asked, context_management: { edits: [] } }, () => ({})],
    ['unanswered calls', asked, ({ messages }) => ({ messages: messages.slice(0, 2) })],
    ['nothing to summarise', asked, ({ messages: [one] }) => ({ messages: [compacted(one)] })],
    [
      'come first',
      asked,
      ({ messages: [one, ...rest] }) => ({ messages: [one, ...rest, compacted(one)] as Message[] }),
    ],
  ])('the stand-in refuses, and bills nothing: %s', async (fault, server, change) => {
    const { request, calls, ask } = given(server);
    await expect(ask(change(request))).rejects.toThrow(fault);
    expect(calls).toEqual([]);
  });

  const compacted = (like: Message | undefined): Message => ({
    ...(like as Message),
    ...{ role: 'assistant', content: [{ type: 'compaction', content: 'x' }] },
  });
});

describe('session-memory', () => {
  test('notes that were taken along the way stand in for what they cover', async () => {
    const plan = planOf(TURNS, { pricing: { window: 80_000 } });
    const { strategy, sent } = spying(builtIn('session-memory'));
    const row = await rowAfterWaiting(plan, strategy);
    expect(row).toMatchObject({ invalidRequests: 0, forcedCompactions: 0, repeatable: true });
    const summaries = sent.flatMap(({ messages }) =>
      messages.filter(({ origin }) => origin?.by === 'session-memory'),
    );
    const notes = textOf(summaries.slice(-1));
    expect(notes).toContain('# Task');
    expect(notes).toContain('Change part 3 and keep its name.');
    expect(notes).toContain('src/part-3.ts');
  });

  test('taking them is paid for, request by request', async () => {
    const plan = planOf(TURNS, { pricing: { window: WINDOW } });
    const row = await rowAfterWaiting(plan, builtIn('session-memory'));
    expect(row.ownCalls).toBeGreaterThan(10);
    expect(row.standInCalls).toBe(row.ownCalls);
    expect(row.ownCallDollars).toBeGreaterThan(0);
    expect(row.ownCallDollars).toBeLessThan(row.dollars);
  });
});

describe('calls of a strategy’s own', () => {
  const steps = generatedSteps({ seed: 4, calls: 8, lines: 4 });
  const calling = (
    calls: (request: Request, count: number) => unknown,
    name = 'calling',
  ): Strategy => ({
    name,
    create({ head }) {
      const messages: Message[] = [];
      let count = 0;
      let isAsked = false;
      let last: Request;
      return {
        add: (message) => void messages.push(message),
        request() {
          count += 1;
          isAsked = true;
          last = { head, messages: [...messages], markers: [], maxOutputTokens: 8_000 };
          return last;
        },
        calls() {
          const made = isAsked ? (calls(last, count) as readonly OwnCall[]) : [];
          isAsked = false;
          return made;
        },
      };
    },
  });
  const ask: Message = { id: 'ask', role: 'user', content: [{ type: 'text', text: 'Summarise.' }] };
  const asking = (request: Request): Request => ({
    ...request,
    messages: [...request.messages, ask],
  });
  const plan = planOf(steps, { estimator: characters, pricing: { ttl: '5m' } });
  const keepAll = rowFor(plan, builtIn('keep-all'));

  test('cost what the cache makes of them, and their replies', () => {
    const once = calling((request, count) =>
      count === 5 ? [{ request: asking(request), outputTokens: 1_000 }] : [],
    );
    const row = rowFor(plan, once);
    expect(row).toMatchObject({ ownCalls: 1, standInCalls: 0, invalidRequests: 0 });
    const reply = ((plan.pricing.model.prices[0]?.output ?? 0) * 1_000) / 1e6;
    expect(row.ownCallDollars).toBeGreaterThan(reply);
    // it wrote what the next request reads, so that the two share the price of the prompt
    expect(row.dollars - row.ownCallDollars).toBeLessThan(keepAll.dollars + 1e-9);
    expect(row.dollars).toBeGreaterThan(keepAll.dollars + reply);
    const { promptTokens, peakTokens } = keepAll;
    expect(row).toMatchObject({ breaks: 0, promptTokens, peakTokens, rereads: 0 });
  });

  test('that a provider would refuse have no price, and make their session incomparable', () => {
    const row = rowFor(
      plan,
      calling((request, count) =>
        count === 5 ? [{ request: { ...request, messages: [] }, outputTokens: 10 }] : [],
      ),
    );
    expect(row).toMatchObject({ ownCalls: 1, invalidRequests: 1, ownCallDollars: 0 });
    expect(row.relativeToKeepAll).toBeNull();
  });

  test('that differ in the second run mark the strategy', () => {
    let count = 0;
    const moody = calling((request) => [{ request: asking(request), outputTokens: count++ }]);
    expect(rowFor(plan, moody).repeatable).toBe(false);
    const same = calling((request) => [{ request: asking(request), outputTokens: 7 }]);
    expect(rowFor(plan, same).repeatable).toBe(true);
  });

  test.each<[string, (request: Request) => unknown, string]>([
    ['no list', () => 'none', 'did not return a list'],
    ['no tokens', (request) => [{ request, outputTokens: Number.NaN }], 'no number of tokens'],
    ['less than none', (request) => [{ request, outputTokens: -1 }], 'no number of tokens'],
    ['no request', () => [{ outputTokens: 1 }], 'returned no request'],
    [
      'another model',
      (request) => [
        { request: { ...request, head: { ...request.head, model: 'm' } }, outputTokens: 1 },
      ],
      'asked for the model m',
    ],
  ])('%s: the strategy is named', (_, calls, message) => {
    expect(() => rowFor(plan, calling(calls))).toThrow(
      `The strategy \`calling\` failed in calls(): `,
    );
    expect(() => rowFor(plan, calling(calls))).toThrow(message);
  });
});
