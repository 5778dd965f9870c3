import { describe, expect, test } from 'vitest';
import { cachePolicy, createCacheSimulator } from '../src/index.ts';
import { assistant, characters, head, onBlock, request, tail, user } from './support.ts';

const simulator = (ttl: '5m' | '1h' = '5m') =>
  createCacheSimulator(cachePolicy('claude-opus-5-5', { ttl }), { sizeOf: characters });

const SECOND = 1_000;

describe('createCacheSimulator (P3)', () => {
  test('writes the first request and reads it back with the second', () => {
    const cache = simulator();
    const first = [user(500)];
    expect(cache.send(request(first), { startMs: 0 }).tokens).toEqual({
      read: 0,
      write5m: 1_500,
      write1h: 0,
      plain: 0,
      total: 1_500,
    });
    const second = [...first, assistant(100), user(50)];
    const { tokens, breaks } = cache.send(request(second), { startMs: SECOND });
    expect(tokens).toEqual({ read: 1_500, write5m: 150, write1h: 0, plain: 0, total: 1_650 });
    expect(breaks).toEqual([]);
  });

  test.each([
    { idleMs: 299 * SECOND, read: 1_500 },
    { idleMs: 300 * SECOND, read: 1_500 },
    { idleMs: 301 * SECOND, read: 0 },
  ])('reads $read tokens after $idleMs ms', ({ idleMs, read }) => {
    const cache = simulator();
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0 });
    expect(cache.send(request(messages), { startMs: idleMs }).tokens.read).toBe(read);
  });

  test.each([
    { entryAt: 16, found: true },
    { entryAt: 15, found: false },
  ])('a marker on block 35 finds an entry at $entryAt: $found', ({ entryAt, found }) => {
    const cache = simulator();
    const blocks = Array.from({ length: 35 }, (_, index) => user(1_000, String(index % 10)));
    const empty = head({ systemTokens: 0 });
    cache.send(request(blocks.slice(0, entryAt), { head: empty }), { startMs: 0 });
    const { tokens } = cache.send(request(blocks, { head: empty }), { startMs: 1 });
    expect(tokens.read).toBe(found ? entryAt * 1_000 : 0);
  });

  test('bills the stretch before the last 1h marker as 1h, the rest as 5m, the tail as plain', () => {
    const messages = [user(600), assistant(300), user(200), user(40)];
    const markers = [onBlock(0, 0, '1h'), onBlock(2, 0, '5m')];
    const { tokens } = simulator().send(request(messages, { markers }), { startMs: 0 });
    expect(tokens).toEqual({ read: 0, write1h: 1_600, write5m: 500, plain: 40, total: 2_140 });
    expect(tail(messages)).toEqual(onBlock(3));
  });
});
