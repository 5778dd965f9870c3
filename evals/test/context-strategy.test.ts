import {
  type Edit,
  isThinking,
  isToolResult,
  type Plan,
  type PlanContext,
  type Planner,
  type View,
} from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { Strategy } from '../src/index.ts';
import { contextStrategy } from '../src/strategies/context-strategy.ts';
import keepAll from '../src/strategies/keep-all.ts';
import { planOf, rowAfterWaiting } from './replays.ts';
import { generatedSteps, type Step } from './sessions.ts';

const STEPS = generatedSteps({ seed: 3, calls: 40, lines: 8 });

interface Spied {
  readonly strategy: Strategy;
  readonly contexts: PlanContext[];
}

/** A strategy of one planner that plans what `plan` says about the view. */
function planned(plan: (view: View, context: PlanContext) => Plan): Spied {
  const contexts: PlanContext[] = [];
  const create = (): Planner => {
    let view: View = { messages: [], changedFrom: 0 };
    return {
      observe: (_, next) => {
        view = next;
      },
      plan(context) {
        contexts.push(context);
        return plan(view, context);
      },
    };
  };
  const strategy = contextStrategy('planned', () => ({
    layers: [{ name: 'test', planner: create() }],
  }));
  return { strategy, contexts };
}

/** Clears the oldest result that still stands, once there are more than `keep`. */
const clearOldest =
  (keep: number) =>
  ({ messages }: View): Plan => {
    const standing = messages.flatMap(({ content, sources }) =>
      content.flatMap((block, index) =>
        isToolResult(block) && block.content !== '-' ? [{ block, index, id: sources[0] }] : [],
      ),
    );
    const [oldest] = standing;
    if (oldest === undefined || standing.length <= keep) return { kind: 'none', reason: 'few' };
    const block = { ...oldest.block, content: '-' };
    const edit: Edit = {
      kind: 'replace-content',
      blocks: [{ messageId: oldest.id as string, index: oldest.index, block }],
    };
    return { kind: 'edit', edits: [edit], reason: 'oldest' };
  };

describe('contextStrategy', () => {
  test('a planner that plans nothing is keep-all', async () => {
    const plan = planOf(STEPS);
    const { strategy } = planned(() => ({ kind: 'none', reason: 'idle' }));
    const { strategy: _, ...row } = await rowAfterWaiting(plan, strategy);
    const { strategy: __, ...same } = await rowAfterWaiting(plan, keepAll);
    expect(row).toEqual(same);
  });

  test('edits are sent, announced where they are, and stay', async () => {
    const row = await rowAfterWaiting(planOf(STEPS), planned(clearOldest(5)).strategy);
    expect(row).toMatchObject({ breaksUnannounced: 0, invalidRequests: 0, repeatable: true });
    expect(row.breaks).toBeGreaterThan(10);
    expect(row.breaksAnnounced).toBe(row.breaks);
    expect(row.rereads).toBeGreaterThan(0);
  });

  test('a planner that throws fails the run and is named', async () => {
    const { strategy } = planned(({ messages }) => {
      if (messages.length > 3) throw new Error('no plan');
      return { kind: 'none', reason: 'idle' };
    });
    const run = () => rowAfterWaiting(planOf(STEPS), strategy);
    await expect(run).rejects.toThrow('The strategy `planned` failed in prepare(): no plan.');
  });

  test('asks the server for what a planner plans there', async () => {
    const edits = [{ type: 'clear_tool_uses_20250919', trigger: { type: 'tool_uses', value: 3 } }];
    const { strategy } = planned(({ server }) => {
      if (server !== undefined) return { kind: 'none', reason: 'set' };
      const edit: Edit = { kind: 'server', params: { context_management: { edits } } };
      return { kind: 'edit', edits: [edit], reason: 'set' };
    });
    const row = await rowAfterWaiting(planOf(STEPS), strategy);
    expect(row).toMatchObject({ breaksAnnounced: 0, breaksUnannounced: 0, repeatable: true });
    expect(row.breaks).toBeGreaterThan(0);
    expect(row.rereads).toBeGreaterThan(0);
  });

  test('an illegal edit on a model that binds thinking is found, whatever copies are sent', async () => {
    const steps = STEPS.map(
      (step, at): Step => ('call' in step ? { ...step, thinking: `Thought ${at}.` } : step),
    );
    const bound = planOf(steps, { pricing: { thinking: 'prefix-bound' } });
    expect(
      bound.recording.history.flatMap(({ content }) => content.filter(isThinking)),
    ).not.toEqual([]);
    const row = await rowAfterWaiting(bound, planned(clearOldest(5)).strategy);
    expect(row.violations['stale-thinking']).toBeGreaterThan(10);
    const idle = planned(() => ({ kind: 'none', reason: 'idle' }));
    expect((await rowAfterWaiting(bound, idle.strategy)).violations).toEqual({});
  });

  test('planners are told time, turn, size, limits, cache, prices and the rule of thinking', async () => {
    const plan = planOf(STEPS, { gapMs: 60_000, pricing: { ttl: '5m', readPrice: 0.05 } });
    const { strategy, contexts } = planned(() => ({ kind: 'none', reason: 'idle' }));
    const { requests } = await rowAfterWaiting(plan, strategy);
    const asked = contexts.slice(0, requests);
    const { model, window } = plan.pricing;
    const { input = 0, output } = model.prices[0] ?? {};
    const [first, second] = asked;
    expect(first).toMatchObject({
      atUserTurn: true,
      cache: { warm: false, markers: [] },
      thinking: model.thinking,
      prices: { read: 0.05 * input, write: 1.25 * input, output },
    });
    expect(first?.limits.windowTokens).toBe(window);
    expect(second).toMatchObject({ atUserTurn: false, cache: { warm: true, markers: [0] } });
    expect((second?.nowMs ?? 0) - (first?.nowMs ?? 0)).toBeGreaterThan(60_000);
    const last = plan.recording.history.slice(0, plan.recording.replies.at(-1));
    const { sizes, head } = plan.recording;
    const tokens = last.reduce((sum, each) => sum + sizes.message(each), sizes.of(head));
    expect(Math.abs((asked.at(-1)?.contextTokens ?? 0) - tokens)).toBeLessThan(5);
  });

  test.each([
    ['5m', 10 * 60_000, false],
    ['1h', 10 * 60_000, true],
    ['none', 10 * 60_000, true],
  ] as const)(
    'after ten minutes of silence a cache of %s is warm: %s %s',
    async (ttl, gapMs, warm) => {
      const { strategy, contexts } = planned(() => ({ kind: 'none', reason: 'idle' }));
      await rowAfterWaiting(planOf(STEPS, { gapMs, pricing: { ttl } }), strategy);
      expect(contexts[1]?.cache.warm).toBe(warm);
    },
  );

  test('without a cache nothing is warm, and everything costs the plain price', async () => {
    const { strategy, contexts } = planned(() => ({ kind: 'none', reason: 'idle' }));
    const plan = planOf(STEPS, { pricing: { provider: 'none' } });
    await rowAfterWaiting(plan, strategy);
    const input = plan.pricing.model.prices[0]?.input;
    expect(contexts[3]).toMatchObject({
      cache: { warm: false, markers: [] },
      prices: { read: input, write: input },
    });
  });
});
