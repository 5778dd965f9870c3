import type { MessageLike } from '@varve/messages/blocks';
import { refuseForeign } from '@varve/messages/foreign';
import type { CountInput, CountTokens } from './count.ts';
import { TokensError, type TokensErrorCode } from './error.ts';

/** The part of the platform's `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal?: AbortSignal;
  },
) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
}>;

export interface CountEndpointOptions {
  readonly fetch: Fetch;
  /** Sent as they are: the key, and whatever a gateway wants. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Where the Messages API answers, without `/v1`.
   * @default 'https://api.anthropic.com'
   */
  readonly baseUrl?: string | undefined;
  /**
   * The `anthropic-version` header.
   * @default '2023-06-01'
   */
  readonly version?: string | undefined;
}

/**
 * Counts by asking Anthropic's `/v1/messages/count_tokens`: one free request a count, with the head's `betas` as a header
 * and its other params in the body. The answer is the provider's own estimate. It holds for the whole request only, so what
 * is remembered is the last count of each array of messages, not counts of blocks.
 *
 * @throws TokensError `count-failed` with the status where the endpoint refuses or cannot be reached, `count-unreadable`
 * where it answers without a count.
 */
export function createCountEndpoint(options: CountEndpointOptions): CountTokens {
  const { fetch, headers, baseUrl = 'https://api.anthropic.com', version = '2023-06-01' } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/messages/count_tokens`;
  const fixedHeaders = { 'content-type': 'application/json', 'anthropic-version': version };
  const known = new WeakMap<readonly MessageLike[], CountInput & { readonly tokens: number }>();

  return async (input, { signal } = {}) => {
    signal?.throwIfAborted();
    const { head, messages, server } = input;
    refuseForeign(messages);
    const last = known.get(messages);
    if (last !== undefined && last.head === head && last.server === server) return last.tokens;
    const request = {
      method: 'POST' as const,
      headers: { ...fixedHeaders, ...betaHeader(input), ...headers },
      body: JSON.stringify(bodyOf(input)),
      ...(signal !== undefined && { signal }),
    };
    const tokens = await ask(() => fetch(url, request), signal);
    known.set(messages, { head, messages, server, tokens });
    return tokens;
  };
}

function betaHeader({ head }: CountInput): Record<string, string> {
  const { betas } = head.params;
  return Array.isArray(betas) && betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {};
}

function bodyOf({ head, messages, server }: CountInput): object {
  const { betas: _, ...params } = head.params;
  return {
    ...params,
    ...server,
    model: head.model,
    ...(head.system.length > 0 && { system: head.system }),
    ...(head.tools.length > 0 && { tools: head.tools }),
    messages: messages.map(({ role, content }) => ({ role, content })),
  };
}

async function ask(send: () => ReturnType<Fetch>, signal?: AbortSignal): Promise<number> {
  const response = await orThrow(send, signal, () => UNREACHABLE);
  const body = () => response.json();
  if (!response.ok) {
    const error = await orThrow(body, signal, () => refusal(response.status, undefined));
    throw tokensError(refusal(response.status, errorType(error)));
  }
  const tokens = field(await orThrow(body, signal, () => UNREADABLE), 'input_tokens');
  if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0) return tokens;
  throw tokensError(UNREADABLE);
}

interface Failure {
  readonly code: TokensErrorCode;
  readonly message: string;
  readonly status?: number;
}

const UNREACHABLE: Failure = {
  code: 'count-failed',
  message: 'the count endpoint could not be reached; count by estimate meanwhile',
};

const UNREADABLE: Failure = {
  code: 'count-unreadable',
  message:
    'the count endpoint answered without `input_tokens`; check that `baseUrl` is a Messages API',
};

// The provider's own message may quote the prompt; its type may not.
const refusal = (status: number, type: string | undefined): Failure => ({
  code: 'count-failed',
  message: `the count endpoint refused with status ${status}${type === undefined ? '' : ` (${type})`}; count by estimate meanwhile`,
  status,
});

const tokensError = ({ code, message, status }: Failure, cause?: unknown): TokensError =>
  new TokensError(code, message, { status, cause });

/** Runs one step; an abort goes through as it is, any other failure as a `TokensError`. */
async function orThrow<Result>(
  step: () => Promise<Result>,
  signal: AbortSignal | undefined,
  failure: () => Failure,
): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    signal?.throwIfAborted();
    throw tokensError(failure(), cause);
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function errorType(body: unknown): string | undefined {
  const type = field(field(body, 'error'), 'type');
  return typeof type === 'string' && /^[\w-]{1,60}$/.test(type) ? type : undefined;
}
