import * as anthropic from '../anthropic/error-body.ts';
import { VERSIONS } from '../anthropic/fields.ts';
import * as openai from '../openai/error-body.ts';
import type { ProviderName } from '../replies/reply.ts';
import type { Refusal } from './endpoint.ts';
import type { HttpReply, HttpRequest } from './http.ts';

/** How each side says that something is wrong. */
export interface Dialect {
  errorReply(
    refusal: Refusal,
    requestId: string,
    headers?: Readonly<Record<string, string>>,
  ): HttpReply;
  errorEvent(status: number): string;
  /** A refusal by its status alone, in the provider's words unless others are given. */
  refusal(status: number, message?: string): Refusal;
  tooLong(actualTokens: number, limitTokens: number): Refusal;
  /** The account of a request, or why it has none. */
  authorise(request: HttpRequest): { readonly key: string } | Refusal;
  readonly requestIdHeader: string;
  readonly maxBodyBytes: number;
}

const ANTHROPIC: Dialect = {
  errorReply: anthropic.errorReply,
  errorEvent: anthropic.errorEvent,
  refusal: (status, message = anthropic.ERROR_WORDS[status] ?? 'Invalid request') => ({
    status,
    type: anthropic.errorType(status),
    message,
  }),
  tooLong: (actual, limit) =>
    anthropic.invalid(`prompt is too long: ${actual} tokens > ${limit} maximum`),
  authorise({ headers }) {
    const key = headers['x-api-key'] ?? bearer(headers.authorization);
    if (!key) return ANTHROPIC.refusal(401);
    const version = headers['anthropic-version'];
    if (version === undefined) return anthropic.invalid('anthropic-version: header is required');
    const isKnown = (VERSIONS as readonly string[]).includes(version);
    return isKnown
      ? { key }
      : anthropic.invalid(`anthropic-version: "${version}" is not a valid version`);
  },
  requestIdHeader: 'request-id',
  maxBodyBytes: 32 * 2 ** 20,
};

const OPENAI: Dialect = {
  errorReply: openai.errorReply,
  errorEvent: openai.errorEvent,
  refusal: openai.refusalOfStatus,
  tooLong: openai.contextTooLong,
  authorise({ headers }) {
    const key = bearer(headers.authorization);
    return key ? { key } : openai.refusalOfStatus(401);
  },
  requestIdHeader: 'x-request-id',
  maxBodyBytes: 64 * 2 ** 20,
};

export const dialectOf = (provider: ProviderName): Dialect =>
  provider === 'anthropic' ? ANTHROPIC : OPENAI;

function bearer(authorization: string | undefined): string | undefined {
  return authorization?.match(/^bearer\s+(\S+)/i)?.[1];
}
