import type { Message } from '@varve/messages';
import { findModel, type ModelInfo } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import {
  ANTHROPIC,
  BLOCK_CACHE,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  DEEPSEEK,
  definePolicy,
  GEMINI_IMPLICIT,
  NO_CACHE,
  OPENAI_BREAKPOINTS,
  OPENAI_IMPLICIT,
} from '../src/index.ts';
import {
  assistant,
  call,
  characters,
  head,
  message,
  onBlock,
  request,
  result,
  user,
} from './support.ts';

const empty = (model: string) => head({ model, systemTokens: 0 });

/** Sends a prompt of `first` tokens, then the same with `more` appended. */
const twice = (policy: CachePolicy, first: number, more: number) => {
  const cache = createCacheSimulator(policy, { sizeOf: characters });
  const messages = [user(first)];
  const send = (sent: readonly Message[], startMs: number) =>
    cache.send(request(sent, { head: empty('gpt-5'), markers: [] }), { startMs, outputTokens: 7 });
  send(messages, 0);
  return send([...messages, user(more)], 1_000);
};

describe('cachePolicy (P3)', () => {
  test.each([
    { model: 'claude-opus-5-5', name: 'anthropic-5m', read: 0.05, minimum: 512 },
    { model: 'claude-fable-5-1', name: 'anthropic-5m', read: 0.025, minimum: 512 },
    { model: 'claude-opus-4-6', name: 'anthropic-5m', read: 0.1, minimum: 4_096 },
    { model: 'gpt-5.6-sol', name: 'openai-breakpoints', read: 0.1, minimum: 1_024 },
    { model: 'gpt-6.2-sol', name: 'openai-breakpoints', read: 0.05, minimum: 1_024 },
    { model: 'gpt-5.2', name: 'openai-implicit', read: 0.1, minimum: 1_024 },
  ])('$model: $name, reads at $read', ({ model, name, read, minimum }) => {
    const policy = cachePolicy(model);
    expect(policy).toMatchObject({ name, minimumTokens: minimum });
    expect(policy.readMultiplier).toBeCloseTo(read, 10);
    expect(definePolicy(policy)).toBe(policy);
  });

  test('the lifetime is a choice where there are two', () => {
    expect(cachePolicy('claude-opus-5-5', { ttl: '1h' })).toMatchObject({
      name: 'anthropic-1h',
      defaultTtl: '1h',
    });
  });

  test.each([
    {
      model: 'claude-opus-5-5',
      lifetimes: [
        ['5m', 300_000, 1.25],
        ['1h', 3_600_000, 2],
      ],
    },
    {
      model: 'gpt-5.6-sol',
      lifetimes: [
        ['30m', 1_800_000, 1.25],
        ['12h', 43_200_000, null],
      ],
    },
    {
      model: 'gpt-5.2',
      lifetimes: [
        ['in_memory', 300_000, 1],
        ['24h', 86_400_000, 1],
      ],
    },
    { model: 'gpt-5.5', lifetimes: [['24h', 86_400_000, 1]] },
  ])('$model: lifetimes $lifetimes', ({ model, lifetimes }) => {
    const { short, long } = cachePolicy(model).lifetimes;
    const told = [short, ...(long ? [long] : [])];
    expect(told.map(({ name, ms, writeMultiplier }) => [name, ms, writeMultiplier])).toEqual(
      lifetimes,
    );
  });

  test.each(['orbit-2', 'my-claude-opus-5-5-fake', ''])(
    'case 72: `%s` is not taken for a model whose name it resembles',
    (model) => {
      expect(() => cachePolicy(model)).toThrow(expect.objectContaining({ code: 'unknown-model' }));
    },
  );

  test('an entry of one’s own needs a provider with a known cache', () => {
    const info = findModel('claude-opus-5-5') as ModelInfo;
    expect(
      cachePolicy({ ...info, id: 'mine', cache: { ...info.cache, minPrefixTokens: 7 } }),
    ).toMatchObject({ minimumTokens: 7 });
    expect(() => cachePolicy({ ...info, provider: 'other' })).toThrow(
      expect.objectContaining({ code: 'unknown-model' }),
    );
  });
});

