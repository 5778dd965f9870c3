import { isThinking, type Message, type ThinkingRule } from '@varve/messages';
import { inToolLoop } from './open-messages.ts';

/** What is kept behind a summary, with the thinking gone that the model would refuse there. */
export type KeptTail<M> =
  | { readonly kind: 'kept'; readonly messages: readonly M[] }
  /** The tail holds thinking that is bound to what goes, in a tool loop that needs it. */
  | { readonly kind: 'thinking-bound' };

/**
 * Takes whole thinking blocks out of a tail whose earlier messages are about to change, where the rule demands it. Messages
 * that lose nothing are the same objects; one that held nothing else goes. Never inside an open tool loop.
 */
export function unbindTail<M extends Pick<Message, 'role' | 'content'>>(
  messages: readonly M[],
  tail: { readonly start: number; readonly rule: ThinkingRule },
): KeptTail<M> {
  const kept = messages.slice(tail.start);
  if (tail.rule === 'free' || !kept.some(hasThinking)) return { kind: 'kept', messages: kept };
  const loopStart =
    openLoopStart(messages as readonly unknown[] as readonly Message[]) - tail.start;
  const inLoop = kept.slice(Math.max(0, loopStart)).some(hasThinking);
  if (tail.rule === 'prefix-bound' && inLoop) return { kind: 'thinking-bound' };
  const bare = kept.flatMap((message, index) =>
    index >= loopStart ? [message] : withoutThinking(message),
  );
  return { kind: 'kept', messages: bare };
}

/** The message without its thinking: nothing where it holds nothing else, itself where it holds none. */
export function withoutThinking<M extends Pick<Message, 'role' | 'content'>>(message: M): M[] {
  if (!hasThinking(message)) return [message];
  const content = message.content.filter((block) => !isThinking(block));
  return content.length === 0 ? [] : [{ ...message, content }];
}

const hasThinking = ({ content }: Pick<Message, 'content'>): boolean => content.some(isThinking);

/** Where the open tool loop starts; behind the last message where there is none. */
function openLoopStart(messages: readonly Message[]): number {
  if (!inToolLoop(messages)) return messages.length;
  let start = messages.length;
  for (let index = messages.length - 1; index >= 0; index--) {
    const { role, content } = messages[index] as Message;
    if (role === 'assistant') start = index;
    else if (!content.some(({ type }) => type === 'tool_result')) break;
  }
  return start;
}
