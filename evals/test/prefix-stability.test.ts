import type { Block, Message, Request, Role } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { BUILT_IN_STRATEGIES, type Strategy } from '../src/index.ts';
import { createPrefixStability } from '../src/replay/prefix-stability.ts';
import { choosing, cleared, planOf, rowAfterWaiting, rowFor } from './replays.ts';
import { generatedSteps } from './sessions.ts';

const block = (text: string): Block => ({ type: 'text', text });
const message = (role: Role, ...texts: string[]): Message => ({
  id: texts.join(),
  role,
  content: texts.map(block),
});

interface HeadParts {
  readonly system?: string;
  readonly tools?: readonly string[];
}

const request = (messages: readonly Message[], { system = 's', tools = [] }: HeadParts = {}) =>
  ({
    head: {
      id: 'h',
      model: 'm',
      system: [{ type: 'text', text: system }],
      tools: tools.map((name) => ({ name })),
      params: {},
    },
    messages,
    markers: [],
    maxOutputTokens: 1,
  }) satisfies Request;

const [A, B, C] = [message('user', 'a'), message('assistant', 'b'), message('user', 'c')];

describe('createPrefixStability', () => {
  test.each<[string, Request, Request, number | undefined]>([
    ['the same', request([A, B]), request([A, B]), undefined],
    ['copies of the same', request([A, B]), structuredClone(request([A, B])), undefined],
    ['something added', request([A, B]), request([A, B, C]), undefined],
    ['nothing before', request([]), request([A]), undefined],
    [
      'a message that went on',
      request([message('user', 'a')]),
      request([message('user', 'a', 'x')]),
      undefined,
    ],
    [
      'messages joined',
      request([message('user', 'a'), message('user', 'x')]),
      request([message('user', 'a', 'x'), B]),
      undefined,
    ],
    ['the first changed', request([A, B]), request([message('user', 'z'), B]), 0],
    ['the last changed', request([A, B, C]), request([A, B, message('user', 'z')]), 2],
    [
      'a later block changed',
      request([A, message('assistant', 'b', 'x')]),
      request([A, message('assistant', 'b', 'y'), C]),
      1,
    ],
    [
      'another role',
      request([A, message('user', 'b')]),
      request([A, message('assistant', 'b')]),
      1,
    ],
    ['one dropped', request([A, B, C]), request([A, C]), 1],
    ['the end dropped', request([A, B, C]), request([A, B]), 2],
    ['the system prompt changed', request([A]), request([A], { system: 't' }), -1],
    ['a tool added', request([A], { tools: ['x'] }), request([A], { tools: ['x', 'y'] }), -1],
  ])('%s', (_, before, after, expected) => {
    const stability = createPrefixStability();
    expect(stability.next(before)).toBeUndefined();
    expect(stability.next(after)).toBe(expected);
  });

  test('compares with the request before, not with the first', () => {
    const stability = createPrefixStability();
    const changed = [message('user', 'z'), B];
    expect(
      [request([A, B]), request(changed), request([...changed, C])].map(stability.next),
    ).toEqual([undefined, 0, undefined]);
  });
});

const plan = planOf(generatedSteps({ seed: 3, calls: 30, lines: 6 }));

/** Clears everything before message 7 from the tenth message on, and says `announced`. */
function announcing(from: number | undefined): Strategy {
  const clearsAt = 10;
  const strategy = choosing('announcing', (all) =>
    all.length < clearsAt ? all : all.map((each, at) => (at < 7 ? cleared(each) : each)),
  );
  return {
    ...strategy,
    create(context) {
      const run = strategy.create(context);
      let count = 0;
      return {
        ...run,
        add(each) {
          count += 1;
          run.add(each);
        },
        announced: () =>
          from !== undefined && count >= clearsAt ? { from, reason: 'test' } : undefined,
      };
    },
  };
}

describe('announced breaks', () => {
  const first = plan.recording.history.findIndex((each) => cleared(each) !== each);

  test.each([
    ['at its place', first, { breaksAnnounced: 1, breaksUnannounced: 0 }],
    ['too late', first + 1, { breaksAnnounced: 0, breaksUnannounced: 1 }],
    ['too early', first - 1, { breaksAnnounced: 0, breaksUnannounced: 1 }],
    ['not at all', undefined, { breaksAnnounced: 0, breaksUnannounced: 1 }],
  ])('an edit that is announced %s', (_, from, expected) => {
    expect(first).toBeGreaterThan(0);
    expect(rowFor(plan, announcing(from))).toMatchObject({ ...expected, breaks: 1 });
  });

  test('an announcement that is none ends the run', () => {
    expect(() => rowFor(plan, announcing(1.5))).toThrow(/`announcing` failed in announced\(\)/);
  });

  test('our own strategies announce every edit', async () => {
    const long = planOf(generatedSteps({ seed: 1, calls: 90, lines: 110 }));
    // as-it-was replays what the recorded agent sent: its breaks nobody announced
    const own = BUILT_IN_STRATEGIES.filter(({ name }) => name !== 'as-it-was');
    for (const strategy of oneIn(3, own)) {
      const row = await rowAfterWaiting(long, strategy);
      expect([strategy.name, row.breaksUnannounced]).toEqual([
        strategy.name,
        strategy.name === 'volatile-prefix' ? row.requests - 1 : 0,
      ]);
      if (strategy.name === 'microcompact-server') expect(row.breaksAnnounced).toBe(0);
      else expect(row.breaksAnnounced + row.breaksUnannounced).toBe(row.breaks);
    }
  });
});
