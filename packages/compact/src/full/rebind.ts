import type { Message, ThinkingRule } from '@varve/messages';
import { withoutThinking } from './thinking.ts';

/**
 * A list that starts differently than the one that was sent: on a model that binds thinking to what stands before it, all
 * thinking behind the first change goes. The same list where nothing has to.
 */
export function rebind(
  changed: readonly Message[],
  sent: readonly Message[],
  rule: ThinkingRule,
): readonly Message[] {
  if (rule !== 'prefix-bound') return changed;
  const first = changed.findIndex((message, index) => message !== sent[index]);
  if (first < 0) return changed;
  return [...changed.slice(0, first), ...changed.slice(first).flatMap(withoutThinking)];
}
