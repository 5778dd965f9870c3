import type { Message } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { describe, expect, test } from 'vitest';
import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
} from '../src/index.ts';
import { characters, head, onBlock, request, user } from './support.ts';

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

describe('usage fields (P3)', () => {
  test.each([
    {
      policy: CACHE_POLICIES.openaiImplicit,
      usage: {
        input_tokens: 2_010,
        input_tokens_details: { cached_tokens: 1_920, cache_write_tokens: 0 },
        output_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: CACHE_POLICIES.openaiBreakpoints,
      usage: {
        input_tokens: 2_010,
        input_tokens_details: { cached_tokens: 2_000, cache_write_tokens: 10 },
        output_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: { ...CACHE_POLICIES.geminiImplicit, unitTokens: 1, minimumTokens: 1_024 },
      usage: {
        promptTokenCount: 2_010,
        cachedContentTokenCount: 2_000,
        candidatesTokenCount: 7,
        totalTokenCount: 2_017,
      },
    },
    {
      policy: CACHE_POLICIES.deepseek,
      usage: {
        prompt_tokens: 2_010,
        prompt_cache_hit_tokens: 1_984,
        prompt_cache_miss_tokens: 26,
        completion_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: CACHE_POLICIES.blocks,
      usage: {
        prompt_tokens: 2_010,
        prompt_tokens_details: { cached_tokens: 2_000 },
        completion_tokens: 7,
        total_tokens: 2_017,
      },
    },
    {
      policy: { ...CACHE_POLICIES.openaiBreakpoints, usageStyle: 'anthropic' as const },
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
    const { dollars, tokens, price } = createCacheSimulator(CACHE_POLICIES.anthropic, {
      sizeOf: characters,
    }).send(sent, { startMs: 0 });
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
    const cache = createCacheSimulator(CACHE_POLICIES.anthropic, { sizeOf: characters, prices });
    expect(cache.send(sent, { startMs: 0 }).dollars).toBeCloseTo(0.002, 10);
  });
});
