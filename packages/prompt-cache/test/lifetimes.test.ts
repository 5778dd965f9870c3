import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { type CachePolicy, cachePolicy, createCacheSimulator } from '../src/index.ts';
import { assistant, characters, onBlock, request, user } from './support.ts';

const SECOND = 1_000;
const OPUS = cachePolicy('claude-opus-5-5');

const simulator = (policy: CachePolicy = OPUS) =>
  createCacheSimulator(policy, { sizeOf: characters });

describe('lifetimes (P3)', () => {
  test.each([
    { ttl: '5m', graceMs: 0, idleSeconds: 299, read: 1_500 },
    { ttl: '5m', graceMs: 0, idleSeconds: 300, read: 1_500 },
    { ttl: '5m', graceMs: 0, idleSeconds: 301, read: 0 },
    { ttl: '5m', graceMs: 25_000, idleSeconds: 301, read: 1_500 },
    { ttl: '5m', graceMs: 25_000, idleSeconds: 325, read: 1_500 },
    { ttl: '5m', graceMs: 25_000, idleSeconds: 326, read: 0 },
    { ttl: '1h', graceMs: 0, idleSeconds: 3_600, read: 1_500 },
    { ttl: '1h', graceMs: 0, idleSeconds: 3_601, read: 0 },
  ] as const)('$ttl with $graceMs ms of grace reads $read after $idleSeconds s', (row) => {
    const { ttl, graceMs, idleSeconds, read } = row;
    const cache = simulator(cachePolicy('claude-opus-5-5', { ttl, graceMs }));
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0 });
    const { tokens, breaks } = cache.send(request(messages), { startMs: idleSeconds * SECOND });
    expect(tokens.read).toBe(read);
    expect(breaks).toEqual(read === 0 ? [{ cause: 'ttl-expired', lostTokens: 1_500 }] : []);
  });

  test('counts from the start of the request, not from its end', () => {
    const cache = simulator();
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0, firstTokenMs: 100 * SECOND });
    expect(cache.send(request(messages), { startMs: 301 * SECOND }).tokens.read).toBe(0);
  });

  test('an anchor at the first token counts from there', () => {
    const cache = simulator({ ...OPUS, ttlAnchor: 'first-token' });
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0, firstTokenMs: 100 * SECOND });
    expect(cache.send(request(messages), { startMs: 400 * SECOND }).tokens.read).toBe(1_500);
  });

  test.each([
    { refreshOnRead: true, read: 1_500 },
    { refreshOnRead: false, read: 0 },
  ])('a read refreshes: $refreshOnRead', ({ refreshOnRead, read }) => {
    const cache = simulator({ ...OPUS, refreshOnRead });
    const messages = [user(500)];
    cache.send(request(messages), { startMs: 0 });
    cache.send(request(messages), { startMs: 200 * SECOND });
    expect(cache.send(request(messages), { startMs: 400 * SECOND }).tokens.read).toBe(read);
  });

  test('every marker keeps its own entry alive, so a compaction falls back to the system prompt', () => {
    const cache = simulator();
    const history: Message[] = [user(500)];
    const send = (messages: readonly Message[], startMs: number) =>
      cache.send(request(messages, { markers: [{ at: 'system' }, onBlock(messages.length - 1)] }), {
        startMs,
      });
    for (let turn = 0; turn < 10; turn++) {
      send(history, turn * 200 * SECOND);
      history.push(assistant(10), user(10));
    }
    const { tokens, breaks } = send([user(80, 'summary')], 2_000 * SECOND);
    expect(tokens.read).toBe(1_000);
    expect(breaks).toEqual([
      { cause: 'messages-changed', lostTokens: 680, place: { messageIndex: 0, blockIndex: 0 } },
    ]);
  });

  test.each([
    { refreshedLifetime: 'as-written', read: 1_500 },
    { refreshedLifetime: 'as-marked', read: 0 },
  ] as const)('a 5m marker on a 1h entry leaves it $refreshedLifetime', (row) => {
    const cache = simulator({ ...OPUS, refreshedLifetime: row.refreshedLifetime });
    const messages = [user(500)];
    const marked = (ttl: '5m' | '1h') => request(messages, { markers: [onBlock(0, 0, ttl)] });
    cache.send(marked('1h'), { startMs: 0 });
    cache.send(marked('5m'), { startMs: SECOND });
    expect(cache.send(marked('5m'), { startMs: 1_000 * SECOND }).tokens.read).toBe(row.read);
  });
});

