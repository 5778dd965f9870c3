import {
  createProjection,
  type Entry,
  type EntryBody,
  type Message,
  type Plan,
  type PlanContext,
  type Planner,
  toolResults,
  type View,
} from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { contextLimits } from '@varve/tokens';
import type { Announcement, StrategyContext, StrategyRun } from '../strategy.ts';
import { createCacheClock, planPrices } from './plan-context.ts';
import { requestFor } from './request-for.ts';

/** A planner and the name that its edits carry. */
export interface NamedPlanner {
  readonly by: string;
  readonly planner: Planner;
}

/**
 * A run of planners over a log of its own: what is added is logged, before each request every planner is asked in turn,
 * its edits are logged too, and the view is what is sent. Markers are parked where the view was edited and where it will
 * be next.
 */
export function createPlanned(
  context: StrategyContext,
  planners: readonly NamedPlanner[],
): StrategyRun {
  const log = createLog(context, planners);
  const clock = createCacheClock(context);
  let announced: Announcement | undefined;
  return {
    add: (message) => void log.append({ type: 'message', message }),
    request() {
      announced = undefined;
      for (const { by, planner } of planners) {
        const plan = planner.plan(planContext(context, log, clock));
        if (plan.kind !== 'edit') continue;
        announced = earliest(announced, { from: log.edit(plan, by), reason: plan.reason });
      }
      const { messages, server } = log.view();
      const frontiers = planners.flatMap(({ planner }) => planner.frontier?.() ?? []);
      const parkedAt = [...(announced ? [announced.from] : []), ...least(frontiers)];
      const asked = { ...requestFor(context, messages), ...(server && { server }) };
      const request = placeMarkers(asked, { policy: context.policy, parkedAt });
      clock.sent(request);
      return request;
    },
    announced: () => announced,
  };
}

const earliest = (one: Announcement | undefined, other: Announcement): Announcement =>
  one === undefined || other.from < one.from ? other : one;

const least = (values: readonly number[]): readonly number[] =>
  values.length > 0 ? [Math.min(...values)] : [];

interface Log {
  append(body: EntryBody): View;
  /** Appends the edits of a plan and returns the index of the first message of the view that they changed. */
  edit(plan: Plan & { readonly kind: 'edit' }, by: string): number;
  view(): View;
  /** Tokens of head and view. */
  tokens(): number;
}

function createLog({ head, sizeOf, now }: StrategyContext, planners: readonly NamedPlanner[]): Log {
  const projection = createProjection();
  let count = 0;
  let view: View = { messages: [], changedFrom: 0 };
  const append = (body: EntryBody): View => {
    const entry: Entry = { id: `entry-${count++}`, at: new Date(now()).toISOString(), ...body };
    view = projection.append(entry);
    for (const { planner } of planners) planner.observe(entry, view);
    return view;
  };
  append({ type: 'head', head });
  return {
    append,
    edit({ edits, reason, receipt }, by) {
      const changes = edits.map((edit) => {
        const body = { type: 'edit', by, reason, edit } as const;
        return append(receipt === undefined ? body : { ...body, receipt }).changedFrom;
      });
      return Math.min(...changes);
    },
    view: () => view,
    tokens: () => view.messages.reduce((sum, each) => sum + sizeOf(each), sizeOf(head)),
  };
}

function planContext(
  context: StrategyContext,
  log: Log,
  clock: ReturnType<typeof createCacheClock>,
): PlanContext {
  const { model, window, sizeOf, now } = context;
  const { maxOutputTokens } = model;
  const contextTokens = log.tokens();
  const limits = contextLimits({ windowTokens: window, maxOutputTokens });
  return {
    nowMs: now(),
    atUserTurn: isPersons(log.view().messages.at(-1)),
    contextTokens,
    limits: { ...limits, autocompactTokens: limits.autocompactTokens ?? limits.effectiveTokens },
    sizeOf,
    cache: clock.state(),
    prices: planPrices(context, contextTokens),
    thinking: model.thinking,
  };
}

const isPersons = (message: Message | undefined): boolean =>
  message?.role === 'user' && message.origin === undefined && toolResults(message).length === 0;
