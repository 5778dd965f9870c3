import type { Message } from './types.ts';

/**
 * What a provider sees of a message, as one string: role and blocks. Keys keep their order, because providers render
 * them in it: a call whose input was sorted is another prefix.
 */
export function renderBytes({ role, content }: Pick<Message, 'role' | 'content'>): string {
  return JSON.stringify([role, content]);
}