describe('billing of lifetimes (P3)', () => {
  const messages = [user(600), assistant(300), user(200), user(40)];

  test.each([
    {
      name: '1h before 5m',
      markers: [onBlock(0, 0, '1h'), onBlock(2, 0, '5m')],
      tokens: { write1h: 1_600, write5m: 500, plain: 40 },
    },
    {
      name: '1h only',
      markers: [onBlock(2, 0, '1h')],
      tokens: { write1h: 2_100, write5m: 0, plain: 40 },
    },
    { name: 'none', markers: [], tokens: { write1h: 0, write5m: 0, plain: 2_140 } },
  ])('$name', ({ markers, tokens }) => {
    const sent = simulator().send(request(messages, { markers }), { startMs: 0 });
    expect(sent.tokens).toEqual({ read: 0, ...tokens, total: 2_140 });
  });

  test('bills from the highest hit on, whatever lies before it', () => {
    const cache = simulator();
    cache.send(request(messages.slice(0, 2), { markers: [onBlock(1)] }), { startMs: 0 });
    const markers = [onBlock(0, 0, '1h'), onBlock(3, 0, '5m')];
    const { tokens } = cache.send(request(messages, { markers }), { startMs: 1 });
    expect(tokens).toEqual({ read: 1_900, write1h: 0, write5m: 240, plain: 0, total: 2_140 });
  });

  test.each([
    { writesInsideRead: true, read: 1_600 },
    { writesInsideRead: false, read: 0 },
  ])('a marker inside what was read has an entry: $writesInsideRead', (row) => {
    const cache = simulator({ ...OPUS, writesInsideRead: row.writesInsideRead });
    const send = (sent: readonly Message[], markers = [onBlock(0), onBlock(sent.length - 1)]) =>
      cache.send(request(sent, { markers }), { startMs: 0 });
    send(messages, [onBlock(3)]);
    send(messages);
    expect(send([messages[0] as Message, user(70, 'edit')]).tokens.read).toBe(row.read);
  });
});

describe('requests in flight (P3)', () => {
  const messages = [user(500)];

  test('identical parallel requests all write; a later one reads', () => {
    const cache = simulator();
    const send = (startMs: number, firstTokenMs: number) =>
      cache.send(request(messages), { startMs, firstTokenMs, thread: String(startMs) }).tokens;
    expect([send(0, 900), send(1, 500), send(2, 901)].map(({ write5m }) => write5m)).toEqual([
      1_500, 1_500, 1_500,
    ]);
    expect(send(499, 600).read).toBe(0);
    expect(send(500, 600).read).toBe(1_500);
  });

  test('names the cause on the same thread', () => {
    const cache = simulator();
    cache.send(request(messages), { startMs: 0, firstTokenMs: 1_000 });
    const { breaks } = cache.send(request([...messages, user(10)]), { startMs: 500 });
    expect(breaks).toEqual([{ cause: 'not-yet-available', lostTokens: 1_500 }]);
  });

  test('a fork reads what its parent wrote, and its edits are told against the parent', () => {
    const cache = simulator();
    cache.send(request(messages), { startMs: 0 });
    const fork = { thread: 'fork', forkOf: 'main' };
    const first = cache.send(request([...messages, user(30)]), { startMs: 1, ...fork });
    expect(first).toMatchObject({ tokens: { read: 1_500 }, breaks: [], expectedReadTokens: 1_500 });
    const other = { thread: 'other', forkOf: 'main' };
    const persona = request([user(500, 'other')]);
    const { breaks } = cache.send(persona, { startMs: 2, ...other });
    expect(breaks[0]).toMatchObject({ cause: 'messages-changed', lostTokens: 500 });
    const main = cache.send(request([...messages, user(20)]), { startMs: 3 });
    expect(main).toMatchObject({ tokens: { read: 1_500 }, breaks: [] });
  });
});
