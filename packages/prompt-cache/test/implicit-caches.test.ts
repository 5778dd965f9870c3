import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { CACHE_POLICIES, type CachePolicy, createCacheSimulator } from '../src/index.ts';
import { characters, head, request, user } from './support.ts';

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

describe('reads in whole units (P3)', () => {
  test.each([
    { policy: CACHE_POLICIES.openaiImplicit, first: 1_023, read: 0 },
    { policy: CACHE_POLICIES.openaiImplicit, first: 1_024, read: 1_024 },
    { policy: CACHE_POLICIES.openaiImplicit, first: 1_151, read: 1_024 },
    { policy: CACHE_POLICIES.openaiImplicit, first: 1_152, read: 1_152 },
    { policy: CACHE_POLICIES.blocks, first: 15, read: 0 },
    { policy: CACHE_POLICIES.blocks, first: 16, read: 16 },
    { policy: CACHE_POLICIES.blocks, first: 4_100, read: 4_096 },
    { policy: CACHE_POLICIES.deepseek, first: 130, read: 128 },
    { policy: CACHE_POLICIES.geminiImplicit, first: 8_191, read: 0 },
    { policy: CACHE_POLICIES.geminiImplicit, first: 17_000, read: 16_384 },
    { policy: CACHE_POLICIES.none, first: 17_000, read: 0 },
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

describe('lifetimes without markers (P3)', () => {
  const long = [user(2_048, 'a'), user(2_048, 'b')];
  const edited = [user(2_048, 'a'), user(2_048, 'c')];

  test.each([
    {
      name: 'what one thread refreshed is warm for another',
      sends: [
        { at: 0, sent: long },
        { at: 250, sent: long },
        { at: 400, sent: long, thread: 'other' },
      ],
      read: 4_096,
    },
    {
      name: 'what a thread refreshed and left stays warm',
      sends: [
        { at: 0, sent: long },
        { at: 250, sent: long },
        { at: 300, sent: edited },
        { at: 500, sent: long },
      ],
      read: 4_096,
    },
    {
      name: 'what was left alone for longer is cold, what was read meanwhile is warm',
      sends: [
        { at: 0, sent: long },
        { at: 250, sent: edited },
        { at: 500, sent: long },
      ],
      read: 2_048,
    },
    {
      name: 'everything is cold after five idle minutes',
      sends: [
        { at: 0, sent: long },
        { at: 250, sent: long },
        { at: 551, sent: long },
      ],
      read: 0,
    },
    {
      name: 'a request before the first token of the one before it reads nothing new',
      sends: [
        { at: 0, sent: long },
        { at: 10, latency: 60, sent: [...long, user(1_024, 'd')] },
        { at: 20, sent: [...long, user(1_024, 'd')] },
      ],
      read: 4_096,
    },
  ])('$name', ({ sends, read }) => {
    const cache = createCacheSimulator(CACHE_POLICIES.openaiImplicit, { sizeOf: characters });
    const results = sends.map(({ at, sent, ...rest }) =>
      cache.send(request(sent, { head: empty('gpt-5'), markers: [] }), {
        startMs: at * 1_000,
        firstTokenMs: (at + ('latency' in rest ? (rest.latency ?? 0) : 0)) * 1_000,
        ...('thread' in rest ? { thread: rest.thread } : {}),
      }),
    );
    expect(results.at(-1)?.tokens.read).toBe(read);
  });
});
