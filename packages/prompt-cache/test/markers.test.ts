import type { Block, Marker, Message } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CACHE_POLICIES, cachePolicy, createCacheSimulator, placeMarkers } from '../src/index.ts';
import { checkMarkers } from '../src/server.ts';
import { assistant, characters, head, message, onBlock, request, text, user } from './support.ts';
import { play, traffic } from './traffic.ts';

const policy = cachePolicy('claude-opus-5-5');
const { short, long } = policy.lifetimes;
const ENDLESS = { short: { ...short, ms: null }, ...(long && { long: { ...long, ms: null } }) };
const TOOLS = [{ name: 'grep', description: 'd'.repeat(600) }];
const thinking: Block = { type: 'thinking', thinking: 'hm', signature: 's' };

const place = (
  messages: readonly Message[],
  options: Partial<Parameters<typeof placeMarkers>[1]> & {
    readonly markers?: readonly Marker[];
    readonly head?: ReturnType<typeof head>;
  } = {},
) => {
  const { markers = [], head: ownHead = head({ tools: TOOLS }), ...rest } = options;
  return placeMarkers(request(messages, { head: ownHead, markers }), { policy, ...rest }).markers;
};

const history = [user(9), assistant(9), user(9), assistant(9), user(9)];

describe('placeMarkers (P1, P4)', () => {
  test.each<{ name: string; markers: readonly Marker[]; expected: readonly Marker[] }>([
    { name: 'an empty history', markers: place([]), expected: [{ at: 'tools' }, { at: 'system' }] },
    {
      name: 'nothing at all',
      markers: place([], { head: head({ systemTokens: 0 }) }),
      expected: [],
    },
    {
      name: 'one message',
      markers: place([user(9)]),
      expected: [{ at: 'tools' }, { at: 'system' }, onBlock(0)],
    },
    {
      name: 'a history: head, the request before, the end',
      markers: place(history),
      expected: [{ at: 'tools' }, { at: 'system' }, onBlock(2), onBlock(4)],
    },
    {
      name: 'no system prompt: tools stand for it',
      markers: place(history, { head: head({ tools: TOOLS, systemTokens: 0 }) }),
      expected: [{ at: 'tools' }, onBlock(2), onBlock(4)],
    },
    {
      name: 'a parked place: the block before it, instead of the tools',
      markers: place(history, { parkedAt: 1 }),
      expected: [{ at: 'system' }, onBlock(0), onBlock(2), onBlock(4)],
    },
    {
      name: 'two parked places',
      markers: place(history, { parkedAt: [2, 1] }),
      expected: [{ at: 'system' }, onBlock(0), onBlock(1), onBlock(4)],
    },
    {
      name: 'a place parked at the very beginning: the head stands there already',
      markers: place(history, { parkedAt: 0 }),
      expected: [{ at: 'tools' }, { at: 'system' }, onBlock(2), onBlock(4)],
    },
    {
      name: 'thinking and blanks at the end',
      markers: place([user(9), message('assistant', text(9), thinking, text(3, ' '))]),
      expected: [{ at: 'tools' }, { at: 'system' }, onBlock(0), onBlock(1)],
    },
    {
      name: 'the lifetimes asked for',
      markers: place(history, { headTtl: '1h', ttl: '5m' }),
      expected: [
        { at: 'tools', ttl: '1h' },
        { at: 'system', ttl: '1h' },
        onBlock(2, 0, '5m'),
        onBlock(4, 0, '5m'),
      ],
    },
    {
      name: 'an hour for all but the end of the prompt',
      markers: place(history, { parkedAt: 2, stableTtl: '1h' }),
      expected: [{ at: 'system', ttl: '1h' }, onBlock(1, 0, '1h'), onBlock(2, 0, '1h'), onBlock(4)],
    },
    {
      name: 'no hour where nothing expires',
      markers: place(history, { stableTtl: '1h', policy: { ...policy, lifetimes: ENDLESS } }),
      expected: place(history),
    },
    {
      name: 'no hour where there is none',
      markers: place(history, { stableTtl: '1h', policy: { ...policy, lifetimes: { short } } }),
      expected: place(history),
    },
    {
      name: 'a head that may not be shorter than what follows',
      markers: place([user(9)], { headTtl: '5m', ttl: '1h' }),
      expected: [{ at: 'tools', ttl: '1h' }, { at: 'system', ttl: '1h' }, onBlock(0, 0, '1h')],
    },
    {
      name: "the caller's own marker, of 5m: nothing after it is longer",
      markers: place(history, { markers: [onBlock(1, 0, '5m')], ttl: '1h' }),
      expected: [
        { at: 'system', ttl: '1h' },
        onBlock(1, 0, '5m'),
        onBlock(2, 0, '5m'),
        onBlock(4, 0, '5m'),
      ],
    },
    {
      name: "the caller's own marker, of 1h: nothing before it is shorter",
      markers: place(history, { markers: [onBlock(3, 0, '1h')], ttl: '5m' }),
      expected: [
        { at: 'system', ttl: '1h' },
        onBlock(2, 0, '1h'),
        onBlock(3, 0, '1h'),
        onBlock(4, 0, '5m'),
      ],
    },
  ])('$name', ({ markers, expected }) => {
    expect(markers).toEqual(expected);
  });

  test('a turn longer than the look-back takes its place before a second parked one', () => {
    const long = [...history.slice(0, 4), ...Array.from({ length: 21 }, () => user(5))];
    expect(place(long, { parkedAt: [2, 1] })).toEqual([
      { at: 'system' },
      onBlock(1),
      onBlock(2),
      onBlock(24),
    ]);
  });

  test('a request that has its markers already stays the same object', () => {
    const placed = placeMarkers(request(history, { markers: [] }), { policy });
    expect(placeMarkers(placed, { policy })).toBe(placed);
  });

  test('a policy without markers leaves the request alone', () => {
    const plain = request(history, { markers: [] });
    expect(placeMarkers(plain, { policy: CACHE_POLICIES.openaiImplicit })).toBe(plain);
  });

  test('no hour where no marker can ask for it, or where it is the shorter one', () => {
    const plain = request(history, { markers: [] });
    const { short, long } = policy.lifetimes;
    const turned = {
      short: { ...short, ms: 3_600_000 },
      long: { ...(long ?? short), ms: 300_000 },
    };
    for (const other of [CACHE_POLICIES.openaiBreakpoints, { ...policy, lifetimes: turned }]) {
      const placed = placeMarkers(plain, { policy: other, stableTtl: '1h' });
      expect(placed).toEqual(placeMarkers(plain, { policy: other }));
    }
  });

  test.each(['ttl', 'headTtl', 'stableTtl'])('%s: a lifetime that is none is refused', (name) => {
    const options = { policy, [name]: '2h' } as never;
    expect(() => placeMarkers(request(history, { markers: [] }), options)).toThrow(
      new RegExp(`Expected \\\`${name}\\\` to be one of`),
    );
  });

  test('no results or calls carry a breakpoint at OpenAI', () => {
    const call: Block = { type: 'tool_use', id: 'a', name: 'grep', input: {} };
    const result: Block = { type: 'tool_result', tool_use_id: 'a', content: 'found' };
    const messages = [user(9), message('assistant', call), message('user', result)];
    const { markers } = placeMarkers(request(messages, { markers: [] }), {
      policy: CACHE_POLICIES.openaiBreakpoints,
    });
    expect(markers).toEqual([{ at: 'system' }, onBlock(0)]);
  });

  test('case 48: four markers in all, none on an empty or thinking block, the same ones again', () => {
    const messages = [
      user(9),
      message('assistant', text(9), thinking),
      user(9),
      message('assistant', thinking, text(9)),
      message('user', text(9), text(0)),
    ];
    const own: Marker[] = [
      { at: 'tools' },
      { at: 'system' },
      { at: 'system' },
      onBlock(1, 1),
      onBlock(4, 1),
      onBlock(2),
      onBlock(0),
    ];
    const sent = request(messages, { head: head({ tools: TOOLS }), markers: own });
    const placed = placeMarkers(sent, { policy });
    expect(placed.markers).toEqual([{ at: 'tools' }, { at: 'system' }, onBlock(0), onBlock(2)]);
    expect(placeMarkers(sent, { policy })).toEqual(placed);
    const { markers } = placeMarkers({ ...sent, markers: own.slice(0, 2) }, { policy });
    expect(markers.at(-1)).toEqual(onBlock(4, 0));
  });

  test('what is placed is always legal, and the same again', () => {
    const ttl = fc.constantFrom('5m' as const, '1h' as const, undefined);
    const options = fc.record({
      parkedAt: fc.array(fc.nat(30), { maxLength: 3 }),
      ttl,
      headTtl: ttl,
      stableTtl: fc.constantFrom('1h' as const, undefined),
    });
    fc.assert(
      fc.property(traffic, options, fc.boolean(), (steps, wanted, keepsOwn) => {
        const [last] = play(steps, policy).slice(-1);
        const own = last?.request as ReturnType<typeof request>;
        const sent = keepsOwn ? own : { ...own, markers: [] };
        const placed = placeMarkers(sent, { policy, ...wanted });
        expect(checkMarkers(placed, policy)).toEqual([]);
        expect(placeMarkers(sent, { policy, ...wanted })).toEqual(placed);
        for (const marker of sent.markers) expect(placed.markers).toContain(marker);
      }),
    );
  });
});

