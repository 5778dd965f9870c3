import type { Usage } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS, type ModelInfo, priceUsage, resolveModel } from '../src/index.ts';
import { priceTier } from '../src/models.ts';

const opal = (prices: ModelInfo['prices']): ModelInfo => ({
  ...resolveModel('opal').model,
  prices,
  cache: { lifetimes: [{ ttl: '5m', seconds: 300 }], writes: 'charged' },
});
const UNIT = {
  fromPromptTokens: 0,
  input: 1_000_000,
  output: 0,
  cacheRead: 100_000,
  cacheWrite5m: 1_250_000,
  cacheWrite1h: 2_000_000,
};
const write = (tokens: number, split?: Usage['cache_creation']): Usage => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: tokens,
  ...(split === undefined ? {} : { cache_creation: split }),
});

describe('priceUsage', () => {
  test('prices every part at its own rate', () => {
    const usage: Usage = {
      input_tokens: 1_000,
      output_tokens: 2_000,
      cache_read_input_tokens: 100_000,
      cache_creation_input_tokens: 3_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
    };
    const priced = priceUsage(usage, 'claude-opus-5-5');
    expect(priced.parts.input.dollars).toBeCloseTo(0.004, 10);
    expect(priced.parts.output.dollars).toBeCloseTo(0.04, 10);
    expect(priced.parts.cacheRead.dollars).toBeCloseTo(0.02, 10);
    expect(priced.parts.cacheWrite5m.dollars).toBeCloseTo(0.005, 10);
    expect(priced.parts.cacheWrite1h.dollars).toBeCloseTo(0.016, 10);
    expect(priced.dollars).toBeCloseTo(0.085, 10);
    expect(priced).toMatchObject({ unpricedTokens: 0, caveats: [] });
    expect(priced).not.toHaveProperty('assumedLifetime');
  });

  test.each([
    ['claude-haiku-5-5', 100_000, 0.01],
    ['claude-haiku-5-5', 100_001, 0.0500005],
    ['gpt-6.2-sol', 272_000, 0.544],
    ['gpt-6.2-sol', 272_001, 1.088004],
    ['claude-opus-5', 900_000, 4.5],
  ])('%s prices a prompt of %i tokens as a whole: %f dollars', (id, input_tokens, dollars) => {
    expect(priceUsage({ input_tokens, output_tokens: 0 }, id).dollars).toBeCloseTo(dollars, 9);
  });

  test('reads and writes count for the tier, and output is priced at it too', () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 1_000_000,
      cache_read_input_tokens: 60_000,
      cache_creation_input_tokens: 40_000,
    };
    expect(priceUsage(usage, 'claude-haiku-5-5').parts.output.dollars).toBeCloseTo(2.5, 10);
  });

  test('a provider without a write fee bills a write as plain input', () => {
    expect(priceUsage(write(1_000_000), 'gpt-5').dollars).toBeCloseTo(1.25, 10);
  });

  test.each([
    [
      'a split',
      write(1_000, { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 400 }),
      1_550,
      undefined,
    ],
    ['no split', write(1_000), 1_250, '5m'],
    ['half of a split', write(1_000, { ephemeral_1h_input_tokens: 400 }), 1_550, '5m'],
    [
      'a split beyond the total',
      write(500, { ephemeral_1h_input_tokens: 1_000 }),
      2_000,
      undefined,
    ],
    ['an empty split', write(0, {}), 0, undefined],
  ])('case 71: %s of writes', (_, usage, dollars, assumed) => {
    const priced = priceUsage(usage, opal([UNIT]));
    expect(priced.dollars).toBe(dollars);
    expect(priced.assumedLifetime).toBe(assumed);
  });

  test('case 72: a model without a write rate: the rest is priced, the writes are reported', () => {
    const orbit = opal([{ fromPromptTokens: 0, input: 1, output: 5, cacheRead: 0.1 }]);
    const usage = { ...write(7_000), input_tokens: 1_000_000 };
    expect(priceUsage(usage, orbit)).toMatchObject({ dollars: 1, unpricedTokens: 7_000 });
  });

  test('case 72: a model that sounds like another has no price', () => {
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100 };
    const models = [opal([UNIT])];
    expect(priceUsage(usage, 'my-opal-fake', { models })).toMatchObject({
      dollars: 0,
      unpricedTokens: 115,
    });
    expect(priceUsage(usage, 'opal', { models }).unpricedTokens).toBe(0);
    expect(priceUsage(usage, 'claude-opus-5-5-fast')).toMatchObject({
      dollars: 0,
      unpricedTokens: 115,
    });
  });

  test('a compaction on the provider’s side is added at its own tier', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 200_000, output_tokens: 0 },
      { type: 'message', input_tokens: 1_000, output_tokens: 0 },
    ];
    const usage = { input_tokens: 1_000, output_tokens: 0, iterations };
    expect(priceUsage(usage, 'claude-haiku-5-5').dollars).toBeCloseTo(0.1001, 10);
  });

  test.each([
    [{ speed: 'fast' }, 'fast-mode'],
    [{ service_tier: 'batch' }, 'batch'],
    [{ inference_geo: 'us' }, 'us-only-inference'],
    [{ cache_read_input_tokens: Number.NaN }, 'invalid-count'],
    [{ input_tokens: -5 }, 'invalid-count'],
  ])('%o is a caveat', (extra, caveat) => {
    const priced = priceUsage({ input_tokens: 1, output_tokens: 1, ...extra }, 'claude-opus-5');
    expect(priced.caveats).toEqual([caveat]);
    expect(priced.dollars).toBeGreaterThan(0);
  });

  test('every billed token is either priced or reported', () => {
    const count = fc.nat(500_000);
    const model = fc.constantFrom(...MODELS);
    fc.assert(
      fc.property(model, count, count, count, count, (info, input, output, read, written) => {
        const usage = {
          input_tokens: input,
          output_tokens: output,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: written,
        };
        const { parts, unpricedTokens, dollars } = priceUsage(usage, info);
        const tokens = Object.values(parts).reduce((sum, part) => sum + part.tokens, 0);
        expect(tokens).toBe(input + output + read + written);
        expect(unpricedTokens).toBe(info.prices.length === 0 ? tokens : 0);
        const cost = Object.values(parts).reduce((sum, part) => sum + part.dollars, 0);
        expect(dollars).toBeCloseTo(cost, 9);
      }),
    );
  });
});

describe('priceTier', () => {
  test('of a model without prices is undefined', () => {
    expect(priceTier(resolveModel('x').model, 5)).toBeUndefined();
  });
});
