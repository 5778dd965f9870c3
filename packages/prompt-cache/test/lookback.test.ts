import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { type CachePolicy, cachePolicy, createCacheSimulator } from '../src/index.ts';
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

const OPUS = cachePolicy('claude-opus-5-5');

const simulator = (policy: CachePolicy = OPUS) =>
  createCacheSimulator(policy, { sizeOf: characters });

describe('look-back (P3)', () => {
  const empty = head({ systemTokens: 0 });
  const blocks = Array.from({ length: 35 }, (_, index) => user(1_000, String(index % 10)));

  test.each([
    { entryAt: 35, read: 35_000 },
    { entryAt: 34, read: 34_000 },
    { entryAt: 16, read: 16_000 },
    { entryAt: 15, read: 0 },
    { entryAt: 1, read: 0 },
  ])('a marker on block 35 reads $read tokens of an entry at block $entryAt', (row) => {
    const cache = simulator();
    cache.send(request(blocks.slice(0, row.entryAt), { head: empty }), { startMs: 0 });
    const { tokens, breaks } = cache.send(request(blocks, { head: empty }), { startMs: 1 });
    expect(tokens.read).toBe(row.read);
    const lostTokens = row.entryAt * 1_000;
    expect(breaks).toEqual(row.read > 0 ? [] : [{ cause: 'marker-out-of-reach', lostTokens }]);
  });

  test('a second marker has a window of its own', () => {
    const cache = simulator();
    cache.send(request(blocks.slice(0, 15), { head: empty }), { startMs: 0 });
    const markers = [onBlock(20), onBlock(34)];
    const { tokens } = cache.send(request(blocks, { head: empty, markers }), { startMs: 1 });
    expect(tokens.read).toBe(15_000);
  });

  const parallel = (count: number): Message[] => {
    const ids = Array.from({ length: count }, (_, index) => `call-${index}`);
    return [
      message('assistant', ...ids.map(call)),
      ...ids.map((id) => message('user', result(id, 10))),
    ];
  };

  test.each([
    { collapseToolRuns: true, read: 1_500 },
    { collapseToolRuns: false, read: 0 },
  ])('a run of 30 calls and one of 30 results are two places: $collapseToolRuns', (row) => {
    const lookback = { ...OPUS.lookback, collapseToolRuns: row.collapseToolRuns };
    const cache = simulator({ ...OPUS, lookback });
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0 });
    const { tokens } = cache.send(request([...messages, ...parallel(30)]), { startMs: 1 });
    expect(tokens.read).toBe(row.read);
  });

  test.each([
    { turns: 9, read: 1_500 },
    { turns: 10, read: 0 },
  ])('$turns turns of parallel calls read $read tokens', ({ turns, read }) => {
    const cache = simulator();
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0 });
    const later = Array.from({ length: turns }, () => parallel(5)).flat();
    expect(cache.send(request([...messages, ...later]), { startMs: 1 }).tokens.read).toBe(read);
  });

  test.each([
    { messages: 19, read: 1_000 },
    { messages: 20, read: 0 },
  ])('the end of the system prompt is the place before the first of $messages messages', (row) => {
    const cache = simulator();
    cache.send(request([], { markers: [{ at: 'system' }] }), { startMs: 0 });
    const later = Array.from({ length: row.messages }, () => user(5));
    expect(cache.send(request(later), { startMs: 1 }).tokens.read).toBe(row.read);
  });

  test('only entries where a marker stood are found', () => {
    const cache = simulator();
    const messages = [user(500), assistant(100), user(50)];
    cache.send(request(messages), { startMs: 0 });
    const { tokens } = cache.send(request(messages.slice(0, 1)), { startMs: 1 });
    expect(tokens.read).toBe(0);
  });
});

describe('minimum prefix (P3)', () => {
  test.each([
    { model: 'claude-opus-5-5', minimum: 512 },
    { model: 'claude-haiku-5-5', minimum: 512 },
    { model: 'claude-fable-5-1', minimum: 512 },
    { model: 'claude-sonnet-5', minimum: 1_024 },
    { model: 'claude-opus-4-8', minimum: 1_024 },
    { model: 'claude-opus-4-7', minimum: 2_048 },
    { model: 'claude-opus-4-6', minimum: 4_096 },
    { model: 'claude-haiku-4-5', minimum: 4_096 },
  ])('$model caches from $minimum tokens on', ({ model, minimum }) => {
    const write = (tokens: number) =>
      simulator(cachePolicy(model)).send(
        request([user(tokens)], { head: head({ model, systemTokens: 0 }) }),
        { startMs: 0 },
      ).tokens;
    expect(write(minimum - 1)).toMatchObject({ write5m: 0, plain: minimum - 1 });
    expect(write(minimum)).toMatchObject({ write5m: minimum, plain: 0 });
  });

  test('names the minimum when a prompt shrinks below it', () => {
    const cache = simulator();
    const systemTokens = 400;
    const send = (messages: Message[], startMs: number) =>
      cache.send(request(messages, { head: head({ systemTokens }) }), { startMs });
    send([user(1_000)], 0);
    expect(send([user(50, 'short')], 1).breaks.map(({ cause }) => cause)).toEqual([
      'messages-changed',
    ]);
  });
});
