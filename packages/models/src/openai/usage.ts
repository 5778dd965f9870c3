import { type Fields, numberOf, recordOf } from '@varve/guards';
import { type Usage, usageFromOpenAIChat, usageFromOpenAIResponses } from '@varve/messages';

/** Usage of a chat completion, also of servers that name the cached tokens elsewhere (DeepSeek, Moonshot). */
export function chatUsage(reported: Fields): Usage {
  const details = recordOf(reported.prompt_tokens_details);
  const cached =
    numberOf(details.cached_tokens) ??
    numberOf(reported.prompt_cache_hit_tokens) ??
    numberOf(reported.cached_tokens);
  const usage = usageFromOpenAIChat({
    prompt_tokens: numberOf(reported.prompt_tokens) ?? 0,
    completion_tokens: numberOf(reported.completion_tokens) ?? 0,
    prompt_tokens_details: { ...details, ...(cached !== undefined && { cached_tokens: cached }) },
    completion_tokens_details: recordOf(reported.completion_tokens_details),
  });
  return { ...usage, provider_usage: reported };
}

export function responsesUsage(reported: Fields): Usage {
  const usage = usageFromOpenAIResponses({
    input_tokens: numberOf(reported.input_tokens) ?? 0,
    output_tokens: numberOf(reported.output_tokens) ?? 0,
    input_tokens_details: recordOf(reported.input_tokens_details),
    output_tokens_details: recordOf(reported.output_tokens_details),
  });
  return { ...usage, provider_usage: reported };
}
