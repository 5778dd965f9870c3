import { type Block, cutMiddle, isText, isToolResult, type Message } from '@varve/messages';

/** Tokens; shorter results are left alone, because cutting them frees next to nothing. */
const LARGE_RESULT_TOKENS = 4_000;
/** UTF-16 units kept of each end of a result that is cut. */
const KEPT_UNITS = 4_000;

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
    const content = message.content.map(shortenBlock);
    if (content.every((block, at) => block === message.content[at])) continue;
    shortened[index] = { ...message, content };
    freed += tokens - sizeOf(shortened[index]);
  }
  return freed > 0 ? shortened : messages;
}

function shortenBlock(block: Block): Block {
  if (!isToolResult(block)) return block;
  const { content } = block;
  if (typeof content === 'string') return withContent(block, cut(content));
  if (content === undefined) return block;
  return withContent(block, content.map(shortenText));
}

function shortenText(block: Block): Block {
  if (!isText(block)) return block;
  const text = cut(block.text);
  return text === block.text ? block : { ...block, text };
}

function withContent(block: Block, content: string | readonly Block[]): Block {
  const before = block.content as string | readonly Block[];
  const same =
    typeof content === 'string'
      ? content === before
      : content.every((inner, index) => inner === before[index]);
  return same ? block : { ...block, content };
}

const cut = (text: string): string =>
  cutMiddle(text, {
    headUnits: KEPT_UNITS,
    tailUnits: KEPT_UNITS,
    marker: (units) => `\n[${units} characters left out]\n`,
  });
