import type { CachePolicy, Invalidators, Lifetime } from './policy.ts';

// The provider's pages as read on 2026-11-28; what no page states is marked in the type as not documented.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A lifetime without grace. */
const lifetime = (name: string, ms: number | null, writeMultiplier: number | null): Lifetime => ({
  name,
  ms,
  graceMs: 0,
  writeMultiplier,
});

/** Nothing but the prompt's own bytes and the model counts. */
const ONLY_BYTES: Invalidators = {
  params: [],
  images: 'none',
  citations: 'none',
  serverToolTypes: [],
  toolsAsOne: false,
  deferredToolsOutside: false,
};

const ANTHROPIC_INVALIDATORS: Invalidators = {
  params: [
    { path: ['speed'], loses: 'system', neutral: 'standard' },
    { path: ['tool_choice'], loses: 'messages' },
    // Which models lose tools and system as well is not documented.
    { path: ['thinking'], loses: 'messages' },
    { path: ['output_config', 'effort'], loses: 'messages', neutral: 'high' },
  ],
  images: 'messages',
  citations: 'system',
  serverToolTypes: ['web_search_', 'web_fetch_'],
  toolsAsOne: true,
  deferredToolsOutside: true,
};

/** Markers at 1.25 (5 minutes) or 2 (1 hour) times the input price, reads at a tenth; `cachePolicy` knows the models. */
const ANTHROPIC: CachePolicy = {
  name: 'anthropic-5m',
  provider: 'anthropic',
  tokenizer: 'claude-new',
  writes: 'markers',
  maxMarkers: 4,
  extraMarkers: 'refused',
  automaticMarker: 'on-request',
  markableBlocks: [
    'text',
    'image',
    'document',
    'tool_use',
    'tool_result',
    'compaction',
    'tool_addition',
  ],
  longMarkersFirst: true,
  lookback: { positions: 20, counts: 'blocks', collapseToolRuns: true },
  minimumTokens: 1_024,
  unitTokens: 1,
  lifetimes: {
    short: lifetime('5m', 5 * MINUTE_MS, 1.25),
    long: lifetime('1h', HOUR_MS, 2),
  },
  defaultTtl: '5m',
  ttlAnchor: 'start',
  refreshOnRead: true,
  refreshedLifetime: 'as-written',
  readableFrom: 'first-token',
  writesInsideRead: true,
  chargesWrites: true,
  readMultiplier: 0.1,
  invalidators: ANTHROPIC_INVALIDATORS,
  oldThinking: 'kept',
  scope: 'workspace',
  usageStyle: 'anthropic',
};

const OPENAI_INVALIDATORS: Invalidators = {
  ...ONLY_BYTES,
  params: [
    { path: ['text', 'format'], loses: 'tools' },
    { path: ['text', 'verbosity'], loses: 'tools' },
    { path: ['reasoning', 'effort'], loses: 'tools' },
    { path: ['prompt_cache_key'], loses: 'tools' },
    { path: ['service_tier'], loses: 'tools' },
  ],
};

/** Before GPT-5.6: any prefix from 1,024 tokens on, in steps of 128, without a fee, for 5 to 10 idle minutes. */
const OPENAI_IMPLICIT: CachePolicy = {
  ...ANTHROPIC,
  name: 'openai-implicit',
  provider: 'openai',
  tokenizer: 'o200k',
  writes: 'everywhere',
  maxMarkers: 0,
  automaticMarker: 'none',
  extraMarkers: 'earliest-ignored',
  markableBlocks: [],
  longMarkersFirst: false,
  lookback: { positions: null, counts: 'blocks', collapseToolRuns: false },
  unitTokens: 128,
  lifetimes: {
    short: lifetime('in_memory', 5 * MINUTE_MS, 1),
    long: lifetime('24h', 24 * HOUR_MS, 1),
  },
  chargesWrites: false,
  invalidators: OPENAI_INVALIDATORS,
  scope: 'organisation',
  usageStyle: 'openai-responses',
};

