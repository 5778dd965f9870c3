import { isRecord } from '@varve/guards';
import { blocksOf, hasThinking, isThinkingLike, type MessageLike, responseOf } from './like.ts';
import type { RequestStamp } from './types.ts';

/**
 * Places of thinking that was written behind another prefix than the one that stands before it now, as stamps say. What of it
 * a model refuses, so that it has to go, is `thinkingDrops`.
 */
export function* staleThinking(
  messages: readonly MessageLike[],
  fingerprintAt: (messageCount: number) => string | undefined,
): Generator<{ readonly messageIndex: number; readonly blockIndex: number }> {
  for (const [messageIndex, message] of messages.entries()) {
    if (!hasThinking(message) || !isStaleThinking(messages, messageIndex, fingerprintAt)) continue;
    for (const [blockIndex, block] of blocksOf(message).entries()) {
      if (isThinkingLike(block)) yield { messageIndex, blockIndex };
    }
  }
}

/**
 * The stamp says which prefix the reply answered, and with that where it belongs: what came in between, a message of the
 * user that was added before the reply for example, was not in the request.
 */
export function isStaleThinking(
  messages: readonly MessageLike[],
  messageIndex: number,
  fingerprintAt: (messageCount: number) => string | undefined,
): boolean {
  const stamp = stampOf(messages[messageIndex] as MessageLike);
  if (!stamp) return false;
  if (fingerprintAt(stamp.messageCount) !== stamp.fingerprint) return true;
  const between = messages.slice(stamp.messageCount, messageIndex);
  return stamp.messageCount > messageIndex || between.some(({ role }) => role !== 'assistant');
}

export function stampOf(message: MessageLike): RequestStamp | undefined {
  const { request } = responseOf(message);
  return isRecord(request) ? (request as unknown as RequestStamp) : undefined;
}
