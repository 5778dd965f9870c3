import { isText, isToolResult, type Message } from '@varve/messages';

/** A message of a person with more words in front of its own and behind them. */
export function withWords(
  message: Message,
  { front = '', behind = '' }: { readonly front?: string; readonly behind?: string },
): Message {
  const first = message.content.findIndex(isText);
  const content = message.content.map((block, at) =>
    at === first && isText(block)
      ? { ...block, text: [front, block.text, behind].filter(Boolean).join('\n') }
      : block,
  );
  return Object.freeze({ ...message, content });
}

/** A message with text behind its first result; the same one if it has none. */
export function withResultText(message: Message, text: string): Message {
  const first = message.content.findIndex(isToolResult);
  if (first === -1) return message;
  const content = message.content.map((block, at) => {
    if (at !== first || !isToolResult(block)) return block;
    const { content: own = '' } = block;
    if (typeof own === 'string') return { ...block, content: `${own}\n${text}` };
    return { ...block, content: [...own, { type: 'text' as const, text }] };
  });
  return Object.freeze({ ...message, content });
}