/**
 * From GPT-5.6 on: breakpoints, written at 1.25 for at least 30 minutes; one is set at the end of the latest user turn.
 * The SDK says that the latest 80 breakpoints are looked up, the guide 20 message ends: `lookback.positions` is the switch.
 */
const OPENAI_BREAKPOINTS: CachePolicy = {
  ...OPENAI_IMPLICIT,
  name: 'openai-breakpoints',
  writes: 'markers',
  maxMarkers: 3,
  automaticMarker: 'last-user-message',
  markableBlocks: ['text', 'image', 'document'],
  lookback: { positions: 80, counts: 'message-ends', collapseToolRuns: false },
  unitTokens: 1,
  lifetimes: {
    short: lifetime('30m', 30 * MINUTE_MS, 1.25),
    long: lifetime('12h', 12 * HOUR_MS, null),
  },
  chargesWrites: true,
};

/**
 * Gemini's implicit cache promises nothing. Recorded reads lie near multiples of 8,192 tokens, and its lifetime is not
 * published: an hour is our assumption.
 */
const GEMINI_IMPLICIT: CachePolicy = {
  ...OPENAI_IMPLICIT,
  name: 'gemini-implicit',
  provider: 'google',
  tokenizer: 'gemini',
  minimumTokens: 4_096,
  unitTokens: 8_192,
  lifetimes: { short: lifetime('implicit', HOUR_MS, 1) },
  invalidators: ONLY_BYTES,
  usageStyle: 'gemini',
};

/** DeepSeek: whole units of 64 tokens, kept for hours to days (24 hours here), reads at about 0.03. */
const DEEPSEEK: CachePolicy = {
  ...OPENAI_IMPLICIT,
  name: 'deepseek',
  provider: 'deepseek',
  tokenizer: 'deepseek',
  minimumTokens: 64,
  unitTokens: 64,
  lifetimes: { short: lifetime('disk', 24 * HOUR_MS, 1) },
  readMultiplier: 0.033,
  invalidators: ONLY_BYTES,
  usageStyle: 'deepseek',
};

/** One's own server with a block cache (vLLM's automatic prefix caching): blocks of 16 tokens, no price, no timer. */
const BLOCK_CACHE: CachePolicy = {
  ...OPENAI_IMPLICIT,
  name: 'block-cache',
  provider: 'local',
  tokenizer: 'unknown',
  minimumTokens: 16,
  unitTokens: 16,
  lifetimes: { short: lifetime('until-evicted', null, 1) },
  readMultiplier: 0,
  invalidators: ONLY_BYTES,
  scope: 'machine',
  usageStyle: 'openai-chat',
};

/** No cache at all: every prompt token is billed as plain input. */
const NO_CACHE: CachePolicy = {
  ...OPENAI_IMPLICIT,
  name: 'no-cache',
  provider: 'none',
  tokenizer: 'unknown',
  writes: 'none',
  minimumTokens: 0,
  unitTokens: 1,
  lifetimes: { short: lifetime('none', 0, 1) },
  readMultiplier: 1,
  invalidators: ONLY_BYTES,
  usageStyle: 'none',
};

/** The known policies as plain data, each frozen with all it holds: `cachePolicy` picks one by model, `definePolicy` checks one made from them. */
export const CACHE_POLICIES = {
  anthropic: ANTHROPIC,
  openaiImplicit: OPENAI_IMPLICIT,
  openaiBreakpoints: OPENAI_BREAKPOINTS,
  geminiImplicit: GEMINI_IMPLICIT,
  deepseek: DEEPSEEK,
  /** Of servers that cache whole blocks of a prompt, as vLLM and SGLang do. */
  blocks: BLOCK_CACHE,
  none: NO_CACHE,
} as const satisfies Readonly<Record<string, CachePolicy>>;
