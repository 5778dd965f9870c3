import {
  type Entry,
  type Head,
  type Message,
  parseEntry,
  project,
  serializeEntry,
  type Tool,
} from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { cachePolicy, createCacheSimulator, placeMarkers, steadyTools } from '../src/index.ts';
import { renderPrefix } from '../src/server.ts';
import { call, characters, head, message, request, result, text } from './support.ts';

const policy = cachePolicy('claude-opus-5-5');
const at = '2026-11-28T10:00:00.000Z';

/** What an agent sends for a log. */
const viewOf = (log: readonly Entry[]) => {
  const { head: ownHead, messages } = project(log);
  return request(messages, { head: ownHead as Head });
};

const reloaded = (log: readonly Entry[]) => log.map((entry) => parseEntry(serializeEntry(entry)));

describe('renderPrefix (P1)', () => {
  const conversation = (when: string, id: string): Message[] => [
    { ...message('user', text(20)), id: `${id}-1`, createdAt: when },
    { ...message('assistant', text(30)), id: `${id}-2`, createdAt: when },
    { ...message('user', text(5)), id: `${id}-3`, createdAt: when },
  ];

  test.each([
    { name: 'a second later', when: '2026-11-28T10:00:01.000Z', id: 'a' },
    { name: 'an hour later', when: '2026-11-28T11:00:00.000Z', id: 'a' },
    { name: 'on another machine', when: at, id: 'host-b-4711' },
  ])('case 73: the same request built $name has the same bytes', ({ when, id }) => {
    const first = renderPrefix(request(conversation(at, 'a')));
    expect(renderPrefix(request(conversation(when, id)))).toEqual(first);
    expect(first).toHaveLength(4);
  });

  test('case 73: a clock in the system prompt is named as what breaks the cache', () => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const clock = (time: string) => ({
      ...head(),
      system: [{ type: 'text' as const, text: `${'s'.repeat(1_000)} It is ${time}.` }],
    });
    cache.send(request(conversation(at, 'a'), { head: clock('10:00') }), { startMs: 0 });
    const later = request(conversation(at, 'a'), { head: clock('10:01') });
    const { tokens, breaks } = cache.send(later, { startMs: 60_000 });
    expect(tokens.read).toBe(0);
    expect(breaks).toEqual([{ cause: 'system-changed', lostTokens: tokens.total }]);
  });

  test('case 77: what was sent, stored, loaded and built again has the same bytes', () => {
    const messages: Message[] = [
      message(
        'user',
        { type: 'text', text: 'look', extra: { b: 1, a: [2, { d: 3, c: 4 }] } },
        text(9),
      ),
      message('assistant', text(9), {
        type: 'tool_use',
        id: 'a',
        name: 'grep',
        input: { z: 1, a: 2 },
      }),
      message('user', { type: 'tool_result', tool_use_id: 'a', content: 'as a string' }),
      message('assistant', { type: 'tool_use', id: 'b', name: 'grep', input: {} }),
      message('user', { type: 'tool_result', tool_use_id: 'b', content: [text(9)] }),
      { ...message('user', text(9, 'reminder')), origin: { kind: 'reminder' } },
    ];
    const log: Entry[] = [
      {
        id: 'e0',
        at,
        type: 'head',
        head: head({ tools: [{ name: 'grep', input_schema: { b: 1, a: 2 } }] }),
      },
      ...messages.map(
        (each): Entry => ({ id: `e-${each.id}`, at, type: 'message', message: each }),
      ),
    ];
    const sent = placeMarkers(viewOf(log), { policy });
    const again = placeMarkers(viewOf(reloaded(log)), { policy });
    expect(renderPrefix(again)).toEqual(renderPrefix(sent));
    expect(again.markers).toEqual(sent.markers);
  });

  test('case 77: a string and a list with the same text differ, and so does where a reminder stands', () => {
    const asString = message('user', { type: 'tool_result', tool_use_id: 'a', content: 'x' });
    const asList = message('user', {
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'text', text: 'x' }],
    });
    expect(renderPrefix(request([asString]))).not.toEqual(renderPrefix(request([asList])));
    const [reminder, question] = [message('user', text(5, 'r')), message('user', text(5, 'q'))];
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    cache.send(request([reminder, question]), { startMs: 0 });
    const { change } = cache.send(request([question, reminder]), { startMs: 1 });
    expect(change).toEqual({
      cause: 'messages-changed',
      place: { messageIndex: 0, blockIndex: 0 },
    });
  });

  test('cache markers inside blocks are no bytes of the prefix', () => {
    const cache_control = { type: 'ephemeral' };
    const bare = message('user', { ...result('a', 5), content: [text(3)] });
    const marked = message('user', {
      ...result('a', 5),
      content: [{ ...text(3), cache_control }],
      cache_control,
    });
    expect(renderPrefix(request([marked]))).toEqual(renderPrefix(request([bare])));
  });
});

