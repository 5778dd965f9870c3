import type { Endpoint } from '../core/endpoint.ts';
import { jsonReply } from '../core/http.ts';
import { COUNT_FIELDS } from './fields.ts';
import { prepare } from './prepare.ts';

/** POST /v1/messages/count_tokens: an estimate that ignores the cache, with the server's own edits applied. */
export const countTokens: Endpoint = (call) => {
  const { model, tokens } = prepare(call, COUNT_FIELDS);
  const management = { original_input_tokens: tokens.sent };
  return {
    model: model.id,
    reply: jsonReply(200, {
      input_tokens: tokens.billed,
      ...(call.body.context_management != null && { context_management: management }),
    }),
  };
};
