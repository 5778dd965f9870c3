import type { Head, JsonObject } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';

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
