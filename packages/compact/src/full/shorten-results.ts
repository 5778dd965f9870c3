import { type Block, cutMiddle, isText, isToolResult, type Message } from '@varve/messages';
import { stripMedia } from './strip-media.ts';

type SizeOf = (message: Message) => number;

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
  sizeOf: SizeOf,
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

/** A result keeps so many UTF-16 units at least, however little room there is: a line or two at each end. */
const LEAST_UNITS = 300;
/** How often the length is halved that results are cut to; the last step is 6 % off at most. */
const STEPS = 10;

/**
 * Messages whose tool results are cut to one length, so that all of them have so many tokens together: results that are
 * shorter stay whole. Media in them gives way where the texts are not enough, and it may. Nothing else changes, so what does
 * not fit then is over. O(steps × results).
 */
export function fitResults(
  messages: readonly Message[],
  mostTokens: number,
  sizeOf: SizeOf,
  { media }: { readonly media: 'stays' | 'gives-way' },
): readonly Message[] {
  const isOver = (of: readonly Message[]) => tokensOf(of, sizeOf) > mostTokens;
  if (!isOver(messages)) return messages;
  const cutTo = (units: number, of = messages) => {
    const cut = of.map((message) => cutResults(message, units));
    return cut.some((message, index) => message !== of[index]) ? cut : of;
  };
  const shortest = cutTo(LEAST_UNITS);
  if (isOver(shortest) && media === 'stays') return shortest;
  if (isOver(shortest)) {
    const bare = messages.map((message) =>
      message.content.some(isToolResult) ? (stripMedia([message])[0] as Message) : message,
    );
    return cutTo(LEAST_UNITS, bare);
  }
  let [least, most] = [LEAST_UNITS, longestOf(messages)];
  let fitted = shortest;
  for (let step = 0; step < STEPS && most - least > LEAST_UNITS; step++) {
    const units = Math.floor(Math.sqrt(least * most));
    const cut = cutTo(units);
    if (isOver(cut)) most = units;
    else [least, fitted] = [units, cut];
  }
  return fitted;
}

const tokensOf = (messages: readonly Message[], sizeOf: SizeOf): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);

/** UTF-16 units of the longest text in a result. */
function longestOf(messages: readonly Message[]): number {
  let longest = 0;
  for (const { content } of messages.flatMap((message) => message.content.filter(isToolResult))) {
    const texts = typeof content === 'string' ? [content] : (content ?? []).filter(isText);
    for (const text of texts) {
      longest = Math.max(longest, (typeof text === 'string' ? text : text.text).length);
    }
  }
  return longest;
}

/** The message with every text in its results cut to about so many units; the same object where none is longer. */
function cutResults(message: Message, units: number): Message {
  const content = message.content.map((block) => cutBlock(block, units));
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame ? message : { ...message, content };
}

function cutBlock(block: Block, units: number): Block {
  if (!isToolResult(block)) return block;
  const { content } = block;
  if (typeof content === 'string') return withContent(block, cutText(content, units));
  if (content === undefined) return block;
  return withContent(
    block,
    content.map((inner) => {
      if (!isText(inner)) return inner;
      const text = cutText(inner.text, units);
      return text === inner.text ? inner : { ...inner, text };
    }),
  );
}

function withContent(block: Block, content: string | readonly Block[]): Block {
  const before = block.content as string | readonly Block[];
  const same =
    typeof content === 'string'
      ? content === before
      : content.every((inner, index) => inner === before[index]);
  return same ? block : { ...block, content };
}

function cutText(text: string, units: number): string {
  const half = Math.ceil(units / 2);
  const cut = cutMiddle(text, {
    headUnits: half,
    tailUnits: half,
    marker: (left) => `\n[${left} characters left out]\n`,
  });
  return cut.length < text.length ? cut : text;
}
