import { countTokens } from '../anthropic/count-tokens.ts';
import { messages } from '../anthropic/messages.ts';
import { getModel, listModels } from '../anthropic/models.ts';
import { chatCompletions } from '../openai/chat.ts';
import { getOpenAiModel, listOpenAiModels } from '../openai/models.ts';
import { responses } from '../openai/responses.ts';
import { compactResponse } from '../openai/responses-compact.ts';
import { inputTokens } from '../openai/responses-input-tokens.ts';
import type { ProviderName } from '../replies/reply.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpRequest } from './http.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL; `{id}` stands for one part. */
  readonly path: string;
  readonly provider: ProviderName;
  readonly endpoint: Endpoint;
}

/** Every endpoint. The two lists of models share their path and are told apart by the `anthropic-version` header. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/messages', provider: 'anthropic', endpoint: messages },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    provider: 'anthropic',
    endpoint: countTokens,
  },
  { method: 'GET', path: '/v1/models', provider: 'anthropic', endpoint: listModels },
  { method: 'GET', path: '/v1/models/{id}', provider: 'anthropic', endpoint: getModel },
  {
    method: 'POST',
    path: '/v1/chat/completions',
    provider: 'openai-chat',
    endpoint: chatCompletions,
  },
  { method: 'POST', path: '/v1/responses', provider: 'openai-responses', endpoint: responses },
  {
    method: 'POST',
    path: '/v1/responses/compact',
    provider: 'openai-responses',
    endpoint: compactResponse,
  },
  {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    provider: 'openai-responses',
    endpoint: inputTokens,
  },
  { method: 'GET', path: '/v1/models', provider: 'openai-responses', endpoint: listOpenAiModels },
  {
    method: 'GET',
    path: '/v1/models/{id}',
    provider: 'openai-responses',
    endpoint: getOpenAiModel,
  },
];

export interface Routed {
  readonly route: Route;
  readonly name: string | undefined;
}

export function findRoute(request: HttpRequest): Routed | undefined {
  const provider = providerOf(request);
  for (const route of ROUTES) {
    if (route.method !== request.method) continue;
    if ((route.provider === 'anthropic') !== (provider === 'anthropic')) continue;
    const found = PATTERNS.get(route)?.exec(pathOf(request));
    if (found) return { route, name: decode(found[1]) };
  }
  return undefined;
}

const PATTERNS = new Map(
  ROUTES.map((route) => [route, new RegExp(`^${route.path.replace('{id}', '([^/]+)')}/?$`)]),
);

/** Whose shape an answer has, also where no endpoint is found. */
export function providerOf(request: HttpRequest): ProviderName {
  const path = pathOf(request);
  if (path.startsWith('/v1/messages')) return 'anthropic';
  if (path.startsWith('/v1/chat')) return 'openai-chat';
  if (path.startsWith('/v1/responses')) return 'openai-responses';
  return request.headers['anthropic-version'] === undefined ? 'openai-responses' : 'anthropic';
}

const pathOf = ({ path }: HttpRequest): string => path.split('?', 1)[0] ?? '';

function decode(name: string | undefined): string | undefined {
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name;
  }
}
