import type { Marker, PlanContext, Request, View } from '@varve/messages';
import { isAtUserTurn } from '@varve/messages/thinking';
import type { CachePolicy } from '@varve/prompt-cache';
import { contextLimits, type ModelInfo } from '@varve/tokens';
import { priceTier } from '@varve/tokens/models';
import type { ModelFacts } from './model-facts.ts';

/** The last request that was answered: what can still be cached. */
export interface Answered {
  readonly startedAtMs: number;
  readonly markers: Request['markers'];
}

export interface Moment {
  readonly nowMs: number;
  /** Prompt tokens of the next request. */
  readonly contextTokens: number;
  readonly answered: Answered | undefined;
  /** How many messages of that request still stand where they stood. */
  readonly cachedMessages: number;
}

export interface LimitOptions {
  /** Share of the window that a conversation can fill at which it is compacted; never later than by default. */
  readonly percent?: number | undefined;
}

export type LimitsOf = (facts: ModelFacts) => PlanContext['limits'];

/** What a conversation can fill, by the model that the next request goes to. */
export function createLimits({ percent }: LimitOptions): LimitsOf {
  const known = new Map<ModelFacts, PlanContext['limits']>();
  return (facts) => {
    const found = known.get(facts);
    if (found) return found;
    const { windowTokens, maxOutputTokens, askedOutputTokens } = facts;
    const { effectiveTokens, autocompactTokens = effectiveTokens } = contextLimits({
      windowTokens,
      maxOutputTokens: Math.min(askedOutputTokens ?? Infinity, maxOutputTokens ?? Infinity),
      autocompactPercent: percent,
    });
    const limits = { windowTokens, effectiveTokens, autocompactTokens };
    known.set(facts, limits);
    return limits;
  };
}

/** Tells planners what is known at a moment, of the model that the next request goes to. */
export const createPlanContext =
  (limitsOf: LimitsOf) =>
  (view: View, moment: Moment, facts: ModelFacts): PlanContext => {
    const { model, policy, sizeOf } = facts;
    return {
      nowMs: moment.nowMs,
      contextTokens: moment.contextTokens,
      limits: limitsOf(facts),
      sizeOf,
      atUserTurn: isAtUserTurn(view.messages),
      cache: cacheOf(moment, policy),
      prices: pricesOf(model, policy, moment),
      thinking: model.thinking,
    };
  };

/** A prefix is warm as long as an entry of it lives; a request later than that finds nothing. */
function cacheOf(
  { answered, nowMs, cachedMessages }: Moment,
  policy: CachePolicy,
): PlanContext['cache'] {
  if (answered === undefined || policy.writes === 'none') return { warm: false, markers: [] };
  const lives = (ttl: Marker['ttl']): boolean => {
    const { ms, graceMs } = lifetimeOf(policy, ttl);
    return ms === null || nowMs - answered.startedAtMs <= ms + graceMs;
  };
  const markers = answered.markers.flatMap((marker) =>
    marker.at === 'message' && marker.messageIndex < cachedMessages && lives(marker.ttl)
      ? marker.messageIndex
      : [],
  );
  return { warm: markers.length > 0 || lives(undefined), markers };
}

/** The lifetime of a marker; of one that names none, that of the policy. */
const lifetimeOf = (
  { lifetimes, defaultTtl }: CachePolicy,
  ttl: Marker['ttl'] = defaultTtl,
): CachePolicy['lifetimes']['short'] => (ttl === '1h' && lifetimes.long) || lifetimes.short;

/** In dollars where they are known, else in plain input tokens; what is written again is written as the end of the prompt was. */
function pricesOf(
  model: ModelInfo,
  policy: CachePolicy,
  { contextTokens, answered }: Moment,
): PlanContext['prices'] {
  const { input, output } = priceTier(model, contextTokens) ?? UNKNOWN_PRICES;
  const multiplier = lifetimeOf(policy, answered?.markers.at(-1)?.ttl).writeMultiplier ?? 1;
  return {
    read: policy.writes === 'none' ? input : input * policy.readMultiplier,
    write: policy.chargesWrites ? input * multiplier : input,
    output,
  };
}

/** What most providers ask: a token of the reply costs five of the prompt. */
const UNKNOWN_PRICES = { input: 1, output: 5 };
