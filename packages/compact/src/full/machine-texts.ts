import { isText, type Message } from '@varve/messages';
import { isPerson, isSummary } from '@varve/messages/persons';
import { cutText } from '@varve/messages/text';

/** The newest ones, in order. */
const MOST_TEXTS = 30;
/** UTF-16 units of each. */
const TEXT_UNITS = 120;

/**
 * Heads of texts that stand in the user role and that no person wrote. The instruction names them, because a mark in the
 * messages themselves would change the bytes that are cached.
 */
export function machineTexts(messages: readonly Message[]): readonly string[] {
  const heads: string[] = [];
  for (let index = messages.length - 1; index >= 0 && heads.length < MOST_TEXTS; index--) {
    const message = messages[index] as Message;
    if (message.role !== 'user' || isSummary(message) || message.id === LEFT_OUT_ID) continue;
    for (const block of message.content.toReversed()) {
      if (!isText(block) || isPerson({ ...message, content: [block] })) continue;
      const head = cutText(block.text.trim(), TEXT_UNITS).replace(/\s+/g, ' ');
      if (head !== '' && heads.length < MOST_TEXTS && !heads.includes(head)) heads.push(head);
    }
  }
  return heads.reverse();
}

/** Stands for messages that a request for a summary leaves out. */
export const LEFT_OUT_ID = 'left-out';
