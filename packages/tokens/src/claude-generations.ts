import type { CacheRules, ModelInfo, PriceTier, ServerFeature } from './model-info.ts';

// Anthropic's pages on pricing, prompt caching, context windows and preserved thinking, compared on this day.
const CHECKED_ON = '2026-11-28';

const FIVE_MINUTES = { ttl: '5m', seconds: 300 };
const ONE_HOUR = { ttl: '1h', seconds: 3_600 };

export const cacheFrom = (minPrefixTokens: number): CacheRules => ({
  minPrefixTokens,
  lifetimes: [FIVE_MINUTES, ONE_HOUR],
  writes: 'charged',
});

type Rates = readonly [
  input: number,
  output: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  cacheRead: number,
];

export function tier(fromPromptTokens: number, rates: Rates): PriceTier {
  const [input, output, cacheWrite5m, cacheWrite1h, cacheRead] = rates;
  return { fromPromptTokens, input, output, cacheRead, cacheWrite5m, cacheWrite1h };
}

export const flat = (...rates: Rates): readonly PriceTier[] => [tier(0, rates)];

export const EDITS: readonly ServerFeature[] = ['context-editing'];
export const COMPACTION: readonly ServerFeature[] = [
  'context-editing',
  'threshold-compaction',
  'on-demand-compaction',
];
const SYSTEM_MESSAGES: readonly ServerFeature[] = [...COMPACTION, 'system-messages'];
export const BUDGET_TAGS: readonly ServerFeature[] = [...COMPACTION, 'budget-tags'];

/** From Opus 4.7 on: a million tokens, the newer vocabulary. */
export const CURRENT = {
  aliases: [],
  provider: 'anthropic',
  windowTokens: 1_000_000,
  maxOutputTokens: 128_000,
  tokenizer: 'claude-new',
  thinking: 'latest-turn',
  stripsOldThinking: false,
  serverFeatures: SYSTEM_MESSAGES,
  checkedOn: CHECKED_ON,
  notes: [],
} as const satisfies Partial<ModelInfo>;

export const GENERATION_4_6 = {
  ...CURRENT,
  tokenizer: 'claude-old',
  serverFeatures: COMPACTION,
} as const satisfies Partial<ModelInfo>;

export const GENERATION_4_5 = {
  ...GENERATION_4_6,
  windowTokens: 200_000,
  maxOutputTokens: 64_000,
  serverFeatures: EDITS,
} as const satisfies Partial<ModelInfo>;
