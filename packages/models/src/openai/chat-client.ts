import { type SdkSource, sdkFrom, sdkOptions, withResponse } from '../sdk.ts';
import { createSdkClient, type SdkClientOptions } from '../sdk-client.ts';
import type { ModelClient } from '../types.ts';
import { createChatFold } from './chat-fold.ts';
import { createOpenAIChatWriter, type OpenAIChatWriterOptions } from './chat-request.ts';
import { eventsOfCompletion } from './whole.ts';

/** The method used of `openai`; `new OpenAI()` fits, with any base URL. */
export interface OpenAIChatSdk {
  readonly chat: { readonly completions: { create(body: never, options?: never): unknown } };
}

export interface OpenAIChatClientOptions extends SdkClientOptions, OpenAIChatWriterOptions {
  /** Or a function that gives it once a request is to be sent, so that a program starts without loading it. */
  readonly sdk: SdkSource<OpenAIChatSdk>;
}

/** A client of OpenAI's Chat Completions, and of every server that speaks them, over OpenAI's own SDK. */
export function createOpenAIChatClient(options: OpenAIChatClientOptions): ModelClient {
  const { sdk, streaming = true } = options;
  return createSdkClient(
    {
      provider: 'openai-chat',
      write: createOpenAIChatWriter(options),
      createFold: createChatFold,
      async open({ body }, openOptions) {
        const streamed = { stream: true, stream_options: { include_usage: true }, ...body };
        const sent = streaming ? streamed : body;
        const { chat } = await sdkFrom(sdk);
        const called = chat.completions.create(
          sent as never,
          sdkOptions({ ...options, ...openOptions }) as never,
        );
        const { data, response, request_id: requestId } = await withResponse(called);
        const events = streaming ? (data as AsyncIterable<unknown>) : eventsOfCompletion(data);
        return { events, headers: response.headers, requestId };
      },
    },
    options,
  );
}
