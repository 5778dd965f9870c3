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
