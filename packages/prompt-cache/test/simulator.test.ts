import type { Block, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  PromptCacheError,
} from '../src/index.ts';
import { assistant, characters, head, message, onBlock, request, user } from './support.ts';

const SECOND = 1_000;
const OPUS = cachePolicy('claude-opus-5-5');

const simulator = (policy: CachePolicy = OPUS) =>
  createCacheSimulator(policy, { sizeOf: characters });

describe('createCacheSimulator (P3)', () => {
  test('writes the first request and reads it back with the second', () => {
    const cache = simulator();
    const first = [user(500)];
    const written = cache.send(request(first), { startMs: 0 });
    expect(written.tokens).toEqual({
      read: 0,
      write5m: 1_500,
      write1h: 0,
      plain: 0,
      total: 1_500,
    });
    expect(written.breaks).toEqual([]);
    const second = [...first, assistant(100), user(50)];
    const { tokens, breaks, ...rest } = cache.send(request(second), { startMs: SECOND });
    expect(tokens).toEqual({ read: 1_500, write5m: 150, write1h: 0, plain: 0, total: 1_650 });
    expect(breaks).toEqual([]);
    expect(rest).toMatchObject({ commonPrefixTokens: 1_500, expectedReadTokens: 1_500 });
  });

  test('a request without messages, tools and system prompt costs nothing', () => {
    const { tokens, dollars, inputUnits } = simulator().send(
      request([], { head: head({ systemTokens: 0 }) }),
      { startMs: 0 },
    );
    expect(tokens).toEqual({ read: 0, write5m: 0, write1h: 0, plain: 0, total: 0 });
    expect({ dollars, inputUnits }).toEqual({ dollars: 0, inputUnits: 0 });
  });

  test.each([
    { startMs: Number.NaN, firstTokenMs: 0 },
    { startMs: 0, firstTokenMs: Number.POSITIVE_INFINITY },
    { startMs: 2, firstTokenMs: 1 },
  ])('refuses the times $startMs and $firstTokenMs', (times) => {
    expect(() => simulator().send(request([user(1)]), times)).toThrow(
      expect.objectContaining({ code: 'invalid-time' }),
    );
  });

  test.each([
    { outputTokens: Number.NaN },
    { outputTokens: -1 },
    { billed: { promptTokens: Number.NaN } },
    { billed: { cachedTokens: -5 } },
  ])('refuses the sizes of %j', (sizes) => {
    expect(() => simulator().send(request([user(1)]), { startMs: 0, ...sizes })).toThrow(
      expect.objectContaining({ code: 'invalid-size' }),
    );
  });

  test('refuses a counter that gives no number', () => {
    const sizeOf = { block: () => Number.NaN, message: () => 1, head: () => 1 };
    const cache = createCacheSimulator(CACHE_POLICIES.anthropic, { sizeOf });
    expect(() => cache.send(request([user(1)]), { startMs: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid-size' }),
    );
  });

  test.each([undefined, null, {}])('refuses %j for markers', (markers) => {
    const odd = { ...request([user(1)]), markers } as unknown as ReturnType<typeof request>;
    expect(() => simulator().send(odd, { startMs: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid-marker', message: expect.stringContaining('[]') }),
    );
  });

  test('a refused request leaves no trace', () => {
    const cache = simulator();
    const messages = [user(600), assistant(10), user(10), assistant(10), user(10)];
    cache.send(request(messages), { startMs: 0 });
    const five = request(messages, { markers: [0, 1, 2, 3, 4].map((index) => onBlock(index)) });
    let refusal: unknown;
    try {
      cache.send(five, { startMs: 1 });
    } catch (error) {
      refusal = error;
    }
    expect(PromptCacheError.is(refusal) && refusal.code).toBe('invalid-marker');
    const after = cache.send(request(messages), { startMs: 2 });
    expect(after).toMatchObject({ tokens: { read: 1_640 }, expectedReadTokens: 1_640 });
  });

  test('tells what is still warm', () => {
    const cache = simulator();
    expect(cache.warmTokens(0)).toBe(0);
    cache.send(request([user(500)]), { startMs: 0, firstTokenMs: 10 * SECOND });
    const warm = [0, 10 * SECOND, 300 * SECOND, 301 * SECOND].map((at) => cache.warmTokens(at));
    expect(warm).toEqual([0, 1_500, 1_500, 0]);
    expect(cache.warmTokens(10 * SECOND, 'another thread')).toBe(0);
  });
});

describe('billed sizes (P3)', () => {
  test('what was billed carries over: the next request reads exactly what was read and written', () => {
    const cache = simulator();
    const first = [user(500)];
    const billed = { cachedTokens: 20_000, promptTokens: 20_012 };
    const { tokens } = cache.send(request(first), { startMs: 0, billed });
    expect(tokens).toEqual({ read: 0, write5m: 20_000, write1h: 0, plain: 12, total: 20_012 });
    const second = [...first, assistant(100), user(50)];
    expect(cache.send(request(second), { startMs: 1 }).tokens).toEqual({
      read: 20_000,
      write5m: 150,
      write1h: 0,
      plain: 0,
      total: 20_150,
    });
  });

  test('a head that is known from a bill stands for the estimate', () => {
    const cache = simulator();
    const sent = (messages: Message[]) =>
      request(messages, { markers: [{ at: 'system' }, onBlock(messages.length - 1)] });
    const first = cache.send(sent([user(500)]), { startMs: 0, billed: { headTokens: 14_000 } });
    expect(first.tokens).toMatchObject({ write5m: 14_500, total: 14_500 });
    const { tokens } = cache.send(sent([user(300, 'new')]), { startMs: 1 });
    expect(tokens).toMatchObject({ read: 14_000, write5m: 300 });
  });

  test('estimates never exceed the bill', () => {
    const billed = { promptTokens: 600 };
    const { tokens } = simulator().send(request([user(500)]), { startMs: 0, billed });
    expect(tokens).toEqual({ read: 0, write5m: 600, write1h: 0, plain: 0, total: 600 });
  });
});

describe('automatic caching (P3)', () => {
  const params = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const thinking: Block = { type: 'thinking', thinking: 't'.repeat(20), signature: 's' };

  test('sets a marker on the last block that can carry one', () => {
    const messages = [user(500), message('assistant', thinking)];
    const { tokens } = simulator().send(
      request(messages, { head: head({ params }), markers: [] }),
      { startMs: 0 },
    );
    expect(tokens).toEqual({ read: 0, write5m: 0, write1h: 1_500, plain: 20, total: 1_520 });
  });

  test.each([
    { name: 'another lifetime on the same block', markers: [onBlock(3, 0, '5m')] },
    {
      name: 'no slot left',
      markers: [
        { at: 'system' as const, ttl: '1h' as const },
        ...[0, 1, 2].map((at) => onBlock(at, 0, '1h')),
      ],
    },
  ])('refuses $name', ({ markers }) => {
    const messages = [user(10), user(10), user(10), user(10)];
    expect(() =>
      simulator().send(request(messages, { head: head({ params }), markers }), { startMs: 0 }),
    ).toThrow(expect.objectContaining({ code: 'invalid-marker' }));
  });
});

test('the record behind Claude is the documented one', () => {
  expect({ ...OPUS, name: '', minimumTokens: 0, readMultiplier: 0 }).toEqual({
    ...CACHE_POLICIES.anthropic,
    name: '',
    minimumTokens: 0,
    readMultiplier: 0,
  });
});
