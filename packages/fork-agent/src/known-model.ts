import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  PromptCacheError,
} from '@varve/prompt-cache';
import { type ModelInfo, resolveModel } from '@varve/tokens';

export type OwnModels = readonly ModelInfo[] | undefined;

/** The caller's own entry of a model, or that of the table; undefined where there is none. */
export function knownModel(id: string, models: OwnModels): ModelInfo | undefined {
  const resolved = resolveModel(id, { models });
  return resolved.known ? resolved.model : undefined;
}

/** The policy of a known model; none where it is unknown, so that no marker is set that a provider may refuse. */
export function policyFor(id: string, models: OwnModels): CachePolicy {
  const info = knownModel(id, models);
  if (info === undefined || info.provider === 'other') return CACHE_POLICIES.none;
  try {
    return cachePolicy(info);
  } catch (error) {
    if (!PromptCacheError.is(error)) throw error;
    return CACHE_POLICIES.none;
  }
}
