import { CACHE_POLICIES, type CachePolicy, cachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { ownModel } from '../resolve-pricing.ts';

/** What is assumed of the provider of a session. */
export interface ProviderRules {
  readonly policy: CachePolicy;
  readonly info: ModelInfo | undefined;
  /** Whether the model is the provider's own and its cache rules are published. */
  readonly isKnown: boolean;
}

// Recorded Claude sessions read up to about 25 s late (3 of 3 at 300–315 s, 2 of 7 at 315–340 s, then 1 of 37).
const GRACE_MS = 25_000;

/** The rules for a model, by its id. A model the table does not have gets its family's policy and is marked unknown. */
export function providerRules(model: string, models: readonly ModelInfo[] = []): ProviderRules {
  const info = ownModel(model, models) ?? findModel(model);
  const family = familyOf(info?.id ?? model);
  // OpenAI may keep prefixes for a day: when it does not is a matter of chances
  const ttl = family === 'openai' ? '1h' : '5m';
  const policy =
    info && hasPolicy(info) ? cachePolicy(info, { ttl, graceMs: GRACE_MS }) : undefined;
  return {
    policy: policy ?? FALLBACK[family],
    info,
    isKnown: policy !== undefined && (family === 'anthropic' || family === 'openai'),
  };
}

type Family = 'anthropic' | 'openai' | 'google' | 'deepseek' | 'none';

const FALLBACK: Readonly<Record<Family, CachePolicy>> = {
  anthropic: CACHE_POLICIES.anthropic,
  openai: CACHE_POLICIES.openaiImplicit,
  google: CACHE_POLICIES.geminiImplicit,
  deepseek: CACHE_POLICIES.deepseek,
  none: CACHE_POLICIES.none,
};

const hasPolicy = ({ provider }: ModelInfo): boolean => provider in FALLBACK;

/** For cache rules only, never for prices: whose kind of cache a model of unknown id most likely has. */
function familyOf(model: string): Family {
  if (/gpt|codex|^o\d/.test(model)) return 'openai';
  if (/gemini/.test(model)) return 'google';
  if (/deepseek/.test(model)) return 'deepseek';
  return /claude/.test(model) ? 'anthropic' : 'none';
}
