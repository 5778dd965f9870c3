import type { ImportedThread } from '@varve/transcript/import';
import { livesLong } from './replay/recorded-conditions.ts';
import {
  findPricedModel,
  type Pricing,
  type PricingOptions,
  resolvePricing,
} from './resolve-pricing.ts';

/** As `model`: price each session as the model it was recorded with. */
export const RECORDED_MODEL = 'recorded';

/**
 * The pricing of one thread, with the lifetime of its bills where none is asked for; OpenAI keeps prefixes for longer than an
 * hour. Undefined where the recorded model is asked for and has no known price.
 */
export function threadPricing(
  thread: ImportedThread,
  options: PricingOptions,
): Pricing | undefined {
  if (options.model !== RECORDED_MODEL) return resolvePricing(options);
  const model = findPricedModel(recordedModel(thread) ?? '', options.models);
  const ttl = options.ttl ?? (model?.provider === 'openai' || livesLong(thread) ? '1h' : '5m');
  return model && resolvePricing({ ...options, model: model.id, ttl });
}

/** The model of the first reply that names one. */
export function recordedModel({ entries }: ImportedThread): string | undefined {
  for (const entry of entries) {
    if (entry.type === 'message' && entry.message.response) return entry.message.response.model;
  }
  return undefined;
}
