import type { Block, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import {
  ANTHROPIC,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  PromptCacheError,
} from '../src/index.ts';
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
  ])('refuses the times $startMs and $firstTokenMs', (times) => {
    expect(() => simulator().send(request([user(1)]), times)).toThrow(
      expect.objectContaining({ code: 'invalid-time' }),
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

describe('breaks (P2)', () => {
  const image: Block = { type: 'image', source: {} };
  const base = head({ tools: [{ name: 'grep', description: 'd'.repeat(600) }] });
  const history = [user(500), assistant(100), user(50)];
  const markers = [{ at: 'tools' }, { at: 'system' }, onBlock(2)] as const;
  const TOOLS = 600;
  const SYSTEM = 1_600;
  const ALL = 2_250;

  test.each([
    { change: 'nothing', next: {}, read: ALL, cause: undefined },
    { change: 'model', next: { model: 'claude-opus-5' }, read: 0, cause: 'model-changed' },
    {
      change: 'a tool description',
      next: { tools: [{ name: 'grep', description: 'e'.repeat(600) }] },
      read: 0,
      cause: 'tools-changed',
    },
    {
      change: 'another tool',
      next: { tools: [...base.tools, { name: 'glob', description: 'g' }] },
      read: 0,
      cause: 'tools-changed',
    },
    { change: 'all tools gone', next: { tools: [] }, read: 0, cause: 'tools-changed' },
    {
      change: 'web search',
      next: { tools: [...base.tools, { type: 'web_search_20250305', name: 'web_search' }] },
      read: TOOLS,
      cause: 'tools-changed',
    },
    {
      change: 'a deferred tool',
      next: { tools: [...base.tools, { name: 'later', description: 'd', defer_loading: true }] },
      read: ALL,
      cause: undefined,
    },
    { change: 'speed', next: { params: { speed: 'fast' } }, read: TOOLS, cause: 'params-changed' },
    {
      change: 'the neutral speed',
      next: { params: { speed: 'standard' } },
      read: ALL,
      cause: undefined,
    },
    {
      change: 'system text',
      next: { system: [{ type: 'text', text: 't'.repeat(1_000) }] },
      read: TOOLS,
      cause: 'system-changed',
    },
    {
      change: 'more system text',
      next: { system: [...base.system, { type: 'text', text: 'more' }] },
      read: SYSTEM,
      cause: 'system-changed',
    },
    {
      change: 'tool_choice',
      next: { params: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } } },
      read: SYSTEM,
      cause: 'params-changed',
    },
    {
      change: 'thinking',
      next: { params: { thinking: { type: 'enabled', budget_tokens: 2_000 } } },
      read: SYSTEM,
      cause: 'params-changed',
    },
    {
      change: 'effort',
      next: { params: { output_config: { effort: 'low' } } },
      read: SYSTEM,
      cause: 'params-changed',
    },
    {
      change: 'the default effort, spelled out',
      next: { params: { output_config: { effort: 'high' } } },
      read: ALL,
      cause: undefined,
    },
    {
      change: 'a parameter without a rule',
      next: { params: { metadata: { user_id: 'u' } } },
      read: ALL,
      cause: undefined,
    },
  ])('$change: reads $read tokens', ({ next, read, cause }) => {
    const cache = simulator();
    cache.send(request(history, { head: base, markers }), { startMs: 0 });
    const changed = { ...base, ...next } as typeof base;
    const noTools = changed.tools.length === 0;
    const after = request(history, {
      head: changed,
      markers: noTools ? markers.slice(1) : markers,
    });
    const { tokens, breaks, change } = cache.send(after, { startMs: 1 });
    expect(tokens.read).toBe(read);
    expect(change?.cause).toBe(cause);
    expect(breaks.map((each) => each.cause)).toEqual(cause === undefined ? [] : [cause]);
    expect(breaks.reduce((sum, each) => sum + each.lostTokens, 0)).toBe(ALL - read);
  });

  test('an effort that is no default is named', () => {
    const cache = simulator();
    cache.send(request(history), { startMs: 0 });
    const params = { output_config: { effort: 'low' } };
    const { change } = cache.send(request(history, { head: head({ params }) }), { startMs: 1 });
    expect(change).toEqual({ cause: 'params-changed', param: 'output_config.effort' });
  });

  test('the first image loses the messages, a second one nothing', () => {
    const cache = simulator();
    const withMarkers = (messages: Message[]) =>
      request(messages, { markers: [{ at: 'system' }, onBlock(messages.length - 1)] });
    cache.send(withMarkers(history), { startMs: 0 });
    const seen = [...history, message('user', image)];
    const first = cache.send(withMarkers(seen), { startMs: 1 });
    expect(first.tokens.read).toBe(1_000);
    expect(first.change).toEqual({
      cause: 'messages-changed',
      place: { messageIndex: 3, blockIndex: 0 },
    });
    const second = cache.send(withMarkers([...seen, message('user', image)]), { startMs: 2 });
    expect(second).toMatchObject({ tokens: { read: 1_750 }, breaks: [] });
  });

  test('citations lose the system prompt', () => {
    const cache = simulator();
    const sent = (messages: Message[]) =>
      request(messages, {
        head: base,
        markers: [{ at: 'tools' }, { at: 'system' }, onBlock(messages.length - 1)],
      });
    cache.send(sent(history), { startMs: 0 });
    const document = { type: 'document', source: {}, citations: { enabled: true } };
    const after = cache.send(sent([...history, message('user', document)]), { startMs: 1 });
    expect(after.tokens.read).toBe(TOOLS);
  });

  test.each([
    { place: 0, read: 1_000 },
    { place: 1, read: 1_000 },
    { place: 2, read: 1_000 },
  ])(
    'an edit of message $place falls back to the system prompt and says why',
    ({ place, read }) => {
      const cache = simulator();
      const sent = (messages: readonly Message[]) =>
        request(messages, { markers: [{ at: 'system' }, onBlock(messages.length - 1)] });
      cache.send(sent(history), { startMs: 0 });
      const edited = history.map((each, index) => (index === place ? user(9, 'edit') : each));
      const { tokens, breaks } = cache.send(sent(edited), { startMs: 1 });
      const before = [0, 500, 600][place] as number;
      expect(tokens.read).toBe(read);
      expect(breaks).toEqual([
        {
          cause: 'messages-changed',
          lostTokens: 650 - before,
          place: { messageIndex: place, blockIndex: 0 },
        },
        ...(before > 0 ? [{ cause: 'marker-out-of-reach', lostTokens: before }] : []),
      ]);
    },
  );

  test('an edit on a cold cache loses to time, not to the edit', () => {
    const cache = simulator();
    cache.send(request(history), { startMs: 0 });
    const { breaks } = cache.send(request([user(9, 'edit')]), { startMs: 400 * SECOND });
    expect(breaks).toEqual([{ cause: 'ttl-expired', lostTokens: 1_650 }]);
  });

  const texts: Record<string, Block> = {
    text: { type: 'text', text: 'same' },
    'text with a field': { type: 'text', text: 'same', citations: null },
    result: { type: 'tool_result', tool_use_id: 'a', content: 'same' },
    'result of another call': { type: 'tool_result', tool_use_id: 'b', content: 'same' },
    'result with a field': {
      type: 'tool_result',
      tool_use_id: 'a',
      content: 'same',
      is_error: false,
    },
    'result in a list': {
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'text', text: 'same' }],
    },
  };
  const pairs = Object.keys(texts).flatMap((left) =>
    Object.keys(texts).map((right) => ({ left, right, isSame: left === right })),
  );

  test.each(pairs)('a $left and a $right are the same block: $isSame', (pair) => {
    const cache = simulator();
    const send = (name: string, startMs: number) =>
      cache.send(request([user(500), message('user', texts[name] as Block)]), { startMs });
    send(pair.left, 0);
    const place = { messageIndex: 1, blockIndex: 0 };
    const change = pair.isSame ? undefined : { cause: 'messages-changed', place };
    expect(send(pair.right, 1).change).toEqual(change);
  });

  test('the same words of another role are another block', () => {
    const cache = simulator();
    cache.send(request([user(500), user(9, 'x')]), { startMs: 0 });
    const { change } = cache.send(request([user(500), assistant(9, 'x')]), { startMs: 1 });
    expect(change?.place).toEqual({ messageIndex: 1, blockIndex: 0 });
  });

  test('dropping the newest messages is a change at their place', () => {
    const cache = simulator();
    cache.send(request(history), { startMs: 0 });
    const { change } = cache.send(request(history.slice(0, 1)), { startMs: 1 });
    expect(change).toEqual({
      cause: 'messages-changed',
      place: { messageIndex: 1, blockIndex: 0 },
    });
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
    cache.send(sent([user(500)]), { startMs: 0, billed: { headTokens: 14_000 } });
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
    ...ANTHROPIC,
    name: '',
    minimumTokens: 0,
    readMultiplier: 0,
  });
});
