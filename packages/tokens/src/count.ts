import type { Head, JsonObject, MessageLike } from '@varve/messages';
import { refuseForeign } from '@varve/messages/foreign';
import type { Estimator } from './estimator.ts';

/** What is to be counted: a request, or the part of it that is known. A whole `Request` fits too. */
export interface CountInput {
  readonly head: Head;
  readonly messages: readonly MessageLike[];
  /** Parameters of server-side edits; only a provider's endpoint can apply them. */
  readonly server?: JsonObject | undefined;
}

export interface CountOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Counts the prompt tokens of a request: by estimate, by an exact counter or by asking the provider. Rejects with
 * the reason of the signal, an `AbortError` unless one was given, and with `MessagesError` `foreign-messages` for messages of
 * another library.
 */
export type CountTokens = (input: CountInput, options?: CountOptions) => Promise<number>;

/**
 * Counts with an estimator, also one that has an exact `counter`. Every block is counted once for as long as it lives, so
 * the next turn of a thread costs only what is new in it.
 */
export function countWith(estimator: Estimator): CountTokens {
  return async ({ head, messages }, { signal } = {}) => {
    signal?.throwIfAborted();
    refuseForeign(messages);
    return messages.reduce(
      (total, message) => total + estimator.message(message),
      estimator.head(head),
    );
  };
}
