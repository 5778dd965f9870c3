import type { Usage } from '@varve/messages';
import type { CacheResult } from '@varve/prompt-cache';

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

/** Usage of one pass, with every field the API has. */
export function usageOf(served: Pick<CacheResult, 'usage'> | undefined): Usage {
  const usage = (served?.usage ?? NO_TOKENS) as Usage;
  return {
    input_tokens: usage.input_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens ?? 0,
    cache_read_input_tokens: usage.cache_read_input_tokens ?? 0,
    cache_creation: usage.cache_creation ?? {
      ephemeral_5m_input_tokens: 0,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: usage.output_tokens,
    service_tier: 'standard',
  };
}

/** One pass in `usage.iterations`. */
export function iterationOf(type: 'compaction' | 'message', served: Pick<CacheResult, 'usage'>) {
  const { service_tier: _tier, ...usage } = usageOf(served);
  return { type, ...usage };
}
