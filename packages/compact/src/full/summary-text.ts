import type { Message } from '@varve/messages';
import { SUMMARY_OPENING } from '@varve/messages/persons';
import type { Trigger } from '../types.ts';

export interface SummaryTextOptions {
  readonly trigger: Trigger;
  /** Messages of the user follow whose request is not done yet. */
  readonly openFollows: boolean;
  /** Where the originals are, in the caller's words. */
  readonly originals?: string | undefined;
}

/** What the message that stands for a conversation says around its summary; an automatic one tells the model to go on. */
export function summaryText(body: string, options: SummaryTextOptions): string {
  const { trigger, openFollows, originals } = options;
  const parts = [SUMMARY_OPENING, `<summary>\n${body.trim()}\n</summary>`];
  if (originals !== undefined) parts.push(`Everything it stands for is kept: ${originals}`);
  if (openFollows) parts.push(OPEN_FOLLOWS);
  if (trigger === 'auto') parts.push(GO_ON);
  return parts.join('\n\n');
}

const OPEN_FOLLOWS =
  'The request that follows is still being worked on; the summary tells how far the work got.';

const GO_ON =
  'Go on with the work from where it stopped. Do not comment on the summary, and ask nothing that it answers.';

/** The summary inside such a message, without the words around it. */
export function summaryBody({ content }: Pick<Message, 'content'>): string {
  const text = textOf(content);
  const start = text.indexOf('<summary>');
  const end = text.lastIndexOf('</summary>');
  if (start < 0 || end < start) return text.replace(SUMMARY_OPENING, '').trim();
  return text.slice(start + '<summary>'.length, end).trim();
}

/**
 * An answer without the words around an earlier summary, where it repeats them: they would nest. Only a model's answer goes
 * through here: what a person said of such tags stays as it was said.
 */
export const withoutEnvelope = (answer: string): string =>
  [SUMMARY_OPENING, OPEN_FOLLOWS, GO_ON, '<summary>', '</summary>'].reduce(
    (text, words) => text.replaceAll(words, ''),
    answer,
  );

function textOf(content: Message['content']): string {
  return content.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n');
}
