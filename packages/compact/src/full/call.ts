import { isAbortError, untilAborted } from '@varve/guards';
import type { Request, Usage } from '@varve/messages';
import { ModelError } from '@varve/models';
import { toModelError } from '@varve/models/errors';
import type { Summarize, SummaryReply } from '../types.ts';
import { readReply } from './read-reply.ts';

/** Waits so many milliseconds; rejects when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: SummaryReply }
  | { readonly kind: 'error'; readonly error: ModelError };

/** One call of the model. Whatever it throws is an outcome; only an abort of the signal is thrown. */
export async function callModel(
  summarize: Summarize,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<CallOutcome> {
  try {
    const reply = await untilAborted(() => summarize(request, { signal }), signal);
    return { kind: 'reply', reply: readReply(reply) };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { kind: 'error', error: asModelError(thrown) };
  }
}

/** An abort of somebody else's is a connection that was cut. */
function asModelError(thrown: unknown): ModelError {
  if (isAbortError(thrown)) {
    return new ModelError('connection', 'The call ended before its answer; try again.', {
      cause: thrown,
      retryable: true,
    });
  }
  try {
    return toModelError(thrown);
  } catch (unreadable) {
    // an error whose own fields throw
    return new ModelError('invalid-request', 'The call failed, and its error cannot be read.', {
      cause: unreadable,
    });
  }
}

/** Waits by the platform's timer. */
export const waitByTimer: Wait = (ms, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(waited, signal).finally(() => clearTimeout(timer));
};

/** Usages added up, field by field; bills of several calls are one. */
export function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (!sum || !usage) return sum ?? usage;
  const written = (value: Usage) => value.cache_creation_input_tokens ?? 0;
  const read = (value: Usage) => value.cache_read_input_tokens ?? 0;
  return {
    input_tokens: sum.input_tokens + usage.input_tokens,
    output_tokens: sum.output_tokens + usage.output_tokens,
    cache_creation_input_tokens: written(sum) + written(usage),
    cache_read_input_tokens: read(sum) + read(usage),
  };
}
