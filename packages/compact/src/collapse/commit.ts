import {
  type BlockReplacement,
  type Edit,
  isPerson,
  isThinking,
  type JsonObject,
  type PlanContext,
  type View,
} from '@varve/messages';
import type { LoggedThinking, StagedSpan } from './collapse-log.ts';
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
  readonly thinking: readonly LoggedThinking[];
}

/**
 * Edits that put staged spans in force, as far as the model's rule for thinking allows it now: thinking that is bound to what
 * changes goes in the same plan when a person has just spoken, and keeps the spans waiting inside a tool loop.
 */
export function commitEdits(spans: readonly PlacedSpan[], source: CommitSource): readonly Edit[] {
  const legal = spans.filter((span) => isOutsideOpenTurn(span, source));
  const [first] = legal;
  if (!first) return [];
  const drops = source.context.thinking === 'prefix-bound' ? boundBehind(first, legal, source) : [];
  if (drops === 'stuck') return [];
  const edits: Edit[] = legal.map(toEdit);
  return drops.length > 0 ? [{ kind: 'replace-content', blocks: drops }, ...edits] : edits;
}

/** An open turn keeps its thinking where the model wants it back. */
function isOutsideOpenTurn(span: PlacedSpan, { view, context }: CommitSource): boolean {
  if (context.thinking !== 'latest-turn' || context.atUserTurn) return true;
  return span.end <= view.messages.findLastIndex(isPerson);
}

function boundBehind(
  first: PlacedSpan,
  spans: readonly PlacedSpan[],
  { view, context, thinking }: CommitSource,
): readonly BlockReplacement[] | 'stuck' {
  const isFolded = (index: number) => spans.some(({ start, end }) => index >= start && index < end);
  const bound = view.messages.filter(
    ({ content }, index) => index > first.start && !isFolded(index) && content.some(isThinking),
  );
  if (bound.length === 0) return [];
  const isAlone = bound.some(({ content }) => content.every(isThinking));
  if (!context.atUserTurn || isAlone) return 'stuck';
  const sources = new Set(bound.flatMap((message) => message.sources));
  return thinking
    .filter(({ messageId }) => sources.has(messageId))
    .map((place) => ({ ...place, block: null }));
}

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
  spans: readonly PlacedSpan[],
  edits: readonly Edit[],
  { reason, view, tokensBefore, originals, sizeOfText }: CommitReceiptOptions,
): JsonObject & { readonly tokensAfter: number } {
  const folded = spans.filter(({ messageId }) =>
    edits.some((edit) => edit.kind === 'replace-span' && edit.with[0]?.id === messageId),
  );
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
