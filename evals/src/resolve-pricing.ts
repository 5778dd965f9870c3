import {
  anthropicProfile,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  type ThinkingRule,
} from '@varve/messages';
import { CACHE_POLICIES, type CachePolicy, cachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import type { Rates } from './demand/lower-bounds.ts';
import { EvalsError } from './error.ts';
import type { Provider, Ttl, Window } from './providers.ts';
import { compactionLimit, SUMMARY_TOKENS } from './replay/forced-compaction.ts';
import type { Rereads } from './replay/ranges.ts';
import { deepFreeze } from './session/freeze.ts';

type Lifetime = CachePolicy['lifetimes']['short'];

export interface PricingOptions {
  /** Id of a model in the table. @default a current model of the provider */
  readonly model?: string | undefined;
  /** @default the model's; without a model `anthropic` */
  readonly provider?: Provider | undefined;
  /** @default '5m'; where each session is priced as its own model, as its bills tell */
  readonly ttl?: Ttl | undefined;
  /** Larger requests are refused. @default the model's */
  readonly window?: Window | undefined;
  /** Price of a read token as a share of a plain one. @default the model's */
  readonly readPrice?: number | undefined;
  /** What re-reads cost, as a multiple of their price. @default 1 */
  readonly rereadFactor?: number | undefined;
  /** Whether lost results come back whole, or by the lines that are needed. @default 'whole' */
  readonly rereads?: Rereads | undefined;
  /** How thinking is bound to what stands before it. @default the model's */
  readonly thinking?: ThinkingRule | undefined;
  /** Entries of one's own; they win over the table. @default none */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** How a session is priced, and by whose rules its requests are checked. Frozen. */
export interface Pricing {
  readonly model: ModelInfo;
  readonly policy: CachePolicy;
  readonly profile: ProviderProfile;
  readonly window: number;
  /** Whether a larger request is refused, so that an agent has to compact before one grows so large. */
  readonly refusesLarger: boolean;
  /** What re-reads cost, as a multiple of their price. */
  readonly rereadFactor: number;
  readonly rereads: Rereads;
  /** The lowest rates of the model's price tiers. */
  readonly rates: Rates;
}

/** Throws `unknown-model` for a model without a price, `bad-arguments` where model and provider do not belong together. */
export function resolvePricing(options: PricingOptions): Pricing {
  const { model: id, provider, window, rereadFactor = 1, rereads = 'whole' } = options;
  const wanted = id ?? DEFAULT_MODELS[provider ?? 'anthropic'];
  const model = adapted(pricedModel(wanted, options.models), options);
  if (provider !== undefined && provider !== 'none' && provider !== model.provider) {
    const text = `${model.id} is a model of ${model.provider}, not of ${provider}. Leave --provider out, or choose another model.`;
    throw new EvalsError('bad-arguments', text);
  }
  const policy = policyOf(model, options);
  return deepFreeze({
    model: structuredClone(model),
    policy: structuredClone(policy),
    profile: { ...profileOf(model), thinking: options.thinking ?? profileOf(model).thinking },
    window: typeof window === 'number' ? window : model.windowTokens,
    refusesLarger: window !== 'none',
    rereadFactor,
    rereads,
    rates: lowestRates(model, policy),
  });
}

/** Throws `bad-arguments` for a window so small that no agent could compact into it, and none would be enforced. */
export function checkWindow(window: Window | undefined): void {
  if (typeof window !== 'number' || compactionLimit(window) > SUMMARY_TOKENS) return;
  const text = `A window of ${window} tokens leaves no room for a summary of ${SUMMARY_TOKENS} tokens. Pass a larger one with --window, or leave it out.`;
  throw new EvalsError('bad-arguments', text);
}

/** The same under another window, which is enforced. */
export const underWindow = (pricing: Pricing, window: number): Pricing =>
  Object.freeze({ ...pricing, window, refusesLarger: true });

/** The model with what is asked for in place of its own price of reads and rule of thinking. */
function adapted(model: ModelInfo, { readPrice, thinking = model.thinking }: PricingOptions) {
  const prices = model.prices.map((tier) =>
    readPrice === undefined ? tier : { ...tier, cacheRead: tier.input * readPrice },
  );
  return { ...model, prices, thinking };
}

/** The entry of one's own for a model. */
export const ownModel = (id: string, models: readonly ModelInfo[]): ModelInfo | undefined =>
  models.find((own) => own.id === id || own.aliases.includes(id));

/** The model with this id if the table knows what it costs. */
export function findPricedModel(
  id: string,
  models: readonly ModelInfo[] = [],
): ModelInfo | undefined {
  const model = ownModel(id, models) ?? findModel(id);
  return model !== undefined && model.prices.length > 0 && model.provider !== 'other'
    ? model
    : undefined;
}

// one current model each, with the provider's usual read discount and no thinking bound to its prefix
const DEFAULT_MODELS: Readonly<Record<Provider, string>> = {
  anthropic: 'claude-opus-4-8',
  openai: 'gpt-5.6-sol',
  google: 'gemini-3.1-pro-preview',
  deepseek: 'deepseek-v4-pro',
  none: 'claude-opus-4-8',
};

function pricedModel(id: string, models: readonly ModelInfo[] | undefined): ModelInfo {
  const model = findPricedModel(id, models);
  if (model !== undefined) return model;
  const text = `There is no price for the model \`${id}\`. Choose one of the model table of @varve/tokens by its exact id, for example ${DEFAULT_MODELS.anthropic}.`;
  throw new EvalsError('unknown-model', text);
}

function policyOf(
  model: ModelInfo,
  { provider, ttl = '5m', readPrice }: PricingOptions,
): CachePolicy {
  if (provider === 'none') return CACHE_POLICIES.none;
  const own = ttl === 'none' ? endless(cachePolicy(model)) : cachePolicy(model, { ttl });
  return readPrice === undefined ? own : { ...own, readMultiplier: readPrice };
}

function endless(policy: CachePolicy): CachePolicy {
  const { short, long } = policy.lifetimes;
  const forEver = (lifetime: Lifetime): Lifetime => ({ ...lifetime, ms: null });
  const lifetimes = { short: forEver(short), ...(long && { long: forEver(long) }) };
  return { ...policy, name: `${policy.name}-endless`, lifetimes };
}

function profileOf(model: ModelInfo): ProviderProfile {
  switch (model.provider) {
    case 'anthropic':
      return anthropicProfile({
        thinking: model.thinking,
        systemMessages: model.serverFeatures.includes('system-messages'),
      });
    case 'openai':
      return openaiResponsesProfile();
    default:
      return openaiChatProfile();
  }
}

function lowestRates({ prices }: ModelInfo, policy: CachePolicy): Rates {
  const { short, long } = policy.lifetimes;
  const multiplier = (policy.defaultTtl === '1h' ? long : short)?.writeMultiplier ?? 1;
  const lowest = (values: readonly number[]) => Math.min(...values) / 1_000_000;
  const input = lowest(prices.map((tier) => tier.input));
  return {
    read: policy.writes === 'none' ? input : lowest(prices.map((tier) => tier.cacheRead)),
    write: policy.chargesWrites ? input * multiplier : input,
    output: lowest(prices.map((tier) => tier.output)),
  };
}
