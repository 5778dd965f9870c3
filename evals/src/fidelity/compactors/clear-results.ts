import { isToolResult, type Message } from '@varve/messages';
import { keepSome } from './keep-some.ts';

/** Empties results from the oldest on until the rest fits; everybody's words stay, whatever the budget. */
export const clearResults = keepSome('clear-results', (messages, { tokens, sizeOf }) => {
  let excess = messages.reduce((sum, message) => sum + sizeOf(message), 0) - tokens;
  return messages.map((message) => {
    if (excess <= 0 || !message.content.some(isToolResult)) return message;
    const cleared = withoutResults(message);
    excess -= sizeOf(message) - sizeOf(cleared);
    return cleared;
  });
});

const withoutResults = (message: Message): Message => ({
  ...message,
  content: message.content.map((block) =>
    isToolResult(block) ? { ...block, content: '[cleared]' } : block,
  ),
});