describe('a parked marker (P4)', () => {
  /** Replaces the message at `at` and tells what the request after that reads. */
  const readAfterEdit = (at: number, parkedAt: readonly number[]) => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const messages: Message[] = [user(500, '0')];
    const send = (history: readonly Message[], startMs: number) =>
      cache.send(
        placeMarkers(request(history, { markers: [] }), { policy, parkedAt: [...parkedAt] }),
        { startMs },
      );
    send(messages, 0);
    for (let turn = 1; turn <= 30; turn++) {
      messages.push(assistant(100, String(turn)), user(100, String(turn)));
      send(messages, turn);
    }
    const edited = messages.map((each, index) => (index === at ? user(9, 'edit') : each));
    return send(edited, 31).tokens.read;
  };

  test('an edit at the frontier keeps everything before it', () => {
    expect(readAfterEdit(31, [31])).toBe(1_000 + 500 + 30 * 100);
  });

  test('without it the whole history is written again', () => {
    expect(readAfterEdit(31, [])).toBe(1_000);
  });
});

describe('checkMarkers (P1)', () => {
  test.each([
    { name: 'none', markers: [], codes: [] },
    { name: 'four', markers: [0, 1, 2, 3].map((at) => onBlock(at)), codes: [] },
    {
      name: 'five',
      markers: [0, 1, 2, 3, 4].map((at) => onBlock(at)),
      codes: ['too-many-markers'],
    },
    { name: 'two on one block', markers: [onBlock(0), onBlock(0)], codes: ['duplicate-marker'] },
    { name: 'outside the history', markers: [onBlock(9)], codes: ['marker-target'] },
    { name: 'outside a message', markers: [onBlock(0, 1)], codes: ['marker-target'] },
    {
      name: '1h after 5m',
      markers: [onBlock(1, 0, '1h'), onBlock(0, 0, '5m')],
      codes: ['marker-order'],
    },
    { name: '5m after 1h', markers: [onBlock(1, 0, '5m'), onBlock(0, 0, '1h')], codes: [] },
    {
      name: 'tools that are not there',
      markers: [{ at: 'tools' as const }],
      codes: ['marker-target'],
    },
  ])('$name', ({ markers, codes }) => {
    const problems = checkMarkers(request(history, { markers }), policy);
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });
});
