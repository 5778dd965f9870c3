import { CACHE_POLICIES, type CachePolicy, cachePolicy } from '@varve/prompt-cache';
import { findModel } from '@varve/tokens/models';

/** The policy of a model in the table; none where it is unknown, so that no marker is set that a provider may refuse. */
export function policyFor(model: string): CachePolicy {
  const info = findModel(model);
  return info && info.provider !== 'other' ? cachePolicy(info) : CACHE_POLICIES.none;
}
