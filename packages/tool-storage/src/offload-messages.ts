import type { MessageLike } from '@varve/messages/blocks';
import type { OffloadMessagesOptions, OffloadMessagesResult } from './messages.ts';
import type { ToolStorageOptions } from './options.ts';
import { createToolStorage } from './tool-storage.ts';

/**
 * Puts previews in place of large tool results in a plain array, once. A loop that sends again and again keeps a
 * `createToolStorage` and calls its `offloadMessages`: that remembers what was decided.
 */
export function offloadMessages<M extends MessageLike>(
  messages: readonly M[],
  options: ToolStorageOptions & OffloadMessagesOptions,
): Promise<OffloadMessagesResult<M>> {
  const { seen, signal } = options;
  return createToolStorage(options).offloadMessages(messages, { seen, signal });
}
