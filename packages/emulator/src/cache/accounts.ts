import { CACHE_POLICIES, type CachePolicy, cachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { type Account, createAccount } from './account.ts';

/** What separates caches besides the organisation and the model: the mode and the lifetime a request asks for. */
export interface CacheVariant {
  /** Only what is marked is written. */
  readonly explicitOnly?: boolean | undefined;
  readonly ttl?: '5m' | '1h' | undefined;
}

export interface Accounts {
  of(organisation: string, model: ModelInfo, variant?: CacheVariant): Account;
  /** How often a cache was emptied because its prompts grew over the limit. */
  readonly resets: number;
}

/** All simulated caches; one that keeps more than `maxPromptCharacters` starts again empty. */
export function createAccounts(maxPromptCharacters: number): Accounts {
  const accounts = new Map<string, Account>();
  let resets = 0;
  return {
    of(organisation, model, variant = {}) {
      const key = JSON.stringify([organisation, model.id, variant.explicitOnly, variant.ttl]);
      const known = accounts.get(key);
      if (known && known.size <= maxPromptCharacters) return known;
      if (known) resets += 1;
      const created = createAccount({ model, policy: policyOf(model, variant) });
      accounts.set(key, created);
      return created;
    },
    get resets() {
      return resets;
    },
  };
}

/** The model's policy; models nobody has described cache nothing. */
export function policyOf(model: ModelInfo, variant: CacheVariant = {}): CachePolicy {
  if (model.provider === 'other') return { ...CACHE_POLICIES.none, tokenizer: model.tokenizer };
  const policy = cachePolicy(model, { ttl: variant.ttl });
  const strips = model.provider === 'anthropic' && model.stripsOldThinking;
  return {
    ...policy,
    ...(strips && { oldThinking: 'stripped-at-user-turn' }),
    ...(variant.explicitOnly && { automaticMarker: 'none', maxMarkers: 4 }),
  };
}
