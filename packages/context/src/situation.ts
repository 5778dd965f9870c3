import {
  type PlanContext,
  type Request,
  type RequestStamp,
  toolResults,
  type View,
} from '@varve/messages';
import { type CachePolicy, cachePolicy, NO_CACHE, PromptCacheError } from '@varve/prompt-cache';
import {
  contextLimits,
  contextWindow,
  createEstimator,
  type ModelInfo,
  priceTier,
} from '@varve/tokens';

export interface SituationOptions {
  readonly model: ModelInfo;
  readonly models?: readonly ModelInfo[] | undefined;
  readonly policy: CachePolicy;
}

/** The last request, when it was sent, and which prefix it carried. */
export interface SentRequest {
  readonly startedAtMs: number;
  readonly stamp: RequestStamp;
  /** Missing for one of an earlier run. */
  readonly request?: Request;
}

/** The last request that was answered, as the log tells it. */
export function lastAnswered({ messages }: View): SentRequest | undefined {
  const stamp = messages.findLast(({ response }) => response?.request)?.response?.request;
  return stamp && { startedAtMs: stamp.startedAtMs, stamp };
}

export interface Moment {
  readonly nowMs: number;
  /** Prompt tokens of the next request. */
  readonly contextTokens: number;
  readonly last: SentRequest | undefined;
}

/** Tells planners what is known at a moment. */
export function createSituation({ model, models, policy }: SituationOptions) {
  const { tokens: windowTokens } = contextWindow(model.id, { models });
  const { effectiveTokens, autocompactTokens = effectiveTokens } = contextLimits({
    windowTokens,
    maxOutputTokens: model.maxOutputTokens,
  });
  const limits = { windowTokens, effectiveTokens, autocompactTokens };
  const sizeOf = createEstimator({ family: model.tokenizer }).message;
  return (view: View, { nowMs, contextTokens, last }: Moment): PlanContext => ({
    nowMs,
    contextTokens,
    limits,
    sizeOf,
    atUserTurn: isAtUserTurn(view),
    cache: {
      warm: last !== undefined && isWarm(nowMs - last.startedAtMs, policy),
      markers: markersOf(last?.request),
    },
    prices: pricesOf(model, policy, contextTokens),
    thinking: model.thinking,
  });
}

/** The policy of a model; no cache where none is known. */
export function policyOf(model: ModelInfo): CachePolicy {
  try {
    return cachePolicy(model);
  } catch (error) {
    if (!PromptCacheError.is(error)) throw error;
    return NO_CACHE;
  }
}

function isAtUserTurn({ messages }: View): boolean {
  const newest = messages.at(-1);
  return newest?.role === 'user' && toolResults(newest).length === 0;
}

/** A prefix is warm as long as its longest-lived entry can be; a request later than that finds nothing. */
function isWarm(ageMs: number, { writes, lifetimes, defaultTtl }: CachePolicy): boolean {
  if (writes === 'none') return false;
  const { ms, graceMs } = (defaultTtl === '1h' && lifetimes.long) || lifetimes.short;
  return ms === null || ageMs <= ms + graceMs;
}

const markersOf = (request: Request | undefined): readonly number[] =>
  request?.markers.flatMap((marker) => (marker.at === 'message' ? marker.messageIndex : [])) ?? [];

/** In dollars where they are known, else in plain input tokens. */
function pricesOf(model: ModelInfo, policy: CachePolicy, promptTokens: number) {
  const tier = priceTier(model, promptTokens) ?? UNKNOWN_PRICES;
  const multiplier = policy.lifetimes.short.writeMultiplier ?? 1;
  return {
    read: tier.input * policy.readMultiplier,
    write: tier.input * Math.max(1, multiplier),
    output: tier.output,
  };
}

/** What most providers ask: a token of the reply costs five of the prompt. */
const UNKNOWN_PRICES = { input: 1, output: 5 };
