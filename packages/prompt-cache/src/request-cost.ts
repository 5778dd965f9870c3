import type { Request } from '@varve/messages';
import { type ModelInfo, priceUsage } from '@varve/tokens';
import type { CacheResult } from './cache-result.ts';
import type { CachePolicy, Lifetime } from './policy.ts';
import { type CacheTokens, canonicalUsage, providerUsage } from './usage-fields.ts';

export interface CostOptions {
  readonly request: Request;
  readonly policy: CachePolicy;
  readonly prices: readonly ModelInfo[];
  readonly outputTokens: number;
}

/** What the tokens of a request cost, and how the provider reports them. */
export function requestCost(
  tokens: CacheTokens,
  { request, policy, prices, outputTokens }: CostOptions,
): Pick<CacheResult, 'usage' | 'price' | 'dollars' | 'inputUnits'> {
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
