import { expected, isRecord } from '@varve/guards';
import type { Usage } from '@varve/messages';
import type { ModelInfo, PriceTier } from './model-info.ts';
import { resolveModel } from './resolve-model.ts';

/** What a response is billed by. Thinking is part of `output`. */
export type PricePart = 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h';

export interface PricedPart {
  readonly tokens: number;
  readonly dollars: number;
  /** Those of `tokens` whose rate is not known: they are not in `dollars`. */
  readonly unpricedTokens: number;
}

/** What usage says about the bill that these rates leave out; the dollars are then only a part of it. */
export type PriceCaveat = 'invalid-count' | 'fast-mode' | 'batch' | 'us-only-inference';

export interface PricedUsage {
  /** Dollars of every part whose rate is known. */
  readonly dollars: number;
  readonly parts: Readonly<Record<PricePart, PricedPart>>;
  /** Tokens without a known rate: they are not in `dollars`. */
  readonly unpricedTokens: number;
  /** Present where writes came without their split by lifetime, or with less than all of it: they are priced as this. */
  readonly assumedLifetime?: '5m';
  readonly caveats: readonly PriceCaveat[];
}

export interface PriceUsageOptions {
  /** Entries of one's own; they win over the table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

/**
 * What one response cost, in dollars. The whole request is priced at the tier its prompt reaches; writes of 5 minutes and
 * of 1 hour apart. Writes without a split count as 5-minute writes, which is the cheaper and the default lifetime, and
 * the result says so. Compactions that the provider ran inside the request (`usage.iterations`) are added, each at its
 * own tier. An unknown model or rate is never guessed: its tokens are reported as unpriced.
 *
 * @throws TypeError for a usage that is no object
 */
export function priceUsage(
  usage: Usage,
  model: ModelInfo | string,
  options: PriceUsageOptions = {},
): PricedUsage {
  if (!isRecord(usage)) throw expected('usage', 'an object', usage);
  const info = typeof model === 'string' ? resolveModel(model, options).model : model;
  const requests = [usage, ...serverCompactions(usage)].map((each) => priceRequest(each, info));
  const caveats = new Set([...billedOtherwise(usage), ...requests.flatMap((each) => each.caveats)]);
  const parts = requests.map((each) => each.parts).reduce(addParts);
  return {
    dollars: sum(parts, (part) => part.dollars),
    parts,
    unpricedTokens: sum(parts, (part) => part.unpricedTokens),
    ...(requests.some((each) => each.assumed) ? { assumedLifetime: '5m' } : {}),
    caveats: [...caveats],
  };
}

/** The tier a prompt of this many tokens is priced at; undefined where the model has no known price. */
export function priceTier(model: ModelInfo, promptTokens: number): PriceTier | undefined {
  return model.prices.findLast((tier) => promptTokens >= tier.fromPromptTokens);
}

type Parts = Readonly<Record<PricePart, PricedPart>>;

function priceRequest(usage: Usage, model: ModelInfo) {
  const { tokens, assumed, invalid } = billedTokens(usage, model);
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
  const tier = priceTier(model, prompt);
  const parts = mapParts((part) => {
    const rate = tier && rateOf(part, tier, model);
    return {
      tokens: tokens[part],
      dollars: (tokens[part] * (rate ?? 0)) / 1_000_000,
      unpricedTokens: rate === undefined ? tokens[part] : 0,
    };
  });
  return { parts, assumed, caveats: invalid ? (['invalid-count'] as const) : [] };
}

function rateOf(part: PricePart, tier: PriceTier, model: ModelInfo): number | undefined {
  const isWrite = part === 'cacheWrite5m' || part === 'cacheWrite1h';
  return isWrite && model.cache.writes === 'no-fee' ? tier.input : tier[part];
}

function billedTokens(usage: Usage, model: ModelInfo) {
  const split = usage.cache_creation;
  const raw = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite5m: split?.ephemeral_5m_input_tokens,
    cacheWrite1h: split?.ephemeral_1h_input_tokens,
  };
  const tokens = mapParts((part) => tokenCount(raw[part]));
  const written = tokenCount(usage.cache_creation_input_tokens);
  const unsplit = Math.max(0, written - tokens.cacheWrite5m - tokens.cacheWrite1h);
  return {
    tokens: { ...tokens, cacheWrite5m: tokens.cacheWrite5m + unsplit },
    assumed: unsplit > 0 && sellsTwoLifetimes(model),
    invalid: [...Object.values(raw), usage.cache_creation_input_tokens].some(isInvalidCount),
  };
}

function sellsTwoLifetimes(model: ModelInfo): boolean {
  return model.prices.some((tier) => tier.cacheWrite1h !== undefined);
}

/** Top-level usage leaves out what a compaction on the provider's side used. */
function serverCompactions(usage: Usage): readonly Usage[] {
  const iterations = usage.iterations;
  if (!Array.isArray(iterations)) return [];
  return iterations.filter((each): each is Usage => each?.type === 'compaction');
}

function billedOtherwise(usage: Usage): readonly PriceCaveat[] {
  const caveats: PriceCaveat[] = [];
  if (usage.speed === 'fast') caveats.push('fast-mode');
  if (usage.service_tier === 'batch') caveats.push('batch');
  if (usage.inference_geo === 'us') caveats.push('us-only-inference');
  return caveats;
}

const isInvalidCount = (value: unknown): boolean =>
  value !== undefined && value !== null && tokenCount(value) !== value;

function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

function mapParts<Value>(of: (part: PricePart) => Value): Record<PricePart, Value> {
  return {
    input: of('input'),
    output: of('output'),
    cacheRead: of('cacheRead'),
    cacheWrite5m: of('cacheWrite5m'),
    cacheWrite1h: of('cacheWrite1h'),
  };
}

function addParts(left: Parts, right: Parts): Parts {
  return mapParts((part) => ({
    tokens: left[part].tokens + right[part].tokens,
    dollars: left[part].dollars + right[part].dollars,
    unpricedTokens: left[part].unpricedTokens + right[part].unpricedTokens,
  }));
}

const sum = (parts: Parts, of: (part: PricedPart) => number): number =>
  Object.values(parts).reduce((total, part) => total + of(part), 0);
