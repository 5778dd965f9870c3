import type { BreakCause, CacheBreak } from './cache-break.ts';

/** A cache miss as Anthropic's `diagnostics.cache_miss_reason` tells it. */
export interface AnthropicDiagnosis {
  readonly type:
    | 'model_changed'
    | 'system_changed'
    | 'tools_changed'
    | 'messages_changed'
    | 'previous_message_not_found'
    | 'unavailable';
  /** Approximate; only where something changed. */
  readonly cache_missed_input_tokens?: number;
}

/** A cache miss as OpenAI's `prompt_cache_diagnostics` tells it. */
export interface OpenAiDiagnosis {
  readonly reason:
    | 'model_changed'
    | 'prompt_cache_key_changed'
    | 'tools_changed'
    | 'text_format_changed'
    | 'reasoning_effort_changed'
    | 'verbosity_changed'
    | 'context_compacted'
    | 'input_changed'
    | 'service_tier_changed';
  readonly cache_missed_tokens: number;
}

/**
 * A break in Anthropic's words. It has none for parameters, which lose the messages, nor for time and look-back:
 * those are `unavailable`.
 */
export function toAnthropicDiagnosis({ cause, lostTokens }: CacheBreak): AnthropicDiagnosis {
  switch (cause) {
    case 'model-changed':
      return { type: 'model_changed', cache_missed_input_tokens: lostTokens };
    case 'tools-changed':
      return { type: 'tools_changed', cache_missed_input_tokens: lostTokens };
    case 'system-changed':
      return { type: 'system_changed', cache_missed_input_tokens: lostTokens };
    case 'messages-changed':
    case 'params-changed':
      return { type: 'messages_changed', cache_missed_input_tokens: lostTokens };
    case 'first-request':
      return { type: 'previous_message_not_found' };
    default:
      return { type: 'unavailable' };
  }
}

/** A break in OpenAI's words; undefined where it has none, for time above all. */
export function toOpenAiDiagnosis(each: CacheBreak): OpenAiDiagnosis | undefined {
  const reason = openAiReason(each);
  return reason && { reason, cache_missed_tokens: each.lostTokens };
}

function openAiReason({ cause, param }: CacheBreak): OpenAiDiagnosis['reason'] | undefined {
  if (cause === 'params-changed') return OPENAI_PARAMS.get(param ?? '') ?? 'input_changed';
  if (cause === 'model-changed') return 'model_changed';
  if (cause === 'tools-changed') return 'tools_changed';
  if (cause === 'system-changed' || cause === 'messages-changed') return 'input_changed';
  return undefined;
}

const OPENAI_PARAMS: ReadonlyMap<string, OpenAiDiagnosis['reason']> = new Map([
  ['prompt_cache_key', 'prompt_cache_key_changed'],
  ['text.format', 'text_format_changed'],
  ['text.verbosity', 'verbosity_changed'],
  ['reasoning.effort', 'reasoning_effort_changed'],
  ['service_tier', 'service_tier_changed'],
]);

/** Our cause for a provider's word, to set beside a prediction; undefined for words that name none. */
export function diagnosedCause(word: string): BreakCause | undefined {
  return CAUSES.get(word);
}

const CAUSES: ReadonlyMap<string, BreakCause> = new Map([
  ['model_changed', 'model-changed'],
  ['tools_changed', 'tools-changed'],
  ['system_changed', 'system-changed'],
  ['messages_changed', 'messages-changed'],
  ['input_changed', 'messages-changed'],
  ['context_compacted', 'messages-changed'],
  ['previous_message_not_found', 'first-request'],
  ...[...OPENAI_PARAMS.values()].map((word) => [word, 'params-changed'] as const),
]);
