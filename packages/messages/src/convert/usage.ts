import type { Usage } from '../types.ts';

/** What OpenAI's Chat Completions report; the SDK's `CompletionUsage` fits. */
export interface OpenAIChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: CachedTokens | null | undefined;
  readonly completion_tokens_details?: ReasoningTokens | null | undefined;
}

/** What OpenAI's Responses report; the SDK's `ResponseUsage` fits. */
export interface OpenAIResponsesUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_tokens_details?: CachedTokens | null | undefined;
  readonly output_tokens_details?: ReasoningTokens | null | undefined;
}

interface CachedTokens {
  readonly cached_tokens?: number | null | undefined;
  readonly cache_write_tokens?: number | null | undefined;
}

interface ReasoningTokens {
  readonly reasoning_tokens?: number | null | undefined;
}

/** Usage of Chat Completions in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export function usageFromOpenAIChat(usage: OpenAIChatUsage): Usage {
  return split(usage, {
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cached: usage.prompt_tokens_details,
    reasoning: usage.completion_tokens_details,
  });
}

/** Usage of Responses in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export function usageFromOpenAIResponses(usage: OpenAIResponsesUsage): Usage {
  return split(usage, {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cached: usage.input_tokens_details,
    reasoning: usage.output_tokens_details,
  });
}

interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cached: CachedTokens | null | undefined;
  readonly reasoning: ReasoningTokens | null | undefined;
}

/**
 * What the provider said is kept as `provider_usage`. A gateway that counts cached tokens apart from the input reports
 * more of them than input: the total then stays the input.
 */
function split(reported: object, { input, output, cached, reasoning }: Counts): Usage {
  const read = Math.min(input, cached?.cached_tokens ?? 0);
  const written = Math.min(input - read, cached?.cache_write_tokens ?? 0);
  const thinking = reasoning?.reasoning_tokens;
  return {
    input_tokens: input - read - written,
    output_tokens: output,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(thinking != null && { output_tokens_details: { thinking_tokens: thinking } }),
    provider_usage: reported,
  };
}
