import type { priceUsage } from '@varve/tokens';
import type { CacheBreak } from './cache-break.ts';
import type { PrefixChange } from './cache-change.ts';
import type { AppliedEdit } from './server-view.ts';
import type { CacheTokens, ProviderUsage } from './usage-fields.ts';

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
  readonly price: ReturnType<typeof priceUsage>;
  /** The same as a number; undefined where nothing of it has a known rate. */
  readonly dollars: number | undefined;
  /** The prompt's price in plain input tokens; undefined where the policy does not know what a write costs. */
  readonly inputUnits: number | undefined;
  /** Why less was read than expected; empty where nothing was lost. `lostTokens` add up to expected minus read. */
  readonly breaks: readonly CacheBreak[];
  /**
   * Where the request before left nothing in the cache: why, and the tokens that this one has in common with it and cannot
   * read. No part of `breaks`, which tell what was lost of what was there.
   */
  readonly uncached?: CacheBreak;
  /** In what this request differs from the one before it; undefined where something was only added. */
  readonly change: PrefixChange | undefined;
  /** Tokens this request has in common with the one before it on its thread. */
  readonly commonPrefixTokens: number;
  /** Tokens the request before left in the cache. */
  readonly expectedReadTokens: number;
  /** Server-side edits that were applied before anything was hashed or billed. */
  readonly appliedEdits: readonly AppliedEdit[];
  /** Types of edits the simulator leaves out, because they need a model. */
  readonly unsimulated: readonly string[];
}
