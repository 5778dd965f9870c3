import type { Message } from '@varve/messages';
import { createSharedStart } from '@varve/messages/stamps';

/** Adds up over the messages of one request after another: what a request begins with as the one before did costs nothing. */
export function createRunningSum(
  sizeOf: (message: Message) => number,
): (messages: readonly Message[]) => number {
  const sharedWithLast = createSharedStart<Message>();
  const sums = [0];
  return (messages) => {
    const shared = Math.min(sharedWithLast(messages), sums.length - 1);
    sums.length = shared + 1;
    for (let at = shared; at < messages.length; at++) {
      sums.push((sums[at] as number) + sizeOf(messages[at] as Message));
    }
    return sums[messages.length] as number;
  };
}
