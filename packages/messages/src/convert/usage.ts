import { anObject, expected, isRecord } from '@varve/guards';
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
  return usageOf(usage, 'prompt_tokens');
}

/** Usage of Responses in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export function usageFromOpenAIResponses(usage: OpenAIResponsesUsage): Usage {
  return usageOf(usage, 'input_tokens');
}

/**
 * Reads a usage by the fields it has, whichever of the two converters it was given to; Anthropic's, which counts cached
 * tokens apart, as well. What the provider said is kept as `provider_usage`. No count is ever negative or NaN, and what
 * does not agree is named in `inconsistent`:
 *
 * - `count`: a count was no number from 0 up; 0 stands for it
 * - `cached-above-prompt`: more tokens were cached than the prompt has, as gateways say that count them apart; they are then
 *   counted beside it, because the larger reading is the safe one
 * - `shape`: the usage is of another API than the converter's name says
 *
 * @throws TypeError for what is no object
 */
function usageOf(reported: object, promptField: 'prompt_tokens' | 'input_tokens'): Usage {
  if (!isRecord(reported)) throw expected('usage', anObject, reported);
  const usage: Loose = reported;
  const problems = new Set<string>();
  const count = (value: unknown): number => {
    if (value === undefined || value === null) return 0;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    problems.add('count');
    return 0;
  };
  const isAnthropic = ANTHROPIC_ONLY.some((name) => usage[name] !== undefined);
  const isOther =
    usage[promptField] === undefined && COUNTS.some((name) => usage[name] !== undefined);
  if (isAnthropic || isOther) problems.add('shape');
  const details = (usage.prompt_tokens_details ?? usage.input_tokens_details ?? {}) as Loose;
  const thinking = reasoningOf(usage);
  const prompt = count(usage.prompt_tokens ?? usage.input_tokens);
  const output = count(usage.completion_tokens ?? usage.output_tokens);
  const read = count(isAnthropic ? usage.cache_read_input_tokens : details.cached_tokens);
  const written = count(
    isAnthropic ? usage.cache_creation_input_tokens : details.cache_write_tokens,
  );
  const isApart = isAnthropic || read + written > prompt;
  if (isApart && !isAnthropic) problems.add('cached-above-prompt');
  return {
    input_tokens: isApart ? prompt : prompt - read - written,
    output_tokens: output,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(thinking != null && { output_tokens_details: { thinking_tokens: count(thinking) } }),
    ...(problems.size > 0 && { inconsistent: [...problems] }),
    provider_usage: reported,
  };
}

type Loose = Readonly<Record<string, unknown>>;

const COUNTS = ['prompt_tokens', 'input_tokens'];
const ANTHROPIC_ONLY = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation'];

function reasoningOf(usage: Loose): unknown {
  const details = usage.completion_tokens_details ?? usage.output_tokens_details ?? {};
  const { reasoning_tokens: reasoning, thinking_tokens: thinking } = details as Loose;
  return reasoning ?? thinking;
}
