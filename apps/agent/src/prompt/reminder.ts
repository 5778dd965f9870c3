import { randomUUID } from 'node:crypto';
import type { Message } from '@varve/messages';

const TAG = 'system-reminder';

/** What the agent tells the model by itself, marked as that. A text from elsewhere cannot end the mark. */
export const reminder = (text: string): string =>
  `<${TAG}>\n${text.replace(/<(\/?)(?=\s*system-reminder)/gi, '<\\$1')}\n</${TAG}>`;

/** The same as a message. */
export const reminderMessage = (text: string): Message => ({
  id: randomUUID(),
  role: 'user',
  content: [{ type: 'text', text: reminder(text) }],
  origin: { kind: 'reminder' },
});
