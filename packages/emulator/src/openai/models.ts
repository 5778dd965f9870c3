import type { ModelInfo } from '@varve/tokens';
import { type Endpoint, Refused } from '../core/endpoint.ts';
import { jsonReply } from '../core/http.ts';

/** GET /v1/models in OpenAI's shape. */
export const listOpenAiModels: Endpoint = ({ state }) => {
  const data = state.models.filter(({ provider }) => provider !== 'anthropic').map(describe);
  return { reply: jsonReply(200, { object: 'list', data }) };
};

/** GET /v1/models/{id} in OpenAI's shape. */
export const getOpenAiModel: Endpoint = ({ name = '', state }) => {
  const model = state.findModel(name);
  if (model && model.provider !== 'anthropic') return { reply: jsonReply(200, describe(model)) };
  throw new Refused({
    status: 404,
    type: 'invalid_request_error',
    message: `The model '${name}' does not exist`,
    code: 'model_not_found',
  });
};

const describe = ({ id, checkedOn, provider }: ModelInfo) => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(checkedOn) / 1_000) || 0,
  owned_by: provider,
});
