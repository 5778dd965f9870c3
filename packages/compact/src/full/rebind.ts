import type { Head, Message, ThinkingRule } from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import { thinkingDrops, withoutThinkingAt } from '@varve/messages/thinking';
import { resolveModel } from '@varve/tokens';

/** The requests that a history was sent in so far, and those it will be sent in from now on. */
export interface Sent {
  readonly head: Head;
  readonly messages: readonly Message[];
  readonly rule: ThinkingRule;
}

/**
 * A start of a history as it may be sent, which may begin differently than the one that was sent: on a model that binds
 * thinking to what stands before it, all thinking goes that stands behind the first change, or behind the first that another
 * model wrote or that answered a request of another head. The same list where nothing has to.
 */
export function rebind(changed: readonly Message[], sent: Sent): readonly Message[] {
  const { head, messages, rule } = sent;
  const first = changed.findIndex((message, index) => message !== messages[index]);
  const { drop } = thinkingDrops(changed, {
    rule,
    changedFrom: first < 0 ? changed.length : first,
    closedTurns: 'keep',
    fingerprintAt: (count) => prefixFingerprint(viewOf(sent), count),
    isSameModel: (model) => isSameModel(model, head.model),
  });
  return withoutThinkingAt(changed, drop);
}

const viewOf = ({ head, messages }: Sent) =>
  ({ head, messages }) as Parameters<typeof prefixFingerprint>[0];

/** A provider may put the date of a version behind the name that was asked for. */
function isSameModel(wrote: string, asked: string): boolean {
  const [one, other] = [wrote, asked].map((id) => resolveModel(id).model.id) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}
