import { type Fields, recordOf } from '@varve/guards';
import type { Request } from '@varve/messages';
import { type CacheBreak, explainBreak } from '@varve/prompt-cache';
import type { Call } from '../core/endpoint.ts';
import type { PreparedResponse } from './responses-read.ts';

/** What stays of a response for those that name it. */
export interface StoredResponse {
  readonly request: Request;
  readonly startMs: number;
  /** Input and output; missing for one that was not stored. */
  readonly items?: readonly Fields[] | undefined;
}

/** What the request lost against the response it names, in OpenAI's words; undefined where it names none. */
export function diagnose(call: Call, { account, request }: PreparedResponse): Fields | undefined {
  const { comparison_response_id: id } = recordOf(call.body.prompt_cache_options);
  if (typeof id !== 'string') return undefined;
  const previous = call.state.remember.get(call.organisation, id) as StoredResponse | undefined;
  if (previous === undefined) return { type: 'comparison_response_not_found' };
  const { policy, sizeOf } = account;
  const next = { request, startMs: call.startMs };
  const [first] = explainBreak(previous, next, { policy, sizeOf }).breaks;
  if (first === undefined) return { type: 'cache_hit' };
  const reason = inWords(first);
  if (reason === undefined) return { type: 'unavailable' };
  return { type: 'cache_miss', reason, cache_missed_tokens: first.lostTokens };
}

/** It has no word for time and look-back. */
const inWords = ({ cause, param }: CacheBreak): string | undefined =>
  cause === 'params-changed' ? (PARAMS.get(param ?? '') ?? 'input_changed') : WORDS.get(cause);

const WORDS: ReadonlyMap<CacheBreak['cause'], string> = new Map([
  ['model-changed', 'model_changed'],
  ['tools-changed', 'tools_changed'],
  ['system-changed', 'input_changed'],
  ['messages-changed', 'input_changed'],
]);

const PARAMS: ReadonlyMap<string, string> = new Map([
  ['prompt_cache_key', 'prompt_cache_key_changed'],
  ['text.format', 'text_format_changed'],
  ['text.verbosity', 'verbosity_changed'],
  ['reasoning.effort', 'reasoning_effort_changed'],
  ['service_tier', 'service_tier_changed'],
]);