describe('steadyTools (P1)', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } };
  const first: Tool[] = ['read', 'write'].map((name) => ({
    name,
    description: name,
    input_schema: schema,
  }));
  const second: Tool[] = ['fetch', 'crawl'].map((name) => ({
    name,
    description: name,
    input_schema: schema,
  }));
  const shuffled = (tools: readonly Tool[]): Tool[] =>
    tools.toReversed().map(({ name, description, input_schema }) => ({
      input_schema: Object.fromEntries(Object.entries(input_schema as object).reverse()),
      description: description as string,
      name,
    }));
  const bytes = (tools: readonly Tool[]) => renderPrefix(request([], { head: head({ tools }) }));

  test('case 75: a server that drops and comes back in another order changes no byte', () => {
    const known = steadyTools([], [...first, ...second]).tools;
    const dropped = steadyTools(known, second);
    expect(dropped).toEqual({ tools: known, missing: ['read', 'write'], changed: [], added: [] });
    const back = steadyTools(dropped.tools, [...shuffled(second), ...shuffled(first)]);
    expect(back).toEqual({ tools: known, missing: [], changed: [], added: [] });
    expect(back.tools).toBe(known);
    expect(bytes(back.tools)).toEqual(bytes(known));
  });

  test('case 75: the order of the first offer does not matter', () => {
    const orders = [
      [...first, ...second],
      [...shuffled(second), ...shuffled(first)],
    ];
    const [one, other] = orders.map((offered) => bytes(steadyTools([], offered).tools));
    expect(one).toEqual(other);
  });

  test('case 75: real changes are told and wait; new tools come last', () => {
    const known = steadyTools([], first).tools;
    const changed = { ...(first[0] as Tool), description: 'another' };
    expect(steadyTools(known, [changed, first[1] as Tool, ...second])).toEqual({
      tools: [...known, second[1], second[0]],
      missing: [],
      changed: ['read'],
      added: ['crawl', 'fetch'],
    });
  });
});

