import { listOf, recordOf, textOf, untilAborted } from '@varve/guards';
import type { Request } from '@varve/messages';
import { type fromOpenAIChat, fromOpenAIResponses } from '@varve/messages/convert';
import { toModelError } from '../errors/to-model-error.ts';
import type { ModelResponse } from '../types.ts';
import { createOpenAIResponsesWriter } from './responses-request.ts';
import { responsesUsage } from './usage.ts';
import type { OpenAIWriterOptions } from './writer.ts';

/** The method used of `openai`; `new OpenAI()` fits. */
export interface OpenAICompactSdk {
  readonly responses: { compact(body: never, options?: never): unknown };
}

export interface OpenAICompactOptions extends OpenAIWriterOptions {
  readonly sdk: OpenAICompactSdk;
  /** In place of the provider's own. */
  readonly instructions?: string | undefined;
}

/** What a compaction by the provider left. */
export interface OpenAICompacted extends ModelResponse {
  /** All of it in order, to be sent in place of what was compacted: the user's messages and one opaque block. */
  readonly messages: readonly ReturnType<typeof fromOpenAIChat>['messages'][number][];
}

/** Compacts the messages of a request. `content` holds the block alone. */
export type OpenAICompact = (
  request: Request,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<OpenAICompacted>;

/**
 * `POST /responses/compact` over OpenAI's own SDK. The call rejects with a `ModelError`, or with the signal's reason, an `AbortError` unless one was given.
 */
export function createOpenAICompact({
  sdk,
  instructions,
  ...options
}: OpenAICompactOptions): OpenAICompact {
  const write = createOpenAIResponsesWriter(options);
  return async (request, { signal } = {}) => {
    const fields = Object.entries(write(request).body).filter(([name]) => COMPACTED.has(name));
    const body = {
      ...Object.fromEntries(fields),
      ...(instructions !== undefined && { instructions }),
    };
    try {
      const compact = () => sdk.responses.compact(body as never, { signal } as never);
      return toCompacted(await untilAborted(compact, signal), request);
    } catch (error) {
      signal?.throwIfAborted();
      throw toModelError(error);
    }
  };
}

/** Parameters that the endpoint takes (openai 7.59.0). */
const COMPACTED = new Set([
  'input',
  'model',
  'previous_response_id',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'service_tier',
]);

function toCompacted(value: unknown, { head }: Request): OpenAICompacted {
  const { id, output, usage } = recordOf(value);
  const { messages } = fromOpenAIResponses(
    listOf(output) as readonly Parameters<typeof fromOpenAIResponses>[0][number][],
  );
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const content = blocks.filter(({ type }) => type === 'compaction');
  return {
    id: textOf(id),
    model: head.model,
    content,
    stopReason: content.length > 0 ? 'compaction' : 'end_turn',
    usage: responsesUsage(recordOf(usage)),
    messages,
  };
}
