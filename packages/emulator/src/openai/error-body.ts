import type { Refusal } from '../core/endpoint.ts';
import { type HttpReply, jsonReply } from '../core/http.ts';

interface StatusWords {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const BY_STATUS: Readonly<Record<number, StatusWords>> = {
  401: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: 'Incorrect API key provided.',
  },
  403: { type: 'invalid_request_error', code: null, message: 'You have no access to this.' },
  404: { type: 'invalid_request_error', code: null, message: 'Invalid URL' },
  413: { type: 'invalid_request_error', code: null, message: 'The request is too large.' },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached.' },
  500: {
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request.',
  },
  503: { type: 'server_error', code: null, message: 'The engine is currently overloaded.' },
};

export function refusalOfStatus(status: number, message?: string): Refusal {
  const fallback = status >= 500 ? BY_STATUS[500] : undefined;
  const known = BY_STATUS[status] ?? fallback;
  return {
    status,
    type: known?.type ?? 'invalid_request_error',
    message: message ?? known?.message ?? 'Invalid request',
    ...(known?.code && { code: known.code }),
  };
}

export const badRequest = (message: string, param?: string, code?: string): Refusal => ({
  status: 400,
  type: 'invalid_request_error',
  message,
  ...(param !== undefined && { param }),
  ...(code !== undefined && { code }),
});

export const contextTooLong = (actualTokens: number, limitTokens: number): Refusal =>
  badRequest(
    `Your input exceeds the context window of this model: ${actualTokens} tokens, at most ${limitTokens}. Please adjust your input and try again.`,
    'input',
    'context_length_exceeded',
  );

/** A refusal in the shape of OpenAI's APIs. */
export function errorReply(
  { status, type, message, param = undefined, code = undefined }: Refusal,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const error = { message, type, param: param ?? null, code: code ?? null };
  return jsonReply(status, { error }, { ...headers, 'x-request-id': requestId });
}

/** An error in the middle of a stream: both APIs' SDKs read it. */
export function errorEvent(status: number): string {
  const { type, message, code = null } = refusalOfStatus(status);
  const error = { type, message, code, param: null };
  return `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param: null, error })}\n\n`;
}
