import { isThought } from './guards.ts';
import {
  type BlockLike,
  blocksOf,
  hasThinking,
  isThinkingLike,
  type MessageLike,
  responseOf,
} from './like.ts';
import type { ThinkingRule } from './profiles.ts';
import { isStaleThinking, stampOf } from './stale-thinking.ts';
import type { BlockReplacement, Message, ViewMessage } from './types.ts';
import { personBlocks } from './who-said.ts';

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
  /**
   * Whether the next request goes to the model that a response names. With it the thinking of a reply without a stamp counts
   * as changed where another model wrote it. @default a reply without a stamp is believed
   */
  readonly isSameModel?: ((model: string) => boolean) | undefined;
  /** A person's message is to follow, so that no turn is open. @default false */
  readonly turnIsOver?: boolean | undefined;
  /**
   * What a `latest-turn` model gets of closed turns behind a change. It takes their thinking or its absence: a compaction
   * drops what no longer serves, a smaller edit keeps it. @default 'drop'
   */
  readonly closedTurns?: 'drop' | 'keep' | undefined;
  /**
   * No message may go, as in an edit of a log. Where one holds nothing but thinking that would have to go, a `latest-turn`
   * model gets all of it back, and on a `prefix-bound` model the answer is `bound`. @default false
   */
  readonly messagesStay?: boolean | undefined;
}

/** Which messages lose their thinking and which keep it, by position, ascending. */
export interface ThinkingDrops {
  /**
   * `bound`: some of it may neither be sent nor dropped now, so nothing before it may change. A request beside the
   * conversation, as one for a summary is, goes without all of `drop`.
   */
  readonly kind: 'legal' | 'bound';
  readonly drop: readonly number[];
  /** Those of `drop` that make it `bound`: nothing before the last of them may change. */
  readonly bound: readonly number[];
  /** Those of the open turn, which the model wants back with the results as they are; none on a `free` model. */
  readonly keep: readonly number[];
}

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
  options: ThinkingDropOptions,
): ThinkingDrops {
  const { rule, changedFrom = messages.length, turnIsOver = false, closedTurns = 'drop' } = options;
  const { messagesStay = false } = options;
  if (rule === 'free') return { kind: 'legal', drop: [], bound: [], keep: [] };
  const isBound = rule === 'prefix-bound';
  const from = isBound ? firstChange(messages, changedFrom, options) : changedFrom;
  const openFrom = turnIsOver ? messages.length : openTurnStart(messages);
  const thinking = [...messages.keys()].filter((at) => hasThinking(messages[at] as MessageLike));
  const keep = thinking.filter((index) => index >= openFrom);
  const changed = thinking.filter((index) => index >= from);
  const isStuck = (index: number): boolean =>
    messagesStay && withoutThinking(messages[index] as MessageLike) === undefined;
  if (isBound) {
    const bound = changed.filter((index) => index >= openFrom || isStuck(index));
    return { kind: bound.length > 0 ? 'bound' : 'legal', drop: changed, bound, keep };
  }
  const closed = closedTurns === 'drop' ? changed.filter((index) => index < openFrom) : [];
  return { kind: 'legal', drop: closed.some(isStuck) ? [] : closed, bound: [], keep };
}

/**
 * Where the turn starts whose tool loop is open: behind the last that a person said before its newest calls. The number of
 * messages where no loop is open: the newest reply calls nothing, or a person said something since (`isAtUserTurn`).
 * Providers join messages of one role that follow each other, so it is the same however they are parted.
 */
export function openTurnStart(messages: readonly MessageLike[]): number {
  const replyEnd = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const replyStart =
    messages.slice(0, replyEnd).findLastIndex(({ role }) => role !== 'assistant') + 1;
  const reply = messages.slice(replyStart, replyEnd);
  const calls = reply.some((message) => blocksOf(message).some(isCall));
  if (!calls || isAtUserTurn(messages)) return messages.length;
  return messages.slice(0, replyStart).findLastIndex(hasPersonWords) + 1;
}

/**
 * Whether a person said something since the newest reply, beside results of its calls too, whatever the agent put in: the
 * next request starts a turn and goes on with none.
 */
export function isAtUserTurn(messages: readonly MessageLike[]): boolean {
  const replyEnd = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  return messages.slice(replyEnd).some(hasPersonWords);
}

const hasPersonWords = (message: MessageLike): boolean => personBlocks(message).length > 0;

/** A message without its thinking: undefined where it holds nothing else, the same object where it holds none. */
export function withoutThinking<M extends MessageLike>(message: M): M | undefined {
  if (!hasThinking(message)) return message;
  const content = blocksOf(message).filter((block) => !isThinkingLike(block));
  return content.length === 0 ? undefined : { ...message, content };
}

/** Messages without the thinking of those at `positions`; one that holds nothing else goes. The same list where none does. */
export function withoutThinkingAt<M extends MessageLike>(
  messages: readonly M[],
  positions: readonly number[],
): readonly M[] {
  if (positions.length === 0) return messages;
  const drops = new Set(positions);
  return messages.flatMap((message, index) =>
    drops.has(index) ? (withoutThinking(message) ?? []) : [message],
  );
}

/**
 * What an edit replaces so that messages of a view lose their thinking: blocks as they were logged, found by `logged`.
 * Undefined where one of the messages holds nothing else, because none may be empty.
 */
export function thinkingBlocks(
  messages: readonly ViewMessage[],
  positions: readonly number[],
  logged: (messageId: string) => Message | undefined,
): readonly BlockReplacement[] | undefined {
  const losing = positions.map((index) => messages[index] as ViewMessage);
  if (losing.some((message) => withoutThinking(message) === undefined)) return undefined;
  return losing.flatMap(({ sources }) =>
    sources.flatMap((messageId) =>
      [...(logged(messageId)?.content ?? []).entries()].flatMap(([index, block]) =>
        isThought(block) ? [{ messageId, index, block: null }] : [],
      ),
    ),
  );
}

/** Whether a change before a message would have the provider refuse what thinking it holds. */
export const bindsPrefix = (message: MessageLike, rule: ThinkingRule): boolean =>
  rule === 'prefix-bound' && hasThinking(message);

function firstChange(
  messages: readonly MessageLike[],
  changedFrom: number,
  { fingerprintAt, isSameModel }: ThinkingDropOptions,
): number {
  const isForeign = (message: MessageLike): boolean => {
    const model = modelOf(message);
    return isSameModel !== undefined && model !== undefined && !isSameModel(model);
  };
  const first = messages.findIndex((message, index) => {
    if (index >= changedFrom) return true;
    if (!hasThinking(message)) return false;
    if (!stampOf(message)) return isForeign(message);
    return fingerprintAt !== undefined && isStaleThinking(messages, index, fingerprintAt);
  });
  return first < 0 ? changedFrom : first;
}

function modelOf(message: MessageLike): string | undefined {
  const { model } = responseOf(message);
  return typeof model === 'string' ? model : undefined;
}

const isCall = ({ type }: BlockLike): boolean => type === 'tool_use';
