import type { Fields } from '@varve/guards';
import type { CacheResult } from '@varve/prompt-cache';

type CacheTokens = CacheResult['tokens'];

export interface OutputCounts {
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/**
 * Usage of the Responses API: input counts what was read and written as well. Writes are split by lifetime only where any
 * is for 12 hours; the field is optional, and agents exist that take nothing but numbers there.
 */
export function responsesUsage(passes: readonly CacheTokens[], output: OutputCounts): Fields {
  const sum = (pick: (tokens: CacheTokens) => number) =>
    passes.reduce((total, tokens) => total + pick(tokens), 0);
  const input = sum(({ total }) => total);
  const short = sum(({ write5m }) => write5m);
  const long = sum(({ write1h }) => write1h);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: sum(({ read }) => read),
      cache_write_tokens: short + long,
      ...(long > 0 && {
        cache_write_tokens_details: { ttl_30m_tokens: short, ttl_12h_tokens: long },
      }),
    },
    output_tokens: output.outputTokens,
    output_tokens_details: { reasoning_tokens: output.reasoningTokens },
    total_tokens: input + output.outputTokens,
  };
}
