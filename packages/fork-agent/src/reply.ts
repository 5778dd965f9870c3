import { type Block, isText, isThinking, type Message } from '@varve/messages';
import type { ModelResponse } from '@varve/models';
import { isBlank } from './tool-content.ts';

/** What of a reply may be sent back: no blank text, and nothing at all where only thinking is left. */
export function sendable(content: readonly Block[]): readonly Block[] {
  const kept = content.some(isBlank) ? content.filter((block) => !isBlank(block)) : content;
  const last = kept.at(-1);
  return last && !isThinking(last) && last.type !== 'reasoning' ? kept : [];
}

export function replyMessage(id: string, response: ModelResponse): Message {
  const { id: responseId, model, stopReason, usage, content } = response;
  return {
    id,
    role: 'assistant',
    content: sendable(content),
    response: { id: responseId, model, stopReason, usage },
  };
}

/** The text of a reply, its blocks in order. */
export function textOf(content: readonly Block[]): string {
  return content
    .filter(isText)
    .map(({ text }) => text)
    .join('')
    .trim();
}
