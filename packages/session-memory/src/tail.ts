import { checkOptions, integer, required } from '@varve/guards';
import { legalCuts } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { checkMessages } from '@varve/messages/foreign';
import { isPerson, openRequests } from '@varve/messages/persons';
import { TAIL } from './check-options.ts';
import { hasText, isSummary } from './message-facts.ts';

/** How much stays beside the notes. */
export interface TailLimits {
  /** The tail is widened backwards to so many tokens. @default 10000 */
  readonly minTokens?: number | undefined;
  /** And to so many messages with text. @default 5 */
  readonly minTextMessages?: number | undefined;
  /** It is never widened beyond so many tokens. @default 40000 */
  readonly maxTokens?: number | undefined;
}

/** Whose tail, and how large its messages are. */
export interface TailOptions<M> extends TailLimits {
  /** Tokens of a message. */
  readonly sizeOf: (message: M) => number;
  /** Index of the last message that need not be kept; -1 keeps everything. */
  readonly cursorIndex: number;
  /** Whether the history may be cut before an index, beside what pairs and responses say. @default everywhere */
  readonly mayCut?: ((index: number) => boolean) | undefined;
}

/**
 * Index at which the part of a history starts that stays when the rest gives way to notes. All behind the cursor stays,
 * however large it is; before it the newest request of a person if it fits, and as much as the limits say. The cut parts no
 * call from its result and no response, and an earlier summary is never kept; a round with words of a person beside its
 * results stays until they are answered. 0 where there is no such cut.
 */
export function tailStart<M extends MessageLike>(
  messages: readonly M[],
  options: TailOptions<M>,
): number {
  checkOptions(options, EXPECTED);
  checkMessages(messages, 'messages');
  const from = windowStart(messages, options);
  const found = startInWindow(messages, from, options);
  return found ?? (from > 0 ? startInWindow(messages, 0, options) : undefined) ?? 0;
}

const MAX_TOKENS = 40_000;

const EXPECTED = {
  ...TAIL,
  sizeOf: required('a function'),
  cursorIndex: required(integer(-1)),
} as const;

/** A cut before which nothing could be kept: the search looks at what is behind it only, not at the whole history. */
function windowStart<M extends MessageLike>(
  messages: readonly M[],
  { cursorIndex, sizeOf, maxTokens = MAX_TOKENS }: TailOptions<M>,
): number {
  let tokens = 0;
  for (let index = messages.length - 1; index > 0; index--) {
    tokens += sizeOf(messages[index] as M);
    if (index > cursorIndex || tokens <= maxTokens) continue;
    const startsResponse =
      messages[index]?.role === 'assistant' && messages[index - 1]?.role !== 'assistant';
    if (startsResponse) return index;
  }
  return 0;
}

function startInWindow<M extends MessageLike>(
  all: readonly M[],
  from: number,
  options: TailOptions<M>,
): number | undefined {
  const messages = all.slice(from);
  const { sizeOf, minTokens = 10_000, minTextMessages = 5 } = options;
  const { maxTokens = MAX_TOKENS, mayCut = () => true } = options;
  const cursorIndex = options.cursorIndex - from;
  const floor = messages.slice(0, cursorIndex + 1).findLastIndex(isSummary) + 1;
  // words beside results can only be kept with their round
  const [wordsBeside = messages.length] = openRequests(messages).beside;
  const most = Math.min(cursorIndex + 1, wordsBeside);
  const cuts = legalCuts(messages, { behindSummary: true }).filter(
    (cut) => cut >= floor && cut <= most && mayCut(from + cut),
  );
  const least = cuts.at(-1);
  if (least === undefined) return undefined;
  const sizeFrom = suffixSums(messages, sizeOf);
  const textsFrom = suffixSums(messages, (message) => (hasText(message) ? 1 : 0));
  const fitting = cuts.filter((cut) => sizeFrom(cut) <= maxTokens);
  const newest = messages.findLastIndex(isPerson);
  const withRequest = fitting.findLast((cut) => cut <= newest) ?? least;
  const widened = cuts.findLast(
    (cut) => sizeFrom(cut) >= minTokens && textsFrom(cut) >= minTextMessages,
  );
  const wanted = Math.min(widened ?? 0, withRequest);
  return from + Math.min(least, fitting.find((cut) => cut >= wanted) ?? least);
}

/** The sum from an index on. */
function suffixSums<M>(messages: readonly M[], of: (message: M) => number) {
  const sums = [0];
  for (const message of messages.toReversed()) sums.push((sums.at(-1) as number) + of(message));
  sums.reverse();
  return (index: number): number => sums[index] as number;
}
