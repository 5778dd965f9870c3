import { untilAborted } from '@varve/guards';
import type { Request } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
import { findModel } from '@varve/tokens/models';
import { toModelError } from './errors/to-model-error.ts';
import type { WrittenRequest } from './request-params.ts';
import { type Answer, type Fold, runExchange } from './stream/exchange.ts';
import { createModelStream } from './stream/model-stream.ts';
import type { ModelClient, StreamOptions } from './types.ts';

/** What the clients over an SDK have in common. */
export interface SdkClientOptions {
  /** False asks for whole answers; their events then come all at the end. @default true */
  readonly streaming?: boolean | undefined;
  /**
   * Retries are the SDK's own (connection errors, 408, 409, 429 and 5xx, before the answer begins); this overrides how
   * many. 0 hands every failure on at once. @default the SDK's, 2
   */
  readonly maxRetries?: number | undefined;
  /** Tokens, for models that the table of `@varve/tokens` does not know. @default the table's */
  readonly windowTokens?: number | undefined;
  /** Hears of what a format cannot hold, of each request or answer that has such. @default none */
  readonly onLosses?: ((losses: readonly Loss[], of: 'request' | 'answer') => void) | undefined;
  /** Milliseconds since 1970, for `retry-after` dates without a `date` header. @default Date.now */
  readonly now?: (() => number) | undefined;
}

export interface Adapter<Written> {
  readonly provider: string;
  readonly write: (request: Request) => Written;
  readonly open: (written: Written, options: OpenOptions) => Promise<Answer<unknown>>;
  readonly createFold: () => Fold<unknown>;
  readonly count?: (written: Written, options: { signal: AbortSignal }) => Promise<number>;
}

export type OpenOptions = StreamOptions & { readonly signal: AbortSignal };

/** A client from what one provider does its own way. */
export function createSdkClient<Written extends WrittenRequest<unknown>>(
  adapter: Adapter<Written>,
  options: SdkClientOptions,
): ModelClient {
  const { windowTokens, now = Date.now, onLosses } = options;
  const { provider, write, open, createFold, count } = adapter;
  const stream: ModelClient['stream'] = (request, streamOptions = {}) => {
    const exchange = (signal: AbortSignal) => {
      const written = write(request);
      if (written.losses.length > 0) onLosses?.(written.losses, 'request');
      return runExchange(
        {
          open: (openOptions) => open(written, { ...streamOptions, ...openOptions }),
          fold: createFold(),
          windowTokens: windowTokens ?? findModel(request.head.model)?.windowTokens,
          now,
          timeoutMs: streamOptions.timeoutMs,
        },
        signal,
      );
    };
    return createModelStream(exchange, streamOptions.signal);
  };
  if (!count) return { provider, stream };
  const countTokens: ModelClient['countTokens'] = async (request, countOptions = {}) => {
    const { signal = new AbortController().signal } = countOptions;
    try {
      return await untilAborted(() => count(write(request), { signal }), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error, { now });
    }
  };
  return { provider, stream, countTokens };
}
