import type { CacheRules, ModelInfo, PriceTier, ServerFeature } from './model-info.ts';

// Anthropic's pages on pricing, prompt caching, context windows and preserved thinking, compared on this day.
const CHECKED_ON = '2026-11-28';

const FIVE_MINUTES = { ttl: '5m', seconds: 300 };
const ONE_HOUR = { ttl: '1h', seconds: 3_600 };

const cacheFrom = (minPrefixTokens: number): CacheRules => ({
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

function tier(fromPromptTokens: number, rates: Rates): PriceTier {
  const [input, output, cacheWrite5m, cacheWrite1h, cacheRead] = rates;
  return { fromPromptTokens, input, output, cacheRead, cacheWrite5m, cacheWrite1h };
}

const flat = (...rates: Rates): readonly PriceTier[] => [tier(0, rates)];

const EDITS: readonly ServerFeature[] = ['context-editing'];
const COMPACTION: readonly ServerFeature[] = [
  'context-editing',
  'threshold-compaction',
  'on-demand-compaction',
];
const SYSTEM_MESSAGES: readonly ServerFeature[] = [...COMPACTION, 'system-messages'];
const BUDGET_TAGS: readonly ServerFeature[] = [...COMPACTION, 'budget-tags'];

/** From Opus 4.7 on: a million tokens, the newer vocabulary. */
const CURRENT = {
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

const GENERATION_4_6 = {
  ...CURRENT,
  tokenizer: 'claude-old',
  serverFeatures: COMPACTION,
} as const satisfies Partial<ModelInfo>;

const GENERATION_4_5 = {
  ...GENERATION_4_6,
  windowTokens: 200_000,
  maxOutputTokens: 64_000,
  serverFeatures: EDITS,
} as const satisfies Partial<ModelInfo>;

const RETIRED_PRICE =
  'price of a retired model, taken from @pydantic/genai-prices 0.1.8; the current price page no longer lists it';
const RETIRED_OUTPUT = 'maximum output as documented while the model was sold';
const SONNET_LONG_CONTEXT =
  'the tier above 200,000 tokens was sold with the context-1m-2025-08-07 beta only, until 2026-04-30';

export const ANTHROPIC_MODELS: readonly ModelInfo[] = [
  {
    ...CURRENT,
    id: 'claude-fable-5-2',
    aliases: ['claude-fable-5.2'],
    prices: flat(8, 40, 10, 16, 0.2),
    cache: cacheFrom(512),
    thinking: 'prefix-bound',
    notes: ['price from one third-party list only', 'cache minimum assumed to be that of 5.1'],
  },
  {
    ...CURRENT,
    id: 'claude-fable-5-1',
    aliases: ['claude-fable-5.1'],
    prices: flat(10, 50, 12.5, 20, 0.25),
    cache: cacheFrom(512),
    thinking: 'prefix-bound',
  },
  {
    ...CURRENT,
    id: 'claude-fable-5',
    prices: flat(10, 50, 12.5, 20, 1),
    cache: cacheFrom(512),
  },
  {
    ...CURRENT,
    id: 'claude-mythos-5-2',
    aliases: ['claude-mythos-5.2'],
    prices: [],
    cache: cacheFrom(512),
    thinking: 'prefix-bound',
    notes: [
      'no price found',
      'cache minimum assumed to be that of 5.1',
      '5.1 is exempt from prefix binding; 5.2 is undocumented, so the stricter rule stands',
    ],
  },
  {
    ...CURRENT,
    id: 'claude-mythos-5-1',
    aliases: ['claude-mythos-5.1'],
    prices: flat(10, 50, 12.5, 20, 0.25),
    cache: cacheFrom(512),
    notes: ['exempt from the prefix check of preserved thinking'],
  },
  {
    ...CURRENT,
    id: 'claude-mythos-5',
    prices: flat(10, 50, 12.5, 20, 1),
    cache: cacheFrom(512),
  },
  {
    ...CURRENT,
    id: 'claude-opus-5-5',
    aliases: ['claude-opus-5.5'],
    prices: flat(4, 20, 5, 8, 0.2),
    cache: cacheFrom(512),
    thinking: 'prefix-bound',
  },
  {
    ...CURRENT,
    id: 'claude-opus-5',
    prices: flat(5, 25, 6.25, 10, 0.5),
    cache: cacheFrom(512),
  },
  {
    ...CURRENT,
    id: 'claude-opus-4-8',
    aliases: ['claude-opus-4.8'],
    prices: flat(5, 25, 6.25, 10, 0.5),
    cache: cacheFrom(1_024),
    notes: ['older tables give 4,096 as the cache minimum'],
  },
  {
    ...CURRENT,
    id: 'claude-opus-4-7',
    aliases: ['claude-opus-4.7'],
    prices: flat(5, 25, 6.25, 10, 0.5),
    cache: cacheFrom(2_048),
    serverFeatures: COMPACTION,
    notes: ['older tables give 4,096 as the cache minimum'],
  },
  {
    ...GENERATION_4_6,
    id: 'claude-opus-4-6',
    aliases: ['claude-opus-4.6'],
    prices: flat(5, 25, 6.25, 10, 0.5),
    cache: cacheFrom(4_096),
  },
  {
    ...GENERATION_4_5,
    id: 'claude-opus-4-5',
    aliases: ['claude-opus-4.5', 'claude-opus-4-5-20251101'],
    prices: flat(5, 25, 6.25, 10, 0.5),
    cache: cacheFrom(4_096),
    notes: ['sold until 2027-01-22'],
  },
  {
    ...GENERATION_4_5,
    id: 'claude-opus-4-1',
    aliases: ['claude-opus-4.1', 'claude-opus-4-1-20250805'],
    maxOutputTokens: 32_000,
    prices: flat(15, 75, 18.75, 30, 1.5),
    cache: cacheFrom(1_024),
    stripsOldThinking: true,
    notes: [RETIRED_PRICE, RETIRED_OUTPUT],
  },
  {
    ...GENERATION_4_5,
    id: 'claude-opus-4',
    aliases: ['claude-opus-4-0', 'claude-opus-4-20250514'],
    maxOutputTokens: 32_000,
    prices: flat(15, 75, 18.75, 30, 1.5),
    cache: cacheFrom(1_024),
    stripsOldThinking: true,
    notes: [RETIRED_PRICE, RETIRED_OUTPUT],
  },
  {
    ...CURRENT,
    id: 'claude-sonnet-5-5',
    aliases: ['claude-sonnet-5.5'],
    prices: flat(2, 10, 2.5, 4, 0.1),
    cache: cacheFrom(1_024),
    thinking: 'prefix-bound',
    notes: [
      'the launch page of 2026-09-28 gave 0.20 for a cache read; later sources give 0.10',
      'cache minimum assumed',
    ],
  },
  {
    ...CURRENT,
    id: 'claude-sonnet-5',
    prices: flat(2, 10, 2.5, 4, 0.2),
    cache: cacheFrom(1_024),
    serverFeatures: BUDGET_TAGS,
  },
  {
    ...GENERATION_4_6,
    id: 'claude-sonnet-4-6',
    aliases: ['claude-sonnet-4.6'],
    prices: flat(3, 15, 3.75, 6, 0.3),
    cache: cacheFrom(1_024),
    serverFeatures: BUDGET_TAGS,
    notes: ['about 2,048 was measured as the cache minimum in a public report'],
  },
  {
    ...GENERATION_4_5,
    id: 'claude-sonnet-4-5',
    aliases: ['claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
    prices: [tier(0, [3, 15, 3.75, 6, 0.3]), tier(200_001, [6, 22.5, 7.5, 12, 0.6])],
    cache: cacheFrom(1_024),
    stripsOldThinking: true,
    serverFeatures: [...EDITS, 'budget-tags'],
    notes: [SONNET_LONG_CONTEXT, 'sold until 2026-11-30'],
  },
  {
    ...GENERATION_4_5,
    id: 'claude-sonnet-4',
    aliases: ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
    prices: [tier(0, [3, 15, 3.75, 6, 0.3]), tier(200_001, [6, 22.5, 7.5, 12, 0.6])],
    cache: cacheFrom(1_024),
    stripsOldThinking: true,
    notes: [RETIRED_PRICE, RETIRED_OUTPUT, SONNET_LONG_CONTEXT],
  },
  {
    ...CURRENT,
    id: 'claude-haiku-5-5',
    aliases: ['claude-haiku-5.5'],
    prices: [tier(0, [0.1, 0.5, 0.125, 0.2, 0.01]), tier(100_001, [0.5, 2.5, 0.625, 1, 0.05])],
    cache: cacheFrom(512),
    serverFeatures: COMPACTION,
  },
  {
    ...GENERATION_4_5,
    id: 'claude-haiku-4-5',
    aliases: ['claude-haiku-4.5', 'claude-haiku-4-5-20251001'],
    prices: flat(1, 5, 1.25, 2, 0.1),
    cache: cacheFrom(4_096),
    stripsOldThinking: true,
    serverFeatures: [...EDITS, 'budget-tags'],
  },
];
