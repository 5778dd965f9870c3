import { numberOf, recordOf } from '@varve/guards';
import { ModelError } from '../error.ts';
import { type SdkSource, sdkFrom, sdkOptions, withResponse } from '../sdk.ts';
import { createSdkClient, type OpenOptions, type SdkClientOptions } from '../sdk-client.ts';
import type { Answer } from '../stream/exchange.ts';
import type { ModelClient } from '../types.ts';
import { createAnthropicFold } from './fold.ts';
import { type AnthropicRequest, countBody, createAnthropicWriter } from './request.ts';
import { eventsOfMessage } from './whole.ts';

/** The methods used of `@anthropic-ai/sdk`; `new Anthropic()` fits, and so do its subclasses for other clouds. */
export interface AnthropicSdk {
  readonly messages: AnthropicMethods;
  readonly beta?: { readonly messages: AnthropicMethods };
}

/** Loose in what they take, so that the SDK's own narrower parameters fit. */
export interface AnthropicMethods {
  create(body: never, options?: never): unknown;
  countTokens?(body: never, options?: never): PromiseLike<unknown>;
}

export interface AnthropicClientOptions extends SdkClientOptions {
  /** Or a function that gives it once a request is to be sent, so that a program starts without loading it. */
  readonly sdk: SdkSource<AnthropicSdk>;
}

/**
 * A client of Anthropic's Messages API over its own SDK; the beta methods are used where a request needs them. A request
 * for no output (`maxOutputTokens: 0`, which only warms the cache) is never streamed, because the API refuses that.
 */
export function createAnthropicClient(options: AnthropicClientOptions): ModelClient {
  return createSdkClient(
    {
      provider: 'anthropic',
      write: createAnthropicWriter(),
      open: (written, openOptions) => open(written, { ...options, ...openOptions }),
      createFold: createAnthropicFold,
      count: (written, { signal }) => count(written, { ...options, signal }),
    },
    options,
  );
}

type CallOptions = AnthropicClientOptions & OpenOptions;

async function open(written: AnthropicRequest, options: CallOptions): Promise<Answer<unknown>> {
  const { compareWith, streaming = true } = options;
  const stream = streaming && written.body.max_tokens > 0;
  const body = {
    stream,
    ...(compareWith !== undefined && { diagnostics: { previous_message_id: compareWith } }),
    ...(written.isBeta && { betas: written.betas }),
    ...written.body,
  };
  const called = methodsOf(written, await sdkFrom(options.sdk)).create(
    body as never,
    sdkOptions(options) as never,
  );
  const { data, response, request_id: requestId } = await withResponse(called);
  const events = stream ? (data as AsyncIterable<unknown>) : eventsOfMessage(data);
  return { events, headers: response.headers, requestId };
}

async function count(written: AnthropicRequest, options: CallOptions): Promise<number> {
  const methods = methodsOf(written, await sdkFrom(options.sdk));
  const body = { ...countBody(written.body), ...(written.isBeta && { betas: written.betas }) };
  const counted = await methods.countTokens?.(body as never, sdkOptions(options) as never);
  const tokens = numberOf(recordOf(counted).input_tokens);
  if (tokens !== undefined) return tokens;
  throw new ModelError(
    'invalid-request',
    'The SDK or the server behind it does not count tokens; estimate them.',
  );
}

function methodsOf({ isBeta }: AnthropicRequest, sdk: AnthropicSdk): AnthropicMethods {
  return (isBeta ? sdk.beta?.messages : undefined) ?? sdk.messages;
}
