import type { FieldRule } from '../anthropic/fields.ts';

const supported: FieldRule = { use: 'supported' };
const ignored: FieldRule = { use: 'ignored' };
const refused: FieldRule = { use: 'refused' };

const named = (rule: FieldRule, names: string): Record<string, FieldRule> =>
  Object.fromEntries(names.split(' ').map((name) => [name, rule]));

/** Every field of POST /v1/chat/completions; one that is not here is refused as unknown. */
export const CHAT_FIELDS: Readonly<Record<string, FieldRule>> = {
  model: { use: 'supported', required: true },
  messages: { use: 'supported', required: true },
  ...named(supported, 'tools stream stream_options stop max_completion_tokens max_tokens'),
  ...named(supported, 'reasoning_effort response_format verbosity service_tier'),
  ...named(supported, 'prompt_cache_key prompt_cache_options prompt_cache_retention n'),
  ...named(ignored, 'tool_choice parallel_tool_calls temperature top_p seed store metadata user'),
  ...named(ignored, 'frequency_penalty presence_penalty logit_bias safety_identifier modalities'),
  ...named(ignored, 'prediction moderation'),
  ...named(refused, 'audio functions function_call logprobs top_logprobs web_search_options'),
};

/** Every field of POST /v1/responses. */
export const RESPONSES_FIELDS: Readonly<Record<string, FieldRule>> = {
  model: { use: 'supported', required: true },
  ...named(supported, 'input instructions tools stream max_output_tokens reasoning text include'),
  ...named(supported, 'previous_response_id store context_management service_tier'),
  ...named(supported, 'prompt_cache_key prompt_cache_options prompt_cache_retention'),
  ...named(ignored, 'tool_choice parallel_tool_calls temperature top_p metadata user truncation'),
  ...named(ignored, 'safety_identifier stream_options max_tool_calls access_programs moderation'),
  ...named(refused, 'background background_options conversation prompt image top_logprobs'),
};

/** The fields of POST /v1/responses/compact. */
export const COMPACT_FIELDS: Readonly<Record<string, FieldRule>> = {
  model: { use: 'supported', required: true },
  ...named(supported, 'input instructions previous_response_id'),
  ...named(supported, 'prompt_cache_key prompt_cache_options prompt_cache_retention service_tier'),
  ...named(refused, 'image'),
};

/** The fields of POST /v1/responses/input_tokens. */
export const INPUT_TOKENS_FIELDS: Readonly<Record<string, FieldRule>> = {
  model: { use: 'supported', required: true },
  ...named(supported, 'input instructions tools reasoning text previous_response_id'),
  ...named(ignored, 'tool_choice parallel_tool_calls truncation personality'),
  ...named(refused, 'conversation'),
};
