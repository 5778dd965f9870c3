import {
  fingerprint,
  isToolResult,
  legalCuts,
  type Message,
  type ViewMessage,
} from '@varve/messages';
import { isSummary } from '@varve/messages/persons';

/** A stretch of the view, named by the logged messages at its ends. */
export interface CollapseSpan {
  readonly fromId: string;
  readonly toId: string;
  readonly messages: readonly ViewMessage[];
  readonly tokens: number;
}

/** Names what a stretch holds: an undo inside of it can bring back words that its summary does not know. */
export const holdsOf = (messages: readonly ViewMessage[]): string =>
  fingerprint(messages.flatMap(({ sources }) => sources).join('\n'));

export interface SpanOptions {
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /** The newest tokens, which no span holds. */
  readonly keepTokens: number;
  readonly spanTokens: number;
  readonly minSpanTokens: number;
  /** Spans are found until they hold so many tokens together. */
  readonly wantedTokens: number;
  /** Whether a message must stay, whatever it is. */
  readonly isHeld: (message: ViewMessage) => boolean;
}

/**
 * Old stretches of work that can be folded, the oldest first: whole rounds between messages of the user. What the user, a
 * system prompt, a reminder or a compaction said stands between spans and is in none, so nothing of it is lost. Summaries
 * of earlier spans are folded again with what follows them. The round behind a system message stays: no provider takes a
 * user message there.
 */
export function findSpans(messages: readonly ViewMessage[], options: SpanOptions): CollapseSpan[] {
  const end = protectedFrom(messages, options);
  const cuts = legalCuts(messages, { behindSummary: true }).filter((cut) => cut <= end);
  const spans: CollapseSpan[] = [];
  let [start, tokens, found] = [-1, 0, 0];
  const close = (to: number) => {
    const span = start < 0 ? undefined : spanOf(messages, { start, end: to, tokens, ...options });
    if (span) spans.push(span);
    found += span?.tokens ?? 0;
    start = -1;
    tokens = 0;
  };
  for (let index = 0; index + 1 < cuts.length && found < options.wantedTokens; index++) {
    const [from, to] = [cuts[index] as number, cuts[index + 1] as number];
    const stretch = messages.slice(from, to);
    const answersSystem = start < 0 && messages[from - 1]?.role === 'system';
    if (answersSystem || !stretch.every((message) => isWork(message) && !options.isHeld(message))) {
      close(from);
      continue;
    }
    if (start < 0) start = from;
    tokens += stretch.reduce((sum, message) => sum + options.sizeOf(message), 0);
    if (tokens >= options.spanTokens) close(to);
  }
  const last = cuts.at(-1) ?? 0;
  if (found < options.wantedTokens) close(last);
  return spans;
}

/** Replies, results that nobody spoke beside, and what collapsing left. */
function isWork(message: ViewMessage): boolean {
  if (message.role === 'assistant') return true;
  if (isSummary(message)) return message.origin?.by === 'collapse';
  return message.content.every(isToolResult);
}

/** The newest reply and what follows it always stay, however large. */
function protectedFrom(
  messages: readonly ViewMessage[],
  { keepTokens, sizeOf }: SpanOptions,
): number {
  let index = Math.max(
    0,
    messages.findLastIndex(({ role }) => role === 'assistant'),
  );
  let tokens = messages.slice(index).reduce((sum, message) => sum + sizeOf(message), 0);
  while (index > 0 && tokens < keepTokens) {
    index--;
    tokens += sizeOf(messages[index] as ViewMessage);
  }
  return index;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly minSpanTokens: number;
}

function spanOf(
  all: readonly ViewMessage[],
  { start, end, tokens, minSpanTokens }: Stretch,
): CollapseSpan | undefined {
  const messages = all.slice(start, end);
  const fromId = messages[0]?.sources[0];
  const toId = messages.at(-1)?.sources.at(-1);
  if (messages.length < 2 || tokens < minSpanTokens) return undefined;
  return fromId === undefined || toId === undefined
    ? undefined
    : { fromId, toId, messages, tokens };
}
