import type { Message } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { describe, expect, test } from 'vitest';
import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  definePolicy,
} from '../src/index.ts';
import { characters, head, request, user } from './support.ts';

const empty = (model: string) => head({ model, systemTokens: 0 });

/** Sends a prompt of `first` tokens, then the same with `more` appended. */
const _twice = (policy: CachePolicy, first: number, more: number) => {
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

describe('the options of cachePolicy', () => {
  test.each([{ ttl: '2h' as '1h' }, { graceMs: Number.NaN }, { graceMs: -1 }])(
    'refuses %j',
    (options) => {
      expect(() => cachePolicy('claude-opus-5-5', options)).toThrow(
        expect.objectContaining({ code: 'invalid-policy' }),
      );
    },
  );
});

describe('definePolicy (P3)', () => {
  test.each([
    CACHE_POLICIES.anthropic,
    CACHE_POLICIES.openaiImplicit,
    CACHE_POLICIES.openaiBreakpoints,
    CACHE_POLICIES.geminiImplicit,
    CACHE_POLICIES.deepseek,
    CACHE_POLICIES.blocks,
    CACHE_POLICIES.none,
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
      fields: { lookback: { ...CACHE_POLICIES.anthropic.lookback, positions: 0 } },
    },
    { name: 'no markers', fields: { maxMarkers: 0 } },
    { name: 'no block to mark', fields: { markableBlocks: [] } },
    { name: 'charged writes nobody marks', fields: { writes: 'everywhere' } },
    {
      name: 'a default without a lifetime',
      fields: { defaultTtl: '1h', lifetimes: { short: CACHE_POLICIES.anthropic.lifetimes.short } },
    },
    {
      name: 'a long lifetime that is short',
      fields: {
        lifetimes: {
          short: { ...CACHE_POLICIES.anthropic.lifetimes.short, ms: null },
          long: CACHE_POLICIES.anthropic.lifetimes.short,
        },
      },
    },
  ])('refuses $name', ({ fields }) => {
    expect(() => definePolicy({ ...CACHE_POLICIES.anthropic, ...fields })).toThrow(
      expect.objectContaining({ code: 'invalid-policy' }),
    );
  });
});