describe('definePolicy (P3)', () => {
  test.each([
    ANTHROPIC,
    OPENAI_IMPLICIT,
    OPENAI_BREAKPOINTS,
    GEMINI_IMPLICIT,
    DEEPSEEK,
    BLOCK_CACHE,
    NO_CACHE,
  ])('takes $name', (policy) => {
    expect(definePolicy(policy)).toBe(policy);
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy);
  });

  test.each<{ name: string; fields: Partial<CachePolicy> }>([
    { name: 'a unit of nothing', fields: { unitTokens: 0 } },
    { name: 'a negative minimum', fields: { minimumTokens: -1 } },
    { name: 'a negative price', fields: { readMultiplier: -0.1 } },
    {
      name: 'a look-back of nothing',
      fields: { lookback: { ...ANTHROPIC.lookback, positions: 0 } },
    },
    { name: 'no markers', fields: { maxMarkers: 0 } },
    { name: 'no block to mark', fields: { markableBlocks: [] } },
    { name: 'charged writes nobody marks', fields: { writes: 'everywhere' } },
    {
      name: 'a default without a lifetime',
      fields: { defaultTtl: '1h', lifetimes: { short: ANTHROPIC.lifetimes.short } },
    },
    {
      name: 'a long lifetime that is short',
      fields: {
        lifetimes: {
          short: { ...ANTHROPIC.lifetimes.short, ms: null },
          long: ANTHROPIC.lifetimes.short,
        },
      },
    },
  ])('refuses $name', ({ fields }) => {
    expect(() => definePolicy({ ...ANTHROPIC, ...fields })).toThrow(
      expect.objectContaining({ code: 'invalid-policy' }),
    );
  });
});

describe('reads in whole units (P3)', () => {
  test.each([
    { policy: OPENAI_IMPLICIT, first: 1_023, read: 0 },
    { policy: OPENAI_IMPLICIT, first: 1_024, read: 1_024 },
    { policy: OPENAI_IMPLICIT, first: 1_151, read: 1_024 },
    { policy: OPENAI_IMPLICIT, first: 1_152, read: 1_152 },
    { policy: BLOCK_CACHE, first: 15, read: 0 },
    { policy: BLOCK_CACHE, first: 16, read: 16 },
    { policy: BLOCK_CACHE, first: 4_100, read: 4_096 },
    { policy: DEEPSEEK, first: 130, read: 128 },
    { policy: GEMINI_IMPLICIT, first: 8_191, read: 0 },
    { policy: GEMINI_IMPLICIT, first: 17_000, read: 16_384 },
    { policy: NO_CACHE, first: 17_000, read: 0 },
  ])('$policy.name reads $read of $first tokens', ({ policy, first, read }) => {
    expect(twice(policy, first, 10).tokens).toEqual({
      read,
      write5m: 0,
      write1h: 0,
      plain: first + 10 - read,
      total: first + 10,
    });
  });
});

