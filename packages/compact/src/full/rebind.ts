import {
  type Head,
  isThinking,
  type Message,
  stampHolds,
  type ThinkingRule,
} from '@varve/messages';
import { resolveModel } from '@varve/tokens';
import { withoutThinking } from './thinking.ts';

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
  if (sent.rule !== 'prefix-bound') return changed;
  const first = changed.findIndex(
    (message, index) => message !== sent.messages[index] || isStale(sent, index),
  );
  if (first < 0) return changed;
  return [...changed.slice(0, first), ...changed.slice(first).flatMap(withoutThinking)];
}

/** Whether thinking is bound to other requests than those of this head and these messages; without a response nobody knows. */
function isStale(sent: Sent, index: number): boolean {
  const { content, response } = sent.messages[index] as Message;
  if (response === undefined || !content.some(isThinking)) return false;
  const { request, model } = response;
  if (request === undefined) return !isSameModel(model, sent.head.model);
  const between = sent.messages.slice(request.messageCount, index);
  return (
    request.messageCount > index ||
    between.some(({ role }) => role !== 'assistant') ||
    !stampHolds(viewOf(sent), request)
  );
}

const viewOf = ({ head, messages }: Sent) =>
  ({ head, messages }) as Parameters<typeof stampHolds>[0];

/** A provider may put the date of a version behind the name that was asked for. */
function isSameModel(wrote: string, asked: string): boolean {
  const [one, other] = [wrote, asked].map((id) => resolveModel(id).model.id) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}
