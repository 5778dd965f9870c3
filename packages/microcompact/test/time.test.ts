import { describe, expect, test } from 'vitest';
import { createMicrocompact, microcompact } from '../src/index.ts';
import { history, replied, rounds, said, watched } from './build.ts';
import { contextFor, editsOf } from './working-log.ts';

const HOUR = 3_600_000;
const BASE = { mechanisms: ['time'], thinkingRule: 'free', lastReplyMs: 1_000 } as const;

describe('microcompact by time (M1)', () => {
  const messages = [...history(rounds(8)), replied(), said()];

  test.each([
    { idleMs: 0, cleared: 0, reason: 'not-idle' },
    { idleMs: HOUR - 1, cleared: 0, reason: 'not-idle' },
    { idleMs: HOUR, cleared: 3, reason: 'idle' },
    { idleMs: 30 * HOUR, cleared: 3, reason: 'idle' },
  ])('after $idleMs ms of silence clears $cleared of 8 results', ({ idleMs, cleared, reason }) => {
    const result = microcompact(messages, { ...BASE, nowMs: 1_000 + idleMs });
    expect(result.cleared.map(({ toolUseId }) => toolUseId)).toEqual(
      ['call-0', 'call-1', 'call-2'].slice(0, cleared),
    );
    expect(result.reason).toBe(reason);
  });

  test.each([
    { keepRecent: 0, cleared: 7 },
    { keepRecent: 1, cleared: 7 },
    { keepRecent: 2, cleared: 6 },
    { keepRecent: 8, cleared: 0 },
    { keepRecent: 9, cleared: 0 },
  ])(
    'keeping $keepRecent, but never fewer than one, clears $cleared',
    ({ keepRecent, cleared }) => {
      const result = microcompact(messages, { ...BASE, nowMs: 2 * HOUR, keepRecent });
      expect(result.cleared).toHaveLength(cleared);
    },
  );

  test.each([
    { name: 'without any reply', options: { lastReplyMs: undefined }, reason: 'no-reply-yet' },
    { name: 'with nothing old', options: { keepRecent: 8 }, reason: 'nothing-to-clear' },
  ])('$name does nothing: $reason', ({ options, reason }) => {
    const result = microcompact(messages, { ...BASE, nowMs: 2 * HOUR, ...options });
    expect(result).toMatchObject({ messages, reason, savedTokens: 0 });
    expect(result.messages).toBe(messages);
  });

  test('goes by the lifetime of the cache where asked to', () => {
    const cold = { ...BASE, nowMs: 2_000, cacheWarm: false };
    expect(microcompact(messages, cold).reason).toBe('not-idle');
    expect(microcompact(messages, { ...cold, time: { whenCold: true } }).reason).toBe('idle');
  });

  test('takes the time of the last reply from the log', () => {
    const planner = createMicrocompact({ preset: 'classic' });
    const { view } = watched(planner, messages);
    const lastMs = Date.UTC(2026, 0, 1);
    expect(planner.plan(contextFor(view, { nowMs: lastMs + HOUR - 1 })).kind).toBe('none');
    const plan = planner.plan(contextFor(view, { nowMs: lastMs + HOUR }));
    expect(plan).toMatchObject({ kind: 'edit', reason: 'idle' });
    expect(editsOf(plan)).toHaveLength(1);
  });
});
