import type { CacheTokens } from '@varve/prompt-cache';
import type { Fields } from '../core/json.ts';

export interface OutputCounts {
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Usage of the Responses API: input counts what was read and written as well. */
export function responsesUsage(passes: readonly CacheTokens[], output: OutputCounts): Fields {
  const sum = (pick: (tokens: CacheTokens) => number) =>
    passes.reduce((total, tokens) => total + pick(tokens), 0);
  const input = sum(({ total }) => total);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: sum(({ read }) => read),
      cache_write_tokens: sum(({ write5m, write1h }) => write5m + write1h),
      cache_write_tokens_details: {
        ttl_30m_tokens: sum(({ write5m }) => write5m),
        ttl_12h_tokens: sum(({ write1h }) => write1h),
      },
    },
    output_tokens: output.outputTokens,
    output_tokens_details: { reasoning_tokens: output.reasoningTokens },
    total_tokens: input + output.outputTokens,
  };
}
