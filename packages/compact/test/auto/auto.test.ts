import { describe, expect, test } from 'vitest';
import type { BreakerEvent, BreakerState } from '../../src/auto/breaker.ts';
import { NEW_BREAKER, nextBreaker } from '../../src/auto/breaker.ts';
import type { DecisionInput } from '../../src/auto/decide-compaction.ts';
import { decideCompaction } from '../../src/auto/decide-compaction.ts';
import { largestProducers } from '../../src/auto/producers.ts';
import { ESTIMATOR, round, said } from '../full/histories.ts';

const INPUT: DecisionInput = {
  contextTokens: 170_000,
  thresholdTokens: 167_000,
  windowTokens: 200_000,
  breaker: NEW_BREAKER,
};

const stateAfter = (...events: readonly BreakerEvent[]): BreakerState =>
  events.reduce(nextBreaker, NEW_BREAKER);

const auto = { kind: 'compacted', trigger: 'auto' } as const;
const manual = { kind: 'compacted', trigger: 'manual' } as const;
const failed = { kind: 'failed', trigger: 'auto' } as const;
const request = { kind: 'request' } as const;
const userTurn = { kind: 'user-turn' } as const;

describe('decideCompaction (C1)', () => {
  test.each([
    { name: 'over the threshold', input: {}, reason: 'over-threshold' },
    { name: 'at the threshold', input: { contextTokens: 167_000 }, reason: 'over-threshold' },
    { name: 'under the threshold', input: { contextTokens: 166_999 }, reason: 'below-threshold' },
    { name: 'under it after a snip', input: { snipFreedTokens: 3_001 }, reason: 'below-threshold' },
    { name: 'in a summary', input: { switches: { source: 'compact' } }, reason: 'own-fork' },
    { name: 'in the notes', input: { switches: { source: 'session-memory' } }, reason: 'own-fork' },
    {
      name: 'in the agent of collapse',
      input: { switches: { source: 'collapse' } },
      reason: 'own-fork',
    },
    {
      name: 'in a sub-agent',
      input: { switches: { source: 'sub-agent' } },
      reason: 'over-threshold',
    },
    {
      name: 'switched off',
      input: { switches: { enabled: false, auto: false } },
      reason: 'disabled',
    },
    {
      name: 'switched off for itself',
      input: { switches: { auto: false, reactiveOnly: true } },
      reason: 'auto-disabled',
    },
    {
      name: 'only after a refusal',
      input: { switches: { reactiveOnly: true, collapse: true } },
      reason: 'reactive-only',
    },
    { name: 'beside collapse', input: { switches: { collapse: true } }, reason: 'collapse-on' },
    {
      name: 'after failures',
      input: { breaker: stateAfter(failed, failed, failed) },
      reason: 'breaker-open',
    },
    {
      name: 'with an overhead that fills it',
      input: { overheadTokens: () => 167_000 },
      reason: 'irreducible-overhead',
    },
    {
      name: 'with an overhead that does not',
      input: { overheadTokens: () => 166_999 },
      reason: 'over-threshold',
    },
  ] as const)('says $reason $name', ({ input, reason }) => {
    expect(decideCompaction({ ...INPUT, ...input }).reason).toBe(reason);
  });

  // siblings: an overhead over the threshold, compactions that follow each other closely, both with nothing else left to do
  test.each([
    [
      'an overhead over the threshold, while the request fits',
      3_000,
      2_000,
      'irreducible-overhead',
    ],
    ['the same once the request would not fit', 5_500, 4_000, 'over-threshold'],
    ['an overhead that does not fit itself', 5_500, 5_500, 'irreducible-overhead'],
  ] as const)('K301: %s', (_, contextTokens, overhead, reason) => {
    const limits = { thresholdTokens: 2_000, effectiveTokens: 5_500, windowTokens: 8_000 };
    const input = { ...INPUT, ...limits, contextTokens, overheadTokens: () => overhead };
    expect(decideCompaction(input).reason).toBe(reason);
  });

  test.each([
    [8_000, 5_000, 'no-headroom'],
    [8_000, 5_500, 'over-threshold'],
    [200_000, 190_000, 'no-headroom'],
  ])(
    'K301: in a window of %i close compactions wait at %i tokens: %s',
    (windowTokens, contextTokens, reason) => {
      const limits = { thresholdTokens: 2_000, effectiveTokens: 5_500, windowTokens };
      const breaker = stateAfter(auto, request, auto, request, { kind: 'paused' });
      expect(decideCompaction({ ...limits, contextTokens, breaker }).reason).toBe(reason);
    },
  );

  test('names the sizes that leave no room', () => {
    expect(decideCompaction({ ...INPUT, overheadTokens: () => 168_000 })).toEqual({
      kind: 'none',
      reason: 'irreducible-overhead',
      tokens: 170_000,
      thresholdTokens: 167_000,
      overheadTokens: 168_000,
      windowTokens: 200_000,
    });
  });

  test('does not look for the overhead below the threshold', () => {
    const overheadTokens = () => {
      throw new Error('looked');
    };
    expect(decideCompaction({ ...INPUT, contextTokens: 1, overheadTokens }).kind).toBe('none');
  });
});

