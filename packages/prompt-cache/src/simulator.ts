import type { Request } from '@varve/messages';
import { type ModelInfo, type PricedUsage, priceUsage } from '@varve/tokens';
import { createBlockCache } from './block-cache.ts';
import { breaksOf, type CacheBreak } from './cache-break.ts';
import { changeSince, type PrefixChange, rememberThread } from './cache-change.ts';
import { anchorTokens } from './columns-anchor.ts';
import { PromptCacheError } from './error.ts';
import { createMarkerCache } from './marker-cache.ts';
import { type CachePolicy, type Lifetime, usableTokens } from './policy.ts';
import { tokensOf } from './prefix-columns.ts';
import { createPartIndex, type PromptSizes } from './prefix-parts.ts';
import type { ScopeCache, Served } from './served.ts';
import {
  advance,
  copyThreadPrefix,
  createThreadPrefix,
  type ThreadPrefix,
} from './thread-prefix.ts';
import { type Life, stateAt } from './timing.ts';
import {
  type CacheTokens,
  canonicalUsage,
  type ProviderUsage,
  providerUsage,
} from './usage-fields.ts';

export interface CacheSimulatorOptions {
  /** Tokens of blocks, messages and heads; an estimator of `@varve/tokens` fits. */
  readonly sizeOf: PromptSizes;
  /**
   * Prices of one's own: entries that win over the model table.
   * @default []
   */
  readonly prices?: readonly ModelInfo[] | undefined;
}

export interface SendOptions {
  /** Milliseconds of any clock. Requests are sent in the order of this; several may be in flight. */
  readonly startMs: number;
  /**
   * When the first token of the reply came: from then on others can read what this request wrote.
   * @default startMs
   */
  readonly firstTokenMs?: number | undefined;
  /**
   * Which conversation the request belongs to: breaks are told against the request before it on the same one. All
   * threads share one cache.
   * @default 'main'
   */
  readonly thread?: string | undefined;
  /** On the first request of a thread: the thread it branches off from, whose prefix it is expected to read. */
  readonly forkOf?: string | undefined;
  /**
   * Tokens of the reply, for the dollars.
   * @default 0
   */
  readonly outputTokens?: number | undefined;
  /** Sizes that are known from a bill; they win over estimates and carry over to the requests that follow. */
  readonly billed?: BilledSizes | undefined;
}

export interface BilledSizes {
  /** Tokens of tools and system prompt. */
  readonly headTokens?: number | undefined;
  /** Tokens up to the last marker: what was read and written together. */
  readonly cachedTokens?: number | undefined;
  /** Tokens of the whole prompt. */
  readonly promptTokens?: number | undefined;
}

export interface CacheResult {
  /** What the provider would report, under its names. */
  readonly usage: ProviderUsage;
  readonly tokens: CacheTokens;
  /** Dollars of prompt and reply with price tiers; parts without a known rate stand in `unpricedTokens`. */
  readonly price: PricedUsage;
  /** The same as a number; undefined where nothing of it has a known rate. */
  readonly dollars: number | undefined;
  /** The prompt's price in plain input tokens; undefined where the policy does not know what a write costs. */
  readonly inputUnits: number | undefined;
  /** Why less was read than expected; empty where nothing was lost. `lostTokens` add up to expected minus read. */
  readonly breaks: readonly CacheBreak[];
  /** In what this request differs from the one before it; undefined where something was only added. */
  readonly change: PrefixChange | undefined;
  /** Tokens this request has in common with the one before it on its thread. */
  readonly commonPrefixTokens: number;
  /** Tokens the request before left in the cache. */
  readonly expectedReadTokens: number;
}

export interface CacheSimulator {
  /**
   * What a request is billed as, and what it leaves in the cache. Costs O(new blocks): messages are known by reference
   * and taken to be immutable. Throws `invalid-marker` where the provider would refuse the request, `invalid-time` for
   * times that are no numbers.
   */
  send(request: Request, options: SendOptions): CacheResult;
}

interface Thread {
  readonly prefix: ThreadPrefix;
  cachedCount: number;
  cachedTokens: number;
  life: Life | undefined;
}

