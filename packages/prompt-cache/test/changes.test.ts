import type { Block, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import {
  type CachePolicy,
  cachePolicy,
  createBreakDetector,
  createCacheSimulator,
  explainBreak,
} from '../src/index.ts';
import { assistant, characters, head, message, onBlock, request, user } from './support.ts';

const SECOND = 1_000;
const OPUS = cachePolicy('claude-opus-5-5');

const simulator = (policy: CachePolicy = OPUS) =>
  createCacheSimulator(policy, { sizeOf: characters });

describe('breaks (P2)', () => {
  test('a request without its time is refused by name', () => {
    const bare = request([user(1)]) as never;
    const sent = { request: request([user(1)]), startMs: 0 };
    for (const [previous, next] of [
      [undefined, bare],
      [sent, bare],
      [bare, sent],
    ] as const) {
      expect(() => explainBreak(previous, next, { policy: OPUS })).toThrow(
        expect.objectContaining({ code: 'invalid-request' }),
      );
    }
  });

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
    // no earlier byte changed: the provider's rule for images is the cause
    expect(first.change).toEqual({
      cause: 'images-changed',
      place: { messageIndex: 3, blockIndex: 0 },
    });
    expect(first.breaks).toMatchObject([{ cause: 'images-changed' }]);
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
    expect(after.change?.cause).toBe('citations-changed');
  });

  test('an image that is appended is no break that nobody expected', () => {
    const policy = cachePolicy('claude-opus-5-5');
    const detector = createBreakDetector({ policy, toleranceTokens: 0 });
    const long = [message('user', { type: 'text', text: 'w '.repeat(9_000) })];
    const bill = (read: number, written: number) => ({
      ...{ input_tokens: 10, output_tokens: 1 },
      ...{ cache_read_input_tokens: read, cache_creation_input_tokens: written },
    });
    const sent = (messages: Message[]) =>
      request(messages, { markers: [onBlock(messages.length - 1)] });
    detector.observe({ request: sent(long), startMs: 0, usage: bill(0, 9_000) });
    const next = sent([...long, message('user', image)]);
    const found = detector.observe({ request: next, startMs: 1, usage: bill(0, 10_500) });
    expect(found).toMatchObject({ kind: 'expected', reason: 'images-changed' });
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