describe('nextBreaker (C2)', () => {
  test.each([
    { name: 'nothing', events: [], failures: 0 },
    { name: 'failures', events: [failed, failed, failed], failures: 3 },
    { name: 'a failure by hand', events: [{ kind: 'failed', trigger: 'manual' }], failures: 0 },
    {
      name: 'an abort between failures',
      events: [failed, { kind: 'aborted', trigger: 'auto' }, failed],
      failures: 2,
    },
    { name: 'an automatic success', events: [failed, failed, auto], failures: 0 },
    { name: 'a success by hand', events: [failed, failed, failed, manual], failures: 0 },
    { name: 'a turn of the user', events: [failed, userTurn, failed], failures: 2 },
  ] as const)('counts $failures failures after $name', ({ events, failures }) => {
    expect(stateAfter(...events).failures).toBe(failures);
  });

  test.each([
    { name: 'one compaction', events: [auto, request], again: 'compact' },
    {
      name: 'two close ones',
      events: [auto, request, request, request, auto, request],
      again: 'none',
    },
    {
      name: 'two with work between',
      events: [auto, request, request, request, request, auto, request],
      again: 'compact',
    },
    {
      name: 'two, and work after them',
      events: [auto, request, auto, request, request, request, request],
      again: 'compact',
    },
    {
      name: 'a pause that was told',
      events: [auto, request, auto, { kind: 'paused' }, ...Array<BreakerEvent>(9).fill(request)],
      again: 'none',
    },
    {
      name: 'two, and a word of the user',
      events: [auto, request, auto, userTurn],
      again: 'compact',
    },
    {
      name: 'two, and one by hand',
      events: [auto, request, auto, request, manual, request],
      again: 'compact',
    },
  ] as const)('lets the next one: $again, after $name', ({ events, again }) => {
    expect(decideCompaction({ ...INPUT, breaker: stateAfter(...events) }).kind).toBe(again);
  });
});

describe('largestProducers', () => {
  test('names tools by what their results hold, the largest first', () => {
    const history = [
      said('Go.'),
      ...round('a', 100, 'read'),
      ...round('b', 900, 'grep'),
      ...round('c', 200, 'read'),
    ];
    const messages = history.map(({ role, content }, index) => ({
      id: `m${index}`,
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    }));
    const producers = largestProducers(messages, ESTIMATOR.message);
    expect(producers.map(({ toolName, results }) => [toolName, results])).toEqual([
      ['grep', 1],
      ['read', 2],
    ]);
    expect(producers[0]?.largestTokens).toBeGreaterThanOrEqual(900);
  });
});