/** Creates an empty cache under a provider's policy. */
export function createCacheSimulator(
  policy: CachePolicy,
  options: CacheSimulatorOptions,
): CacheSimulator {
  const { sizeOf, prices = [] } = options;
  const parts = createPartIndex(policy, sizeOf);
  const cache = cacheOf(policy);
  const threads = new Map<string, Thread>();
  return {
    send(request, sendOptions) {
      const timing = timingOf(sendOptions);
      const thread = threadOf(threads, sendOptions);
      const { prefix, cachedCount, cachedTokens, life } = thread;
      const before = rememberThread(prefix);
      advance(prefix, request, { parts, policy });
      const change = changeSince(before, prefix);
      const reachable = Math.min(cachedCount, prefix.columns.shared);
      const promptTokens = applyBill(prefix, cache.reach(prefix, request), sendOptions.billed);
      const served = cache.serve(prefix, request, { ...timing, wanted: reachable });
      thread.cachedCount = served.cachedCount;
      thread.cachedTokens = served.cachedTokens;
      thread.life = served.life;
      const tokens = splitTokens(served, promptTokens);
      return {
        ...costOf(tokens, { request, policy, prices, outputTokens: sendOptions.outputTokens ?? 0 }),
        tokens,
        breaks: breaksOf({
          expectedTokens: cachedTokens,
          reachableTokens:
            cachedCount > reachable
              ? usableTokens(tokensOf(prefix.columns, reachable), policy)
              : cachedTokens,
          readTokens: tokens.read,
          change,
          obstacle: isCold(life, timing.startMs, policy) ? 'expired' : served.obstacle,
        }),
        change,
        commonPrefixTokens: tokensOf(prefix.columns, prefix.columns.shared),
        expectedReadTokens: cachedTokens,
      };
    },
  };
}

const isCold = (life: Life | undefined, startMs: number, policy: CachePolicy): boolean =>
  life !== undefined && stateAt(life, startMs, policy) === 'expired';

function cacheOf(policy: CachePolicy): ScopeCache {
  switch (policy.writes) {
    case 'markers':
      return createMarkerCache(policy);
    case 'everywhere':
      return createBlockCache(policy);
    case 'none':
      return NOTHING_CACHED;
  }
}

const NOTHING_CACHED: ScopeCache = {
  reach: () => 0,
  serve: () => ({
    readCount: 0,
    readTokens: 0,
    write5mTokens: 0,
    write1hTokens: 0,
    cachedCount: 0,
    cachedTokens: 0,
  }),
};

function timingOf({ startMs, firstTokenMs = startMs }: SendOptions) {
  if (Number.isFinite(startMs) && Number.isFinite(firstTokenMs)) return { startMs, firstTokenMs };
  throw new PromptCacheError(
    'invalid-time',
    `Expected \`startMs\` and \`firstTokenMs\` to be milliseconds, got \`${startMs}\` and \`${firstTokenMs}\`.`,
  );
}

function threadOf(threads: Map<string, Thread>, { thread = 'main', forkOf }: SendOptions): Thread {
  const known = threads.get(thread);
  if (known) return known;
  const parent = forkOf === undefined ? undefined : threads.get(forkOf);
  const created = parent
    ? { ...parent, prefix: copyThreadPrefix(parent.prefix) }
    : { prefix: createThreadPrefix(), cachedCount: 0, cachedTokens: 0, life: undefined };
  threads.set(thread, created);
  return created;
}

/** Takes over what is known from a bill and returns the tokens of the whole prompt. */
function applyBill(prefix: ThreadPrefix, reach: number, billed: BilledSizes = {}): number {
  const { columns, headEnd } = prefix;
  const { headTokens, cachedTokens, promptTokens } = billed;
  if (headTokens !== undefined) anchorTokens(columns, headEnd, headTokens);
  if (cachedTokens !== undefined) anchorTokens(columns, reach, cachedTokens);
  const isTailKnown = cachedTokens === undefined || reach < columns.length;
  if (promptTokens !== undefined && isTailKnown)
    anchorTokens(columns, columns.length, promptTokens);
  return promptTokens ?? tokensOf(columns, columns.length);
}

/** What was billed bounds what was estimated: the parts never exceed the prompt. */
function splitTokens(served: Served, total: number): CacheTokens {
  const read = Math.min(served.readTokens, total);
  const write1h = Math.min(served.write1hTokens, total - read);
  const write5m = Math.min(served.write5mTokens, total - read - write1h);
  return { read, write5m, write1h, plain: total - read - write1h - write5m, total };
}

interface CostOptions {
  readonly request: Request;
  readonly policy: CachePolicy;
  readonly prices: readonly ModelInfo[];
  readonly outputTokens: number;
}

function costOf(tokens: CacheTokens, { request, policy, prices, outputTokens }: CostOptions) {
  const usage = canonicalUsage(tokens, outputTokens);
  const price = priceUsage(usage, request.head.model, { models: prices });
  const isPriced = price.unpricedTokens < tokens.total + outputTokens || tokens.total === 0;
  return {
    usage: providerUsage(tokens, outputTokens, policy.usageStyle),
    price,
    dollars: isPriced ? price.dollars : undefined,
    inputUnits: inputUnitsOf(tokens, policy),
  };
}

function inputUnitsOf(tokens: CacheTokens, policy: CachePolicy): number | undefined {
  const { short, long } = policy.lifetimes;
  const written = writtenUnits(tokens.write5m, short) + writtenUnits(tokens.write1h, long ?? short);
  const units = tokens.read * policy.readMultiplier + written + tokens.plain;
  return Number.isNaN(units) ? undefined : units;
}

function writtenUnits(tokens: number, { writeMultiplier }: Lifetime): number {
  return tokens === 0 ? 0 : tokens * (writeMultiplier ?? Number.NaN);
}
