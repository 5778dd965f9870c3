import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { PromptCacheError } from './error.ts';
import { CACHE_POLICIES } from './policies.ts';
import type { CachePolicy, Lifetime } from './policy.ts';

export interface CachePolicyOptions {
  /**
   * Lifetime of markers that name none: the provider's short or long one.
   * @default '5m'
   */
  readonly ttl?: '5m' | '1h' | undefined;
  /**
   * Milliseconds an entry is still found after its lifetime. 25,000 fits recorded Claude sessions best.
   * @default 0
   */
  readonly graceMs?: number | undefined;
}

/**
 * The cache policy of a model, with its minimum prefix, its lifetimes and its prices taken from the model table. Takes an id or
 * an entry of one's own. Throws `unknown-model` for an id the table does not have: it never guesses by prefix; and
 * `invalid-policy` for a lifetime no provider offers or a grace that is no number.
 */
export function cachePolicy(
  model: string | ModelInfo,
  options: CachePolicyOptions = {},
): CachePolicy {
  const { ttl = '5m', graceMs = 0 } = options;
  checkOptions(ttl, graceMs);
  const info = typeof model === 'string' ? knownModel(model) : model;
  const base = basePolicy(info);
  const lifetimes = lifetimesOf(info, base, graceMs);
  return {
    ...base,
    name: nameOf(base, ttl),
    tokenizer: info.tokenizer,
    minimumTokens: info.cache.minPrefixTokens ?? base.minimumTokens,
    lifetimes,
    defaultTtl: lifetimes.long ? ttl : '5m',
    readMultiplier: ratioToInput(info, 'cacheRead') ?? base.readMultiplier,
  };
}

function checkOptions(ttl: unknown, graceMs: number): void {
  if (ttl !== '5m' && ttl !== '1h') {
    throw new PromptCacheError(
      'invalid-policy',
      `Expected \`ttl\` to be 5m or 1h, got \`${ttl}\`.`,
    );
  }
  if (!Number.isFinite(graceMs) || graceMs < 0) {
    const text = `Expected \`graceMs\` to be milliseconds, 0 or more, got \`${graceMs}\`.`;
    throw new PromptCacheError('invalid-policy', text);
  }
}

function knownModel(id: string): ModelInfo {
  const info = findModel(id);
  if (info) return info;
  throw new PromptCacheError(
    'unknown-model',
    `The model table has no model \`${id}\`. Pass an entry of your own, or build a policy from one of CACHE_POLICIES.`,
  );
}

function basePolicy(info: ModelInfo): CachePolicy {
  switch (info.provider) {
    case 'anthropic':
      return CACHE_POLICIES.anthropic;
    case 'openai':
      return info.cache.writes === 'charged'
        ? CACHE_POLICIES.openaiBreakpoints
        : CACHE_POLICIES.openaiImplicit;
    case 'google':
      return CACHE_POLICIES.geminiImplicit;
    case 'deepseek':
      return CACHE_POLICIES.deepseek;
    default:
      throw new PromptCacheError(
        'unknown-model',
        `No cache policy is known for \`${info.id}\`. Choose one of CACHE_POLICIES, or define one.`,
      );
  }
}

function nameOf(base: CachePolicy, ttl: '5m' | '1h'): string {
  return base.provider === 'anthropic' ? `anthropic-${ttl}` : base.name;
}

/** Those of the model table, the default first; the record's own where the table has none. */
function lifetimesOf(info: ModelInfo, base: CachePolicy, graceMs: number) {
  const [short, long] = info.cache.lifetimes;
  const late = (
    known: Lifetime,
    listed: ModelInfo['cache']['lifetimes'][number],
    price: 'cacheWrite5m' | 'cacheWrite1h',
  ) => ({
    name: listed.ttl,
    ms: listed.seconds * 1_000,
    graceMs,
    writeMultiplier: ratioToInput(info, price) ?? known.writeMultiplier,
  });
  if (!short) return { ...base.lifetimes, short: { ...base.lifetimes.short, graceMs } };
  return {
    short: late(base.lifetimes.short, short, 'cacheWrite5m'),
    ...(long && { long: late(base.lifetimes.long ?? base.lifetimes.short, long, 'cacheWrite1h') }),
  };
}

/** What a token costs in input tokens; undefined where the table has no such price. */
function ratioToInput(
  info: ModelInfo,
  price: 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h',
): number | undefined {
  const tier = info.prices[0];
  const rate = tier?.[price];
  return tier && rate !== undefined && tier.input > 0 ? rate / tier.input : undefined;
}
