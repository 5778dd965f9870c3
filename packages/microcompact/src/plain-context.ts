import type { PlanContext, ThinkingRule } from '@varve/messages';
import { contextLimits, type ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import type { Candidates } from './candidate.ts';

type PlanPrices = PlanContext['prices'];

/** What a plain history does not say about the next request. */
export interface SituationOptions {
  /** Whose prices, window and rule for thinking count. Without one: the strictest rule, and the ratios of most prices. */
  readonly model?: string | undefined;
  /** How the model binds thinking. @default the model's; 'prefix-bound' for an unknown one */
  readonly thinkingRule?: ThinkingRule | undefined;
  /** Only their ratios matter. @default the model's; else 0.1 to read, 1.25 to write, 5 for output */
  readonly prices?: PlanPrices | undefined;
  /** Milliseconds since 1970. @default 0, at which no time has passed */
  readonly nowMs?: number | undefined;
  /** When the last reply was made, in milliseconds since 1970. @default never: nothing is cleared by time */
  readonly lastReplyMs?: number | undefined;
  /** Whether the provider's cache still holds the last request. @default true */
  readonly cacheWarm?: boolean | undefined;
  /** Whether a person has just spoken. @default whether a person said something since the last reply, beside results too */
  readonly atUserTurn?: boolean | undefined;
  /** Size of the next request in tokens, system prompt and tools included. @default an estimate of the messages */
  readonly contextTokens?: number | undefined;
}

/** What a planner would be told. */
export function planContext(
  candidates: Candidates,
  isUserTurn: boolean,
  options: SituationOptions,
): PlanContext {
  const model = options.model === undefined ? undefined : findModel(options.model);
  const { nowMs = 0, cacheWarm = true, atUserTurn = isUserTurn } = options;
  const { contextTokens = candidates.totalTokens, prices = pricesOf(model) } = options;
  const { thinkingRule = model?.thinking ?? 'prefix-bound' } = options;
  return {
    nowMs,
    atUserTurn,
    contextTokens,
    limits: limitsOf(model),
    sizeOf: () => 0,
    cache: { warm: cacheWarm, markers: [] },
    prices,
    thinking: thinkingRule,
  };
}

function pricesOf(model: ModelInfo | undefined): PlanPrices {
  const tier = model?.prices[0];
  if (!tier) return USUAL_PRICES;
  const { input, output, cacheRead, cacheWrite5m = input } = tier;
  return { read: cacheRead, write: cacheWrite5m, output };
}

/** In units of a plain prompt token, as most of Anthropic's models are priced (November 2026). */
const USUAL_PRICES: PlanPrices = { read: 0.1, write: 1.25, output: 5 };

/** What a model without a known window is taken to have, in tokens. */
const USUAL_WINDOW = 200_000;

function limitsOf(model: ModelInfo | undefined): PlanContext['limits'] {
  const { windowTokens = USUAL_WINDOW, maxOutputTokens } = model ?? {};
  const limits = contextLimits({ windowTokens, maxOutputTokens });
  const { effectiveTokens, baseTokens } = limits;
  return { windowTokens, effectiveTokens, autocompactTokens: baseTokens };
}
