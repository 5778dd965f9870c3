import type { Usage } from '@varve/messages';
import type { UsageStyle } from './policy.ts';

/** Prompt tokens of one request by what they are billed as. */
export interface CacheTokens {
  readonly read: number;
  /** Written with the provider's short lifetime: 5 minutes at Anthropic, 30 minutes at OpenAI. */
  readonly write5m: number;
  /** Written with its long one. */
  readonly write1h: number;
  /** Neither read nor written, or written without a fee. */
  readonly plain: number;
  /** All of the prompt. */
  readonly total: number;
}

/** Usage under the names and with the sums of each provider: Anthropic counts apart what others include. */
export type ProviderUsage =
  | Usage
  | {
      readonly input_tokens: number;
      readonly input_tokens_details: {
        readonly cached_tokens: number;
        readonly cache_write_tokens: number;
      };
      readonly output_tokens: number;
      readonly total_tokens: number;
    }
  | {
      readonly prompt_tokens: number;
      readonly prompt_tokens_details: { readonly cached_tokens: number };
      readonly completion_tokens: number;
      readonly total_tokens: number;
    }
  | {
      readonly promptTokenCount: number;
      readonly cachedContentTokenCount: number;
      readonly candidatesTokenCount: number;
      readonly totalTokenCount: number;
    }
  | {
      readonly prompt_tokens: number;
      readonly prompt_cache_hit_tokens: number;
      readonly prompt_cache_miss_tokens: number;
      readonly completion_tokens: number;
      readonly total_tokens: number;
    };

/** The tokens of a request in the words of a provider. */
export function providerUsage(
  tokens: CacheTokens,
  outputTokens: number,
  style: UsageStyle,
): ProviderUsage {
  const { read, total } = tokens;
  const total_tokens = total + outputTokens;
  switch (style) {
    case 'openai-responses':
      return {
        input_tokens: total,
        input_tokens_details: {
          cached_tokens: read,
          cache_write_tokens: tokens.write5m + tokens.write1h,
        },
        output_tokens: outputTokens,
        total_tokens,
      };
    case 'openai-chat':
      return {
        prompt_tokens: total,
        prompt_tokens_details: { cached_tokens: read },
        completion_tokens: outputTokens,
        total_tokens,
      };
    case 'gemini':
      return {
        promptTokenCount: total,
        cachedContentTokenCount: read,
        candidatesTokenCount: outputTokens,
        totalTokenCount: total_tokens,
      };
    case 'deepseek':
      return {
        prompt_tokens: total,
        prompt_cache_hit_tokens: read,
        prompt_cache_miss_tokens: total - read,
        completion_tokens: outputTokens,
        total_tokens,
      };
    default:
      return canonicalUsage(tokens, outputTokens);
  }
}

/** The same in the shape every package here works with. */
export function canonicalUsage(tokens: CacheTokens, outputTokens: number): Usage {
  const { read, write5m, write1h, plain } = tokens;
  return {
    input_tokens: plain,
    cache_creation_input_tokens: write5m + write1h,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens: outputTokens,
  };
}
