import { describe, expect, test } from 'vitest';
import { pinnedEdits } from '../src/cache-edits.ts';
import { createMicrocompact } from '../src/index.ts';
import { history, round, rounds, watched } from './build.ts';
import { contextFor, editsOf, receiptOf } from './working-log.ts';

type MicrocompactOptions = NonNullable<Parameters<typeof createMicrocompact>[0]>;

const ON: MicrocompactOptions = { preset: 'classic', experimental_cacheEdits: {} };

function planned(count: number, options: MicrocompactOptions = ON) {
  const planner = createMicrocompact(options);
  const log = watched(planner, history(rounds(count)));
  return { planner, log, plan: planner.plan(contextFor(log.view)) };
}

describe('createMicrocompact with cache edits (M2)', () => {
  test.each([
    { count: 0, deleted: 0 },
    { count: 1, deleted: 0 },
    { count: 20, deleted: 0 },
    { count: 21, deleted: 16 },
    { count: 30, deleted: 25 },
  ])('deletes $deleted of $count results', ({ count, deleted }) => {
    const { plan } = planned(count);
    expect(receiptOf(plan)?.clearedToolUseIds ?? []).toHaveLength(deleted);
    expect(plan.reason).toBe(deleted > 0 ? 'cache-edits' : 'below-result-limit');
  });

  test('leaves local messages alone, and announces how much the cache read drops', () => {
    const { log, plan } = planned(21);
    expect(editsOf(plan).map(({ kind }) => kind)).toEqual(['server']);
    const before = log.view.messages;
    const { expectedDropTokens = 0, tokensBefore, tokensAfter } = receiptOf(plan) ?? {};
    expect(expectedDropTokens).toBeGreaterThan(16 * 1_400);
    expect(tokensAfter).toBe(tokensBefore);
    for (const edit of editsOf(plan)) log.edit(edit);
    expect(log.view.messages).toEqual(before);
  });

  test('sends earlier deletions again in the same place', () => {
    const { planner, log, plan } = planned(21);
    for (const edit of editsOf(plan)) log.edit(edit);
    const [first] = pinnedEdits(log.view.server);
    expect(planner.plan(contextFor(log.view))).toEqual({
      kind: 'none',
      reason: 'below-result-limit',
    });
    for (let index = 21; index < 37; index++) for (const message of round(index)) log.say(message);
    for (const edit of editsOf(planner.plan(contextFor(log.view)))) log.edit(edit);
    const [again, second] = pinnedEdits(log.view.server);
    expect(again).toEqual(first);
    expect(second?.messageId).not.toBe(first?.messageId);
    expect(second?.edits).toHaveLength(16);
  });

  test('clearing after a silence forgets them', () => {
    const { planner, log, plan } = planned(21);
    for (const edit of editsOf(plan)) log.edit(edit);
    const late = contextFor(log.view, { nowMs: Date.UTC(2026, 0, 2) });
    const cleared = planner.plan(late);
    expect(editsOf(cleared).map(({ kind }) => kind)).toEqual(['replace-content', 'server']);
    for (const edit of editsOf(cleared)) log.edit(edit);
    expect(pinnedEdits(log.view.server)).toEqual([]);
    expect(planner.plan(contextFor(log.view)).reason).toBe('below-result-limit');
  });

  test.each<{ name: string; options: MicrocompactOptions; reason: string }>([
    { name: 'without the flag', options: { preset: 'classic' }, reason: 'count' },
    { name: 'in a fork', options: { ...ON, isFork: true }, reason: 'count' },
  ])('is off $name', ({ options, reason }) => {
    expect(planned(30, options).plan.reason).toBe(reason);
  });

  test('leaves calls alone whose id came twice', () => {
    const planner = createMicrocompact(ON);
    const log = watched(planner, history(rounds(30, { id: 'same' })));
    expect(planner.plan(contextFor(log.view))).toEqual({
      kind: 'none',
      reason: 'nothing-to-clear',
    });
  });
});