describe('clearing in batches', () => {
  /** A log to which every turn adds a result; a batch clears all but the newest three. */
  const grow = (log: readonly Entry[], turn: number, clears: boolean): readonly Entry[] => {
    const id = `call-${turn}`;
    const entries: Entry[] = [
      {
        id: `a${turn}`,
        at,
        type: 'message',
        message: { ...message('assistant', call(id)), id: `ma${turn}` },
      },
      {
        id: `r${turn}`,
        at,
        type: 'message',
        message: { ...message('user', result(id, 900)), id: `mr${turn}` },
      },
    ];
    if (!clears) return [...log, ...entries];
    const blocks = Array.from({ length: turn - 2 }, (_, old) => ({
      messageId: `mr${old}`,
      index: 0,
      block: { ...result(`call-${old}`, 0), content: '[cleared]' },
    }));
    const edit: Entry = {
      id: `clear${turn}`,
      at,
      type: 'edit',
      by: 'test',
      reason: 'batch',
      edit: { kind: 'replace-content', blocks },
    };
    return [...log, ...entries, edit];
  };

  const start: readonly Entry[] = [
    { id: 'h', at, type: 'head', head: head() },
    { id: 'u', at, type: 'message', message: { ...message('user', text(50)), id: 'mu' } },
  ];

  test('case 79: in 20 requests the prefix changes at the batches only, and after a restart not at all', () => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const batches = [6, 12, 18];
    const changedAt: number[] = [];
    let log = start;
    for (let turn = 0; turn < 20; turn++) {
      log = grow(log, turn, batches.includes(turn));
      const sent = placeMarkers(viewOf(log), { policy });
      if (cache.send(sent, { startMs: turn }).change) changedAt.push(turn);
      if (turn % 5 !== 0) continue;
      const restarted = placeMarkers(viewOf(reloaded(log)), { policy });
      expect(renderPrefix(restarted)).toEqual(renderPrefix(sent));
      expect(cache.send(restarted, { startMs: turn }).change).toBeUndefined();
    }
    expect(changedAt).toEqual(batches);
    const cleared = renderPrefix(viewOf(log)).filter((line) => line.includes('[cleared]'));
    expect(cleared).toHaveLength(16);
  });

  test('case 79: clearing a bit on every turn breaks on every turn', () => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    let log = start;
    let breaks = 0;
    for (let turn = 0; turn < 20; turn++) {
      log = grow(log, turn, turn >= 3);
      const sent = cache.send(placeMarkers(viewOf(log), { policy }), { startMs: turn });
      breaks += sent.breaks.some(({ cause }) => cause === 'messages-changed') ? 1 : 0;
    }
    expect(breaks).toBe(17);
  });
});

describe('createCacheSimulator (P3)', () => {
  const tools: Tool[] = ['read', 'grep'].map((name) => ({ name, description: 'd'.repeat(50) }));
  const turns = (count: number): Message[] =>
    Array.from({ length: count }, (_, turn) => [
      message('user', text(100, `ask ${turn} `)),
      message('assistant', text(400, `reply ${turn} `)),
    ]).flat();

  test('case 78: notes that are appended leave the prefix alone; in the system prompt each loses all of it', () => {
    const history = [...turns(4), message('user', text(10, 'q'))];
    const breaksOf = (sent: readonly ReturnType<typeof request>[]) => {
      const cache = createCacheSimulator(policy, { sizeOf: characters });
      cache.send(request(history), { startMs: 0 });
      return sent.map((each, index) => cache.send(each, { startMs: index + 1 }).breaks);
    };
    const notes = ['a', 'b', 'c'].map((note) => message('user', text(50, note)));
    const appended = notes.map((_, index) => request([...history, ...notes.slice(0, index + 1)]));
    expect(breaksOf(appended)).toEqual([[], [], []]);
    const system = (note: string) => ({
      ...head(),
      system: [{ type: 'text' as const, text: `${'s'.repeat(1_000)}${note}` }],
    });
    const rewritten = ['a', 'b', 'c'].map((note) => request(history, { head: system(note) }));
    const causes = breaksOf(rewritten).map(([first]) => first?.cause);
    expect(causes).toEqual(['system-changed', 'system-changed', 'system-changed']);
  });

  test.each([
    { name: 'only another last message', over: {}, cause: undefined },
    { name: 'a subset of the tools', over: { tools: tools.slice(1) }, cause: 'tools-changed' },
    { name: 'a persona of its own', over: { systemTokens: 900 }, cause: 'system-changed' },
    {
      name: 'another thinking budget',
      over: { params: { thinking: { type: 'disabled' } } },
      cause: 'params-changed',
    },
    { name: 'another model', over: { model: 'claude-opus-4-8' }, cause: 'model-changed' },
  ])('case 80: a fork with $name is told what it shares with its parent', ({ over, cause }) => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const shape = { tools, params: { thinking: { type: 'adaptive' } } };
    const history = turns(4);
    const parent = cache.send(request(history, { head: head(shape) }), { startMs: 0 });
    const directive = message('user', text(50, 'as a reviewer '));
    const fork = request([...history, directive], { head: head({ ...shape, ...over }) });
    const options = { startMs: 1, thread: 'fork', forkOf: 'main' };
    const { tokens, breaks } = cache.send(fork, options);
    expect(breaks[0]?.cause).toBe(cause);
    expect(tokens.read === parent.tokens.total).toBe(cause === undefined);
  });
});
