import {
  type MessageLike,
  type ThinkingRule,
  thinkingDrops,
  withoutThinkingAt,
} from '@varve/messages';

/** What is kept behind a summary, with the thinking gone that the model would refuse there. */
export type KeptTail<M> =
  | { readonly kind: 'kept'; readonly messages: readonly M[] }
  /** The tail holds thinking that is bound to what goes, in a turn that needs it. */
  | { readonly kind: 'thinking-bound' };

/**
 * Takes whole thinking blocks out of a tail whose earlier messages are about to change, where the rule demands it. Messages
 * that lose nothing are the same objects; one that held nothing else goes. Never inside of an open turn.
 */
export function unbindTail<M extends MessageLike>(
  messages: readonly M[],
  { start, rule }: { readonly start: number; readonly rule: ThinkingRule },
): KeptTail<M> {
  const { kind, drop } = thinkingDrops(messages, { rule, changedFrom: start });
  if (kind === 'bound') return { kind: 'thinking-bound' };
  return { kind: 'kept', messages: withoutThinkingAt(messages, drop).slice(start) };
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
