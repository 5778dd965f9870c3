import { type Fields, numberOf, recordOf } from '@varve/guards';
import type { Usage } from '@varve/messages';
import { usageFromOpenAIChat, usageFromOpenAIResponses } from '@varve/messages/convert';

/** Usage of a chat completion, also of servers that name the cached tokens elsewhere (DeepSeek, Moonshot). */
export function chatUsage(reported: Fields): Usage {
  const details = recordOf(reported.prompt_tokens_details);
  const cached =
    numberOf(details.cached_tokens) ??
    numberOf(reported.prompt_cache_hit_tokens) ??
    numberOf(reported.cached_tokens);
  const usage = usageFromOpenAIChat({
    ...reported,
    prompt_tokens_details: { ...details, ...(cached !== undefined && { cached_tokens: cached }) },
  } as never);
  return { ...usage, provider_usage: reported };
}

export function responsesUsage(reported: Fields): Usage {
  return usageFromOpenAIResponses(reported as never);
}
