import type { CacheRules, ModelInfo, PriceTier } from './model-info.ts';

// Prices of Google and DeepSeek models as copied by third parties, compared on this day.
const CHECKED_ON = '2026-11-28';

const flat = (input: number, output: number, cacheRead: number): readonly PriceTier[] => [
  { fromPromptTokens: 0, input, output, cacheRead },
];

const implicitCache = (minPrefixTokens?: number): CacheRules => ({
  ...(minPrefixTokens === undefined ? {} : { minPrefixTokens }),
  lifetimes: [],
  writes: 'no-fee',
});

const WINDOW = 'window from @pydantic/genai-prices 0.1.8';
const CAUTIOUS_THINKING =
  'whether old thinking may change is not documented; the stricter rule stands';
const GEMINI_CACHE = 'sources disagree on the cache minimum of Gemini 3: 1,024 to 4,096';

const GEMINI = {
  aliases: [],
  provider: 'google',
  windowTokens: 1_000_000,
  maxOutputTokens: 65_536,
  cache: implicitCache(4_096),
  tokenizer: 'gemini',
  thinking: 'latest-turn',
  stripsOldThinking: false,
  serverFeatures: [],
  checkedOn: CHECKED_ON,
  notes: [WINDOW, GEMINI_CACHE, CAUTIOUS_THINKING],
} as const satisfies Partial<ModelInfo>;

const GEMINI_FLASH = { ...GEMINI, prices: flat(0.75, 3.75, 0.075) } as const;

const DEEPSEEK = {
  aliases: [],
  provider: 'deepseek',
  windowTokens: 1_000_000,
  cache: implicitCache(),
  tokenizer: 'deepseek',
  thinking: 'latest-turn',
  stripsOldThinking: false,
  serverFeatures: [],
  checkedOn: CHECKED_ON,
  notes: [WINDOW, 'no maximum output found', CAUTIOUS_THINKING],
} as const satisfies Partial<ModelInfo>;

const DEEPSEEK_PRICE = 'sources disagree on the price, which also depends on the hour of the day';

export const OTHER_MODELS: readonly ModelInfo[] = [
  { ...GEMINI_FLASH, id: 'gemini-3.8-flash' },
  { ...GEMINI_FLASH, id: 'gemini-3.7-flash' },
  { ...GEMINI_FLASH, id: 'gemini-3.6-flash' },
  {
    ...GEMINI,
    id: 'gemini-3.1-pro-preview',
    prices: [
      { fromPromptTokens: 0, input: 2, output: 12, cacheRead: 0.2 },
      { fromPromptTokens: 200_001, input: 4, output: 18, cacheRead: 0.4 },
    ],
    notes: [GEMINI_CACHE, CAUTIOUS_THINKING, 'window taken from the other Gemini 3 models'],
  },
  {
    ...GEMINI,
    id: 'gemini-3-flash-preview',
    prices: flat(0.5, 3, 0.05),
    cache: implicitCache(1_024),
    notes: [WINDOW, GEMINI_CACHE, CAUTIOUS_THINKING, 'price from @pydantic/genai-prices 0.1.8'],
  },
  {
    ...DEEPSEEK,
    id: 'deepseek-v4-pro',
    prices: flat(1.32, 3.96, 0.044),
    notes: [...DEEPSEEK.notes, DEEPSEEK_PRICE],
  },
  {
    ...DEEPSEEK,
    id: 'deepseek-v4-flash',
    prices: flat(0.3, 1.2, 0.006),
    notes: [...DEEPSEEK.notes, DEEPSEEK_PRICE],
  },
  {
    ...DEEPSEEK,
    id: 'deepseek-v4-flash-free',
    prices: [],
    notes: [...DEEPSEEK.notes, 'a gateway gives it away; there is no price to know'],
  },
];
