import type { Endpoint } from '../core/endpoint.ts';
import { jsonReply } from '../core/http.ts';
import { INPUT_TOKENS_FIELDS } from './fields.ts';
import { readResponse } from './responses-read.ts';

/** POST /v1/responses/input_tokens: an estimate of the prompt. */
export const inputTokens: Endpoint = (call) => {
  const { model, tokens } = readResponse(call, INPUT_TOKENS_FIELDS);
  const count = { object: 'response.input_tokens', input_tokens: tokens };
  return { model: model.id, reply: jsonReply(200, count) };
};
