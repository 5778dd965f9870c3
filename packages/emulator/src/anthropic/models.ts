import type { ModelInfo } from '@varve/tokens';
import { type Endpoint, Refused } from '../core/endpoint.ts';
import { jsonReply } from '../core/http.ts';

/** GET /v1/models, with `limit`, `after_id` and `before_id`. */
export const listModels: Endpoint = ({ http, state }) => {
  const query = new URLSearchParams(http.path.split('?')[1] ?? '');
  const all = state.models.filter(({ provider }) => provider === 'anthropic');
  const indexOf = (name: string) => all.findIndex(({ id }) => id === query.get(name));
  const limit = Math.max(1, Number(query.get('limit') ?? DEFAULT_LIMIT) || DEFAULT_LIMIT);
  const before = indexOf('before_id');
  const start = before >= 0 ? Math.max(0, before - limit) : indexOf('after_id') + 1;
  const end = before >= 0 ? before : start + limit;
  const page = all.slice(start, end);
  return {
    reply: jsonReply(200, {
      data: page.map(describe),
      has_more: before >= 0 ? start > 0 : end < all.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    }),
  };
};

const DEFAULT_LIMIT = 20;

/** GET /v1/models/{id} */
export const getModel: Endpoint = ({ name = '', state }) => {
  const model = state.findModel(name);
  if (model?.provider === 'anthropic') return { reply: jsonReply(200, describe(model)) };
  throw new Refused({ status: 404, type: 'not_found_error', message: `model: ${name}` });
};

function describe({ id, windowTokens, maxOutputTokens, checkedOn, serverFeatures }: ModelInfo) {
  const has = (feature: ModelInfo['serverFeatures'][number]) => ({
    supported: serverFeatures.includes(feature),
  });
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: `${checkedOn}T00:00:00Z`,
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    line: null,
    max_input_tokens: windowTokens,
    max_tokens: maxOutputTokens ?? null,
    capabilities: {
      context_management: {
        supported: serverFeatures.includes('context-editing'),
        clear_tool_uses_20250919: has('context-editing'),
        clear_thinking_20251015: has('context-editing'),
        compact_20260112: has('threshold-compaction'),
      },
    },
  };
}
