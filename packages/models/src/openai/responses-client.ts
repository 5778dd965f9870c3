import { numberOf, recordOf } from '@varve/guards';
import { ModelError } from '../error.ts';
import { type SdkSource, sdkFrom, sdkOptions, withResponse } from '../sdk.ts';
import { createSdkClient, type OpenOptions, type SdkClientOptions } from '../sdk-client.ts';
import type { Answer } from '../stream/exchange.ts';
import type { ModelClient } from '../types.ts';
import { createResponsesFold } from './responses-fold.ts';
import { createOpenAIResponsesWriter, type OpenAIResponsesBody } from './responses-request.ts';
import { eventsOfResponse } from './whole.ts';
import type { OpenAIWriterOptions } from './writer.ts';

/** The methods used of `openai`; `new OpenAI()` fits, with any base URL. */
export interface OpenAIResponsesSdk {
  readonly responses: {
    create(body: never, options?: never): unknown;
    readonly inputTokens?: { count(body: never, options?: never): PromiseLike<unknown> };
  };
}

export interface OpenAIResponsesClientOptions extends SdkClientOptions, OpenAIWriterOptions {
  /** Or a function that gives it once a request is to be sent, so that a program starts without loading it. */
  readonly sdk: SdkSource<OpenAIResponsesSdk>;
}

/**
 * A client of OpenAI's Responses over OpenAI's own SDK. The whole history is sent each time; reasoning items go back as
 * they came, which with `store: false` needs `include: ['reasoning.encrypted_content']` in the parameters of the head.
 */
export function createOpenAIResponsesClient(options: OpenAIResponsesClientOptions): ModelClient {
  const { onLosses } = options;
  return createSdkClient(
    {
      provider: 'openai-responses',
      write: createOpenAIResponsesWriter(options),
      createFold: () => createResponsesFold(onLosses && ((losses) => onLosses(losses, 'answer'))),
      open: ({ body }, openOptions) => open(body, { ...options, ...openOptions }),
      count: ({ body }, { signal }) => count(body, { ...options, signal }),
    },
    options,
  );
}

type CallOptions = OpenAIResponsesClientOptions & OpenOptions;

async function open(body: OpenAIResponsesBody, options: CallOptions): Promise<Answer<unknown>> {
  const { sdk, streaming = true } = options;
  const sent = { stream: streaming, ...withComparison(body, options.compareWith) };
  const { responses } = await sdkFrom(sdk);
  const called = responses.create(sent as never, sdkOptions(options) as never);
  const { data, response, request_id: requestId } = await withResponse(called);
  const events = streaming ? (data as AsyncIterable<unknown>) : eventsOfResponse(data);
  return { events, headers: response.headers, requestId };
}

/** Null has nothing to compare with, and OpenAI needs no opting in. */
function withComparison(body: OpenAIResponsesBody, compareWith: string | null | undefined) {
  if (compareWith == null) return body;
  const { input, ...rest } = body;
  const given = recordOf(recordOf(body).prompt_cache_options);
  return {
    ...rest,
    prompt_cache_options: { ...given, comparison_response_id: compareWith },
    input,
  };
}

async function count(body: OpenAIResponsesBody, options: CallOptions): Promise<number> {
  const fields = Object.entries(body).filter(([name]) => COUNTED.has(name));
  const { responses } = await sdkFrom(options.sdk);
  const counted = await responses.inputTokens?.count(
    Object.fromEntries(fields) as never,
    sdkOptions(options) as never,
  );
  const tokens = numberOf(recordOf(counted).input_tokens);
  if (tokens !== undefined) return tokens;
  const message = 'The SDK or the server behind it does not count tokens; estimate them.';
  throw new ModelError('invalid-request', message);
}

const COUNTED = new Set([
  'conversation',
  'input',
  'instructions',
  'model',
  'parallel_tool_calls',
  'personality',
  'previous_response_id',
  'reasoning',
  'text',
  'tool_choice',
  'tools',
  'truncation',
]);
