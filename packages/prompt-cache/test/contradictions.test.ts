import type { Marker } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { cachePolicy, createCacheSimulator, PromptCacheError, placeMarkers } from '../src/index.ts';
import { checkMarkers } from '../src/server.ts';
import { assistant, characters, head, onBlock, request, user } from './support.ts';

const policy = cachePolicy('claude-opus-5-5');
const options = { sizeOf: characters };
const history = [user(2_000), assistant(300), user(1_000)];

describe('createCacheSimulator (P3)', () => {
  test('a refused first request of a fork does not make it a thread without a parent', () => {
    const cache = createCacheSimulator(policy, options);
    cache.send(request(history), { startMs: 0 });
    const own = head({ params: { cache_control: { type: 'ephemeral', ttl: '1h' } } });
    const fork = { startMs: 1, thread: 'fork', forkOf: 'main' };
    const refused = () =>
      cache.send(request(history, { head: own, markers: [onBlock(2, 0, '5m')] }), fork);
    expect(refused).toThrow(PromptCacheError);
    expect(cache.send(request([...history, user(50)]), fork).expectedReadTokens).toBe(4_300);
  });

  test('a bill far below the one before it makes no part negative', () => {
    const cache = createCacheSimulator(policy, options);
    const send = (minute: number, at: readonly number[], cachedTokens?: number) => {
      const sent = request(history, { markers: at.map((index) => onBlock(index)) });
      const billed = cachedTokens === undefined ? undefined : { cachedTokens, promptTokens: 5_000 };
      return cache.send(sent, { startMs: minute * 60_000, billed }).tokens;
    };
    send(0, [0, 2], 4_300);
    send(4, [0]);
    expect(send(6, [0, 2], 900)).toEqual({
      read: 3_000,
      write5m: 300,
      write1h: 0,
      plain: 1_700,
      total: 5_000,
    });
  });

  test('no more is told as lost than a contradictory bill had promised', () => {
    const cache = createCacheSimulator(policy, options);
    const billed = { headTokens: 1_000, cachedTokens: 900 };
    cache.send(request(history), { startMs: 0, billed });
    const { breaks, tokens } = cache.send(request(history.with(2, user(70))), { startMs: 1 });
    expect(tokens.read).toBe(0);
    expect(breaks.map(({ lostTokens }) => lostTokens)).toEqual([900]);
  });

  test('an entry written for 1h and, while in flight, for 5m lives as long as the longer of the two', () => {
    const cache = createCacheSimulator(policy, options);
    const send = (ttl: '5m' | '1h', startMs: number) => {
      const sent = request(history, { markers: [onBlock(2, 0, ttl)] });
      return cache.send(sent, { startMs, firstTokenMs: startMs + 2_000 }).tokens.read;
    };
    expect([send('1h', 0), send('5m', 1_000), send('5m', 3_600_001)]).toEqual([0, 0, 0]);
  });
});

describe('placeMarkers (P1)', () => {
  test('a 1h marker that already stands behind one of 5m is shortened, not kept as it would be refused', () => {
    const given: readonly Marker[] = [onBlock(0, 0, '5m'), onBlock(2, 0, '1h')];
    const marked = placeMarkers(request(history, { markers: given }), { policy });
    expect(checkMarkers(marked, policy)).toEqual([]);
    expect(marked.markers).toContainEqual(onBlock(2, 0, '5m'));
  });
});
