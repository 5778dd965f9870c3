import { type Fields, recordOf } from '@varve/guards';
import type { Request } from '@varve/messages';
import { explainBreak, toOpenAiDiagnosis } from '@varve/prompt-cache';
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
  const diagnosis = toOpenAiDiagnosis(first);
  return diagnosis ? { type: 'cache_miss', ...diagnosis } : { type: 'unavailable' };
}
