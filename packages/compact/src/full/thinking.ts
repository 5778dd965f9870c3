import type { ThinkingRule } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { thinkingDrops, withoutThinkingAt } from '@varve/messages/thinking';

/**
 * Takes whole thinking blocks out of a tail whose earlier messages are about to change, where the rule demands it. Messages
 * that lose nothing are the same objects; one that held nothing else goes. Never inside of an open turn: undefined where that holds
 * thinking which is bound to what goes.
 */
export function unbindTail<M extends MessageLike>(
  messages: readonly M[],
  { start, rule }: { readonly start: number; readonly rule: ThinkingRule },
): readonly M[] | undefined {
  const { kind, drop } = thinkingDrops(messages, { rule, changedFrom: start });
  return kind === 'bound' ? undefined : withoutThinkingAt(messages, drop).slice(start);
}

/**
 * A stretch of a conversation as a request beside it shows it, without what stood before: thinking that is bound to that
 * goes, also of an open turn.
 */
export function shownAlone<M extends MessageLike>(
  messages: readonly M[],
  rule: ThinkingRule,
): readonly M[] {
  const { drop } = thinkingDrops(messages, { rule, changedFrom: 0, closedTurns: 'keep' });
  return withoutThinkingAt(messages, drop);
}
