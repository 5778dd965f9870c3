import {
  type Edit,
  isPerson,
  isThinking,
  type JsonObject,
  logOf,
  type PlanContext,
  thinkingBlocks,
  type View,
} from '@varve/messages';
import type { StagedSpan } from './collapse-log.ts';
import { collapsedText } from './prompt.ts';
import { holdsOf } from './spans.ts';

/** A staged span and where it lies in the view. */
export interface PlacedSpan extends StagedSpan {
  readonly start: number;
  readonly end: number;
}

/** Staged spans that hold in the view what they held, in order; others wait for nothing any more. */
export function placeSpans(staged: readonly StagedSpan[], { messages }: View): PlacedSpan[] {
  const starts = new Map<string, number>();
  const ends = new Map<string, number>();
  for (const [index, { sources }] of messages.entries()) {
    const [first, last] = [sources[0], sources.at(-1)];
    if (first !== undefined) starts.set(first, index);
    if (last !== undefined) ends.set(last, index + 1);
  }
  const placed = staged.flatMap((span) => {
    const [start, end] = [starts.get(span.fromId), ends.get(span.toId)];
    if (start === undefined || end === undefined || start >= end) return [];
    return holdsOf(messages.slice(start, end)) === span.holds ? { ...span, start, end } : [];
  });
  const sorted = placed.toSorted((left, right) => left.start - right.start);
  return sorted.filter(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0));
}

export interface CommitSource {
  readonly view: View;
  readonly context: Pick<PlanContext, 'atUserTurn' | 'thinking'>;
}

/** Staged spans that go in force, and the edits that do it. */
export interface Commit {
  readonly folded: readonly PlacedSpan[];
  readonly edits: readonly Edit[];
}

/**
 * Puts staged spans in force, as far as the model's rule for thinking allows it now: thinking that is bound to what changes
 * goes in the same plan when a person has just spoken, and keeps the spans waiting inside a tool loop.
 */
export function commitSpans(
  spans: readonly PlacedSpan[],
  source: CommitSource,
): Commit | undefined {
  const folded = spans.filter((span) => isOutsideOpenTurn(span, source));
  const [first] = folded;
  if (!first) return undefined;
  const bound =
    source.context.thinking === 'prefix-bound' ? boundBehind(first, folded, source) : [];
  const { view, context } = source;
  if (bound.length > 0 && !context.atUserTurn) return undefined;
  const blocks = thinkingBlocks(view.messages, bound, logOf(view).logged);
  if (blocks === undefined) return undefined;
  const edits: readonly Edit[] = folded.map(toEdit);
  return {
    folded,
    edits: blocks.length > 0 ? [{ kind: 'replace-content', blocks }, ...edits] : edits,
  };
}

/** An open turn keeps its thinking where the model wants it back. */
function isOutsideOpenTurn(span: PlacedSpan, { view, context }: CommitSource): boolean {
  if (context.thinking !== 'latest-turn' || context.atUserTurn) return true;
  return span.end <= view.messages.findLastIndex(isPerson);
}

const boundBehind = (
  first: PlacedSpan,
  spans: readonly PlacedSpan[],
  { view }: CommitSource,
): readonly number[] =>
  [...view.messages.entries()].flatMap(([index, { content }]) => {
    const isFolded = spans.some(({ start, end }) => index >= start && index < end);
    return index > first.start && !isFolded && content.some(isThinking) ? [index] : [];
  });

function toEdit({ messageId: id, fromId, toId, summary }: PlacedSpan): Edit {
  const content = [{ type: 'text', text: collapsedText(summary) }];
  const message = {
    id,
    role: 'user',
    content,
    origin: { kind: 'summary', by: 'collapse' },
  } as const;
  return { kind: 'replace-span', fromId, toId, with: [message], then: [] };
}

export interface CommitReceiptOptions {
  readonly reason: string;
  readonly view: View;
  /** Size of the request without the edits, in tokens. */
  readonly tokensBefore: number;
  readonly originals: string | undefined;
  /** Tokens of a text. */
  readonly sizeOfText: (text: string) => number;
}

/** What was folded, and what it had; sizes in tokens. */
export function commitReceipt(
  folded: readonly PlacedSpan[],
  { reason, view, tokensBefore, originals, sizeOfText }: CommitReceiptOptions,
): JsonObject & { readonly tokensAfter: number } {
  const left = ({ summary }: PlacedSpan) =>
    Math.ceil(sizeOfText(collapsedText(summary))) + FRAME_TOKENS;
  const saved = folded.reduce((sum, each) => sum + each.tokens - left(each), 0);
  const droppedMessages = folded.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    ...{
      engine: 'summary',
      reason,
      tokensBefore,
      tokensAfter: Math.max(0, Math.ceil(tokensBefore - saved)),
    },
    droppedMessages,
    keptMessages: view.messages.length - droppedMessages,
    ...(originals !== undefined && { originals }),
    spans: folded.map(({ fromId, toId, tokens, summaryTokens, repaired, start, end }) => ({
      ...{ fromId, toId, tokens, summaryTokens, repaired },
      messages: end - start,
    })),
  };
}

/** What a message adds to its text. */
const FRAME_TOKENS = 8;
