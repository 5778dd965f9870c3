import { isToolResult, type Message } from '@varve/messages';
import { cutResults } from './fit-results.ts';

/** Tokens; shorter results are left alone, because cutting them frees next to nothing. */
const LARGE_RESULT_TOKENS = 4_000;
/** UTF-16 units that a result that is cut keeps, half of them at each end. */
const KEPT_UNITS = 8_000;

/**
 * Cuts the middle out of large tool results, the largest first, until so many tokens are free or none is large any more.
 * Everything else stays the same object, and so does the list when there was nothing to cut.
 */
export function shortenResults(
  messages: readonly Message[],
  gapTokens: number,
  sizeOf: (message: Message) => number,
): readonly Message[] {
  const large = messages
    .map((message, index) => ({
      index,
      tokens: message.content.some(isToolResult) ? sizeOf(message) : 0,
    }))
    .filter(({ tokens }) => tokens > LARGE_RESULT_TOKENS)
    .sort((a, b) => b.tokens - a.tokens);
  const shortened = messages.slice();
  let freed = 0;
  for (const { index, tokens } of large) {
    if (freed >= gapTokens) break;
    const message = messages[index] as Message;
    const cut = cutResults(message, KEPT_UNITS);
    if (cut === message) continue;
    shortened[index] = cut;
    freed += tokens - sizeOf(cut);
  }
  return freed > 0 ? shortened : messages;
}
