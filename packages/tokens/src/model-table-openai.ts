import type { CacheRules, ModelInfo, PriceTier } from './model-info.ts';

// Third-party copies of OpenAI's model and prompt-caching pages, compared on this day.
const CHECKED_ON = '2026-11-28';

/** GPT-5.6 and later: writes are charged. */
const CHARGED: CacheRules = {
  minPrefixTokens: 1_024,
  lifetimes: [
    { ttl: '30m', seconds: 1_800 },
    { ttl: '12h', seconds: 43_200 },
  ],
  writes: 'charged',
};

/** Before GPT-5.6: automatic, without a fee; the lifetime is what idles out (5 to 10 minutes, at most an hour). */
const AUTOMATIC: CacheRules = {
  minPrefixTokens: 1_024,
  lifetimes: [
    { ttl: 'in_memory', seconds: 300 },
    { ttl: '24h', seconds: 86_400 },
  ],
  writes: 'no-fee',
};

const BASE = {
  aliases: [],
  provider: 'openai',
  tokenizer: 'o200k',
  thinking: 'latest-turn',
  // observed on recorded sessions: the reasoning of a turn leaves the prompt when the next one starts
  stripsOldThinking: true,
  serverFeatures: ['threshold-compaction', 'on-demand-compaction'],
  checkedOn: CHECKED_ON,
  notes: [],
} as const satisfies Partial<ModelInfo>;

const WRITE_12H = 'no price found for writes that live 12 hours';
const MAX_OUTPUT = 'maximum output is that of the documented models of the family';

/** 922,000 of it for input. */
const LONG = { ...BASE, windowTokens: 1_050_000, maxOutputTokens: 128_000 } as const;
const LONG_CHARGED = { ...LONG, cache: CHARGED, notes: [WRITE_12H] } as const;
const LONG_AUTOMATIC = { ...LONG, cache: AUTOMATIC, notes: [MAX_OUTPUT] } as const;
const SHORT_AUTOMATIC = {
  ...BASE,
  windowTokens: 400_000,
  maxOutputTokens: 128_000,
  cache: AUTOMATIC,
  notes: [MAX_OUTPUT],
} as const;

/** The first prompt that is priced at the long-context rates, as a whole. */
const LONG_FROM = 272_001;

/** Rates up to and above 272,000 prompt tokens: twice the input rates, one and a half times the output rate. */
function stepped(
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite5m?: number,
): readonly PriceTier[] {
  const write = (factor: number) =>
    cacheWrite5m === undefined ? {} : { cacheWrite5m: cacheWrite5m * factor };
  return [
    { fromPromptTokens: 0, input, output, cacheRead, ...write(1) },
    {
      fromPromptTokens: LONG_FROM,
      input: input * 2,
      output: output * 1.5,
      cacheRead: cacheRead * 2,
      ...write(2),
    },
  ];
}

const flat = (input: number, output: number, cacheRead: number): readonly PriceTier[] => [
  { fromPromptTokens: 0, input, output, cacheRead },
];

export const OPENAI_MODELS: readonly ModelInfo[] = [
  { ...LONG_CHARGED, id: 'gpt-6.2-astra', prices: stepped(8, 40, 0.4, 10) },
  { ...LONG_CHARGED, id: 'gpt-6-astra', prices: stepped(10, 50, 1, 12.5) },
  { ...LONG_CHARGED, id: 'gpt-6.2-sol', prices: stepped(2, 10, 0.1, 2.5) },
  { ...LONG_CHARGED, id: 'gpt-6.1-sol', prices: stepped(2, 10, 0.1, 2.5) },
  { ...LONG_CHARGED, id: 'gpt-6-sol', prices: stepped(2, 10, 0.2, 2.5) },
  { ...LONG_CHARGED, id: 'gpt-6.1-terra', prices: stepped(1, 5, 0.05, 1.25) },
  { ...LONG_CHARGED, id: 'gpt-6-luna', prices: stepped(0.1, 0.5, 0.01, 0.125) },
  { ...LONG_CHARGED, id: 'gpt-5.6-sol', prices: stepped(4, 20, 0.4, 5) },
  { ...LONG_CHARGED, id: 'gpt-5.6-terra', prices: stepped(2, 12, 0.2, 2.5) },
  { ...LONG_CHARGED, id: 'gpt-5.6-luna', prices: stepped(0.2, 1.2, 0.02, 0.25) },
  {
    ...LONG_AUTOMATIC,
    id: 'gpt-5.5',
    prices: stepped(5, 30, 0.5),
    cache: { ...AUTOMATIC, lifetimes: [{ ttl: '24h', seconds: 86_400 }] },
    notes: [MAX_OUTPUT, 'the guide speaks of 2,048-token intervals for this class'],
  },
  { ...LONG_AUTOMATIC, id: 'gpt-5.4', prices: stepped(2.5, 15, 0.25) },
  {
    ...SHORT_AUTOMATIC,
    id: 'gpt-5.3-codex',
    prices: flat(1.75, 14, 0.175),
    notes: [MAX_OUTPUT, 'window and price from @pydantic/genai-prices 0.1.8'],
  },
  {
    ...BASE,
    id: 'gpt-5.3-codex-spark',
    windowTokens: 128_000,
    prices: [],
    cache: AUTOMATIC,
    notes: [
      'no price and no maximum output found',
      'window inferred: a client that plans with 95 % of a window records 121,600',
    ],
  },
  {
    ...SHORT_AUTOMATIC,
    id: 'gpt-5.2',
    aliases: ['gpt-5.2-codex'],
    prices: flat(1.75, 14, 0.175),
  },
  {
    ...SHORT_AUTOMATIC,
    id: 'gpt-5.1',
    aliases: ['gpt-5.1-codex', 'gpt-5.1-codex-max'],
    prices: flat(1.25, 10, 0.125),
  },
  {
    ...SHORT_AUTOMATIC,
    id: 'gpt-5',
    aliases: ['gpt-5-codex', 'gpt-5-2025-08-07'],
    prices: flat(1.25, 10, 0.125),
  },
  {
    ...SHORT_AUTOMATIC,
    id: 'gpt-5-mini',
    aliases: ['gpt-5-mini-2025-08-07'],
    prices: flat(0.25, 2, 0.025),
  },
];
