import type { Refusal } from '../core/endpoint.ts';
import { type HttpReply, jsonReply } from '../core/http.ts';

/** The provider's type of error for a status (platform.claude.com, "Errors"). */
export const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export const errorType = (status: number): string =>
  ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

/** A refusal in the shape of Anthropic's API. */
export function errorReply(
  { status, type, message, details }: Refusal,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const error = { type, message, ...(details && { details }) };
  const body = { type: 'error', error, request_id: requestId };
  return jsonReply(status, body, { ...headers, 'request-id': requestId });
}

/** An error in the middle of a stream. */
export function errorEvent(status: number): string {
  const error = {
    type: errorType(status),
    message: ERROR_WORDS[status] ?? 'Internal server error',
  };
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
}

export const ERROR_WORDS: Readonly<Record<number, string>> = {
  401: 'invalid x-api-key',
  402: 'Your credit balance is too low to access the API.',
  403: 'Your API key does not have permission to use the specified resource.',
  404: 'Not found',
  413: 'Request exceeds the maximum size',
  429: 'This request would exceed the rate limit of your organization.',
  500: 'Internal server error',
  504: 'The request timed out.',
  529: 'Overloaded',
};

export const invalid = (message: string, details?: Refusal['details']): Refusal => ({
  status: 400,
  type: 'invalid_request_error',
  message,
  details,
});
