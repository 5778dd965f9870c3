import { createLayeredLog, type Layer, type LayerEvent, type LayeredLog } from '@varve/context';
import { type Message, type PlanContext, toolResults } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { contextLimits } from '@varve/tokens';
import type { Announcement, StrategyContext, StrategyRun } from '../strategy.ts';
import { type CacheClock, createCacheClock, planPrices } from './plan-context.ts';
import { requestFor } from './request-for.ts';

/**
 * A run of the layers of `@varve/context` over a log of its own: what is added is logged, before each request every layer
 * is asked in turn, and the view is what is sent. Markers are parked where the view was edited and where it will be next.
 * A layer that gives way fails the run.
 */
export function createPlanned(context: StrategyContext, layers: readonly Layer[]): StrategyRun {
  const { head, now, policy } = context;
  const log = createLayeredLog({ layers });
  const clock = createCacheClock(context);
  const at = (): string => new Date(now()).toISOString();
  let announced: Announcement | undefined;
  log.append({ id: log.nextId('head'), at: at(), type: 'head', head });
  return {
    add: (message) =>
      void log.append({ id: log.nextId('message'), at: at(), type: 'message', message }),
    request() {
      const { events } = log.edit({ plan: () => planContext(context, log, clock), at: at() });
      announced = events.reduce(earliest, undefined);
      const { messages, server } = log.view();
      const frontiers = layers.flatMap(({ planner }) => planner.frontier?.() ?? []);
      const parkedAt = [...(announced ? [announced.from] : []), ...least(frontiers)];
      const asked = { ...requestFor(context, messages), ...(server && { server }) };
      const request = placeMarkers(asked, { policy, parkedAt });
      clock.sent(request);
      return request;
    },
    announced: () => announced,
  };
}

function earliest(one: Announcement | undefined, event: LayerEvent): Announcement | undefined {
  if (event.kind === 'failed') throw event.cause;
  if (event.kind === 'idle' || (one !== undefined && one.from <= event.changedFrom)) return one;
  return { from: event.changedFrom, reason: event.reason };
}

const least = (values: readonly number[]): readonly number[] =>
  values.length > 0 ? [Math.min(...values)] : [];

function planContext(context: StrategyContext, log: LayeredLog, clock: CacheClock): PlanContext {
  const { head, model, window, sizeOf, now } = context;
  const { maxOutputTokens } = model;
  const { messages } = log.view();
  const contextTokens = messages.reduce((sum, each) => sum + sizeOf(each), sizeOf(head));
  const limits = contextLimits({ windowTokens: window, maxOutputTokens });
  return {
    nowMs: now(),
    atUserTurn: isPersons(messages.at(-1)),
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
