import { isRecord } from '@varve/guards';
import { isThought } from './guards.ts';
import { type BlockLike, blocksOf, type MessageLike } from './like.ts';
import { isPerson } from './persons.ts';
import type { ThinkingRule } from './profiles.ts';
import type { RequestStamp } from './types.ts';

export interface ThinkingDropOptions {
  readonly rule: ThinkingRule;
  /**
   * Position of the first message before which, or in which, something is no longer what was sent: 0 where a message comes
   * to stand in front of all. @default nothing changed but what stamps say
   */
  readonly changedFrom?: number | undefined;
  /**
   * The running fingerprint of the next request after so many messages: `(count) => prefixFingerprint(view, count)`. With
   * it thinking is compared with the stamp of the request that its reply answered.
   */
  readonly fingerprintAt?: ((messageCount: number) => string | undefined) | undefined;
  /** A person's message is to follow, so that no turn is open. @default false */
  readonly turnIsOver?: boolean | undefined;
}

/** Which messages lose their thinking, by position, or that some of it may neither be sent nor dropped now. */
export type ThinkingDrops =
  | { readonly kind: 'legal'; readonly drop: readonly number[] }
  | { readonly kind: 'bound' };

/**
 * The thinking that has to go before a request is sent, by the model's rule:
 *
 * - `free`: none.
 * - `latest-turn`: that of closed turns behind a change; the open turn's goes back unmodified.
 * - `prefix-bound`: all from the first message on whose prefix changed, and all behind that, since the provider refuses a
 *   gap. Where some of it belongs to an open turn, which needs it, the answer is `bound`.
 *
 * One pass over the messages; reads roles, origins and block types.
 */
export function thinkingDrops(
  messages: readonly MessageLike[],
  { rule, changedFrom = messages.length, fingerprintAt, turnIsOver = false }: ThinkingDropOptions,
): ThinkingDrops {
  if (rule === 'free') return { kind: 'legal', drop: [] };
  const from =
    rule === 'prefix-bound' ? firstChange(messages, changedFrom, fingerprintAt) : changedFrom;
  const openFrom = turnIsOver ? messages.length : openTurnStart(messages);
  const drop: number[] = [];
  for (let index = from; index < messages.length; index++) {
    if (!hasThinking(messages[index] as MessageLike)) continue;
    if (index < openFrom) drop.push(index);
    else if (rule === 'prefix-bound') return { kind: 'bound' };
  }
  return { kind: 'legal', drop };
}

/**
 * Where the turn starts whose tool loop is open: behind the last that a person said before its newest calls. The number of
 * messages where no loop is open.
 */
export function openTurnStart(messages: readonly MessageLike[]): number {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = lastReply >= 0 && blocksOf(messages[lastReply] as MessageLike).some(isCall);
  if (!calls || messages.slice(lastReply + 1).some(isPerson)) return messages.length;
  return messages.slice(0, lastReply).findLastIndex(isPerson) + 1;
}

/** A message without its thinking: undefined where it holds nothing else, the same object where it holds none. */
export function withoutThinking<M extends MessageLike>(message: M): M | undefined {
  if (!hasThinking(message)) return message;
  const content = blocksOf(message).filter((block) => !isThinkingLike(block));
  return content.length === 0 ? undefined : { ...message, content };
}

export const isThinkingLike = (block: unknown): boolean =>
  isRecord(block) && isThought(block as unknown as BlockLike);

export const hasThinking = (message: MessageLike): boolean =>
  blocksOf(message).some(isThinkingLike);

/** Places of thinking that was written behind another prefix than the one that stands before it now. */
export function* staleThinking(
  messages: readonly MessageLike[],
  fingerprintAt: (messageCount: number) => string | undefined,
): Generator<{ readonly messageIndex: number; readonly blockIndex: number }> {
  for (const [messageIndex, message] of messages.entries()) {
    if (!hasThinking(message) || !isStale(messages, messageIndex, fingerprintAt)) continue;
    for (const [blockIndex, block] of blocksOf(message).entries()) {
      if (isThinkingLike(block)) yield { messageIndex, blockIndex };
    }
  }
}

function firstChange(
  messages: readonly MessageLike[],
  changedFrom: number,
  fingerprintAt: ThinkingDropOptions['fingerprintAt'],
): number {
  if (!fingerprintAt) return changedFrom;
  const [first] = staleThinking(messages, fingerprintAt);
  return Math.min(first?.messageIndex ?? messages.length, changedFrom);
}

/**
 * The stamp says which prefix the reply answered, and with that where it belongs: what came in between, a message of the
 * user that was added before the reply for example, was not in the request.
 */
function isStale(
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

function stampOf(message: MessageLike): RequestStamp | undefined {
  const { response } = message as { readonly response?: unknown };
  const stamp = isRecord(response) ? response.request : undefined;
  return isRecord(stamp) ? (stamp as unknown as RequestStamp) : undefined;
}

const isCall = ({ type }: BlockLike): boolean => type === 'tool_use';
