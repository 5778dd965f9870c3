import { createLayeredLog, type LayerEvent, type LayeredLogOptions } from '@varve/context';
import {
  type Entry,
  isAtUserTurn,
  type Message,
  type PlanContext,
  type Request,
  type View,
} from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { contextLimits } from '@varve/tokens';
import type { Announcement, StrategyContext } from '../strategy.ts';
import { createCacheClock, planPrices } from './plan-context.ts';
import { requestFor } from './request-for.ts';

/** An entry that has no id and no time yet. */
export type EntryBody = BodyOf<Entry>;
type BodyOf<Each> = Each extends Entry ? Omit<Each, 'id' | 'at'> : never;

/** A log with layers on it, and the requests that are made from it. */
export interface PlannedLog {
  add(message: Message): void;
  /** Appends anything else; an edit is announced with the next request. */
  append(body: EntryBody, options?: { readonly isCompaction?: boolean }): void;
  /** Every layer is asked in turn. A layer that gives way throws. */
  edit(): void;
  view(): View;
  /** What a planner is told now. */
  context(): PlanContext;
  /** The request to send; markers are parked where the view was edited and where it will be next. */
  request(): Request;
  /** What was edited before the last request. */
  announced(): Announcement | undefined;
}

/** Starts with the head of the session. */
export function createPlannedLog(
  context: StrategyContext,
  { layers, onEntry }: LayeredLogOptions,
): PlannedLog {
  const { head, now, policy } = context;
  const log = createLayeredLog({ layers, onEntry });
  const clock = createCacheClock(context);
  const at = (): string => new Date(now()).toISOString();
  const plan = (view: View): PlanContext => planContext(context, view, clock.state());
  let pending: Announcement | undefined;
  let announced: Announcement | undefined;
  function append(body: EntryBody, { isCompaction = false } = {}): void {
    const { changedFrom: from } = log.append({
      id: log.nextId(body.type),
      at: at(),
      ...body,
    });
    if (body.type === 'edit')
      pending = earliest(pending, { from, reason: body.reason, isCompaction });
  }
  append({ type: 'head', head });
  return {
    append,
    add: (message) => append({ type: 'message', message }),
    edit() {
      for (const event of log.edit({ plan, at: at() }).events) pending = edited(pending, event);
    },
    view: log.view,
    context: () => plan(log.view()),
    request() {
      const { messages, server } = log.view();
      const asked = { ...requestFor(context, messages), ...(server && { server }) };
      const request = placeMarkers(asked, { policy, parkedAt: log.parkedAt() });
      clock.sent(request);
      [announced, pending] = [pending, undefined];
      return request;
    },
    announced: () => announced,
  };
}

function edited(one: Announcement | undefined, event: LayerEvent): Announcement | undefined {
  if (event.kind === 'failed') throw event.cause;
  if (event.kind === 'idle') return one;
  return earliest(one, { from: event.changedFrom, reason: event.reason });
}

function earliest(one: Announcement | undefined, other: Announcement): Announcement {
  const isCompaction = (one?.isCompaction ?? false) || (other.isCompaction ?? false);
  const first = one !== undefined && one.from <= other.from ? one : other;
  return { ...first, isCompaction };
}

function planContext(
  context: StrategyContext,
  { messages }: View,
  cache: PlanContext['cache'],
): PlanContext {
  const { head, model, window, sizeOf, now } = context;
  const { maxOutputTokens } = model;
  const contextTokens = messages.reduce((sum, each) => sum + sizeOf(each), sizeOf(head));
  const limits = contextLimits({ windowTokens: window, maxOutputTokens });
  return {
    nowMs: now(),
    atUserTurn: isAtUserTurn(messages),
    contextTokens,
    limits: { ...limits, autocompactTokens: limits.autocompactTokens ?? limits.effectiveTokens },
    sizeOf,
    cache,
    prices: planPrices(context, contextTokens),
    thinking: model.thinking,
  };
}