describe('usage fields (P3)', () => {
  test.each([
    {
      policy: OPENAI_IMPLICIT,
      usage: {
        input_tokens: 2_010,
        input_tokens_details: { cached_tokens: 1_920, cache_write_tokens: 0 },
        output_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: OPENAI_BREAKPOINTS,
      usage: {
        input_tokens: 2_010,
        input_tokens_details: { cached_tokens: 2_000, cache_write_tokens: 10 },
        output_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: { ...GEMINI_IMPLICIT, unitTokens: 1, minimumTokens: 1_024 },
      usage: {
        promptTokenCount: 2_010,
        cachedContentTokenCount: 2_000,
        candidatesTokenCount: 7,
        totalTokenCount: 2_017,
      },
    },
    {
      policy: DEEPSEEK,
      usage: {
        prompt_tokens: 2_010,
        prompt_cache_hit_tokens: 1_984,
        prompt_cache_miss_tokens: 26,
        completion_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: BLOCK_CACHE,
      usage: {
        prompt_tokens: 2_010,
        prompt_tokens_details: { cached_tokens: 2_000 },
        completion_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: { ...OPENAI_BREAKPOINTS, usageStyle: 'anthropic' as const },
      usage: {
        input_tokens: 0,
        cache_creation_input_tokens: 10,
        cache_read_input_tokens: 2_000,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
        output_tokens: 7,
      },
    },
  ])('$policy.name: $policy.usageStyle', ({ policy, usage }) => {
    expect(twice(policy, 2_000, 10).usage).toEqual(usage);
  });
});

describe('breakpoints at OpenAI from 5.6 on (P3)', () => {
  const policy = cachePolicy('gpt-5.6-sol');
  const send = (cache: ReturnType<typeof createCacheSimulator>, sent: readonly Message[]) =>
    cache.send(request(sent, { head: empty('gpt-5.6-sol'), markers: [] }), { startMs: 0 }).tokens;

  test('the end of the latest user turn is a breakpoint by itself; a reply is not', () => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const sent = [user(2_000), message('assistant', call('a')), message('user', result('a', 500))];
    expect(send(cache, sent)).toMatchObject({ read: 0, write5m: 2_500 + 10, plain: 0 });
    expect(send(cache, [...sent, assistant(300)])).toMatchObject({ read: 2_510, plain: 300 });
    expect(send(cache, [...sent, assistant(300), user(5)])).toMatchObject({
      read: 2_510,
      write5m: 305,
    });
  });

  test.each([
    { turns: 79, read: 2_000 },
    { turns: 80, read: 0 },
  ])('an entry $turns message ends back is found: $read tokens', ({ turns, read }) => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    send(cache, [user(2_000)]);
    const later = Array.from({ length: turns }, () => [assistant(1), user(1)]).flat();
    expect(send(cache, [user(2_000), ...later]).read).toBe(read);
  });

  test('only the latest three breakpoints of a request count, besides the automatic one', () => {
    const sent = [user(2_000), user(10), user(10), user(10), assistant(5), user(10)];
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const markers = [0, 1, 2, 3].map((at) => onBlock(at));
    const first = request(sent, { head: empty('gpt-5.6-sol'), markers });
    expect(cache.send(first, { startMs: 0 }).tokens.write5m).toBe(2_045);
    const next = request(sent.slice(0, 1), { head: empty('gpt-5.6-sol'), markers: [] });
    expect(cache.send(next, { startMs: 1 }).tokens.read).toBe(0);
  });

  test.each([
    { params: { reasoning: { effort: 'low' } }, read: 0 },
    { params: { text: { verbosity: 'low' } }, read: 0 },
    { params: { prompt_cache_key: 'b' }, read: 0 },
    { params: { temperature: 1 }, read: 2_000 },
  ])('$params reads $read', ({ params, read }) => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    send(cache, [user(2_000)]);
    const changed = { ...empty('gpt-5.6-sol'), params };
    const { tokens } = cache.send(request([user(2_000)], { head: changed, markers: [] }), {
      startMs: 1,
    });
    expect(tokens.read).toBe(read);
  });
});

describe('prices (P3)', () => {
  const send = (
    model: string,
    tokens: number,
    options: { ttl?: '5m' | '1h'; cached?: boolean } = {},
  ) => {
    const { ttl = '5m', cached = true } = options;
    const sent = request([user(tokens)], {
      head: empty(model),
      markers: cached ? [onBlock(0, 0, ttl)] : [],
    });
    return createCacheSimulator(cachePolicy(model), { sizeOf: characters }).send(sent, {
      startMs: 0,
      outputTokens: 1_000,
    });
  };

  test.each([
    { model: 'claude-haiku-5-5', tokens: 99_999, dollars: (99_999 * 0.1 + 1_000 * 0.5) / 1e6 },
    { model: 'claude-haiku-5-5', tokens: 100_001, dollars: (100_001 * 0.5 + 1_000 * 2.5) / 1e6 },
    { model: 'claude-opus-5-5', tokens: 100_001, dollars: (100_001 * 4 + 1_000 * 20) / 1e6 },
  ])('$model prices all of $tokens plain tokens at one tier', ({ model, tokens, dollars }) => {
    expect(send(model, tokens, { cached: false }).dollars).toBeCloseTo(dollars, 10);
  });

  test('case 71: writes of 5 minutes and of 1 hour have their own price', () => {
    const model = 'claude-opus-5-5';
    const messages = [user(1_000), user(600)];
    const markers = [onBlock(0, 0, '1h'), onBlock(1, 0, '5m')];
    const { tokens, dollars, inputUnits } = createCacheSimulator(cachePolicy(model), {
      sizeOf: characters,
    }).send(request(messages, { head: empty(model), markers }), { startMs: 0 });
    expect(tokens).toMatchObject({ write1h: 1_000, write5m: 600 });
    expect(inputUnits).toBe(1_000 * 2 + 600 * 1.25);
    expect(dollars).toBeCloseTo((1_000 * 8 + 600 * 5) / 1e6, 10);
  });

  test('case 72: a write without a rate leaves the rest priced and is told apart', () => {
    const model = 'gpt-5.6-sol';
    const policy = cachePolicy(model, { ttl: '1h' });
    const { dollars, price, inputUnits } = createCacheSimulator(policy, {
      sizeOf: characters,
    }).send(request([user(2_000)], { head: empty(model), markers: [] }), {
      startMs: 0,
      outputTokens: 1_000,
    });
    expect(price.unpricedTokens).toBe(2_000);
    expect(dollars).toBeCloseTo((1_000 * 20) / 1e6, 10);
    expect(inputUnits).toBeUndefined();
  });

  test('an unknown model has no dollars, and its tokens all the same', () => {
    const sent = request([user(2_000)], { head: empty('orbit-2') });
    const { dollars, tokens, price } = createCacheSimulator(ANTHROPIC, { sizeOf: characters }).send(
      sent,
      { startMs: 0 },
    );
    expect({ dollars, unpriced: price.unpricedTokens, written: tokens.write5m }).toEqual({
      dollars: undefined,
      unpriced: 2_000,
      written: 2_000,
    });
  });

  test('prices of one’s own win', () => {
    const info = findModel('claude-opus-5-5') as ModelInfo;
    const prices = [
      {
        ...info,
        id: 'orbit-2',
        prices: [{ fromPromptTokens: 0, input: 1, output: 1, cacheRead: 0 }],
      },
    ];
    const sent = request([user(2_000)], { head: empty('orbit-2'), markers: [] });
    const cache = createCacheSimulator(ANTHROPIC, { sizeOf: characters, prices });
    expect(cache.send(sent, { startMs: 0 }).dollars).toBeCloseTo(0.002, 10);
  });
});
