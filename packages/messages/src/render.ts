import { orRefuse } from './stable-json.ts';
import type { Message } from './types.ts';

/**
 * What a provider sees of a message, as one string: role and blocks. Keys keep their order, because providers render
 * them in it: a call whose input was sorted is another prefix.
 *
 * @throws MessagesError `not-serializable`
 */
export function renderBytes({ role, content }: Pick<Message, 'role' | 'content'>): string {
  return orRefuse(() => JSON.stringify([role, content]));
}
