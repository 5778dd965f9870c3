import type { Edit, PlanContext, View } from '@varve/messages';
import { type EditReceipt, editReceipt, logOf } from '@varve/messages/log';
import { openTurnStart, thinkingBlocks, thinkingDrops } from '@varve/messages/thinking';
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
 * Puts staged spans in force, as far as the model's rule for thinking allows it now: an open turn stays as it is where the
 * model wants its thinking back; thinking of other turns that is bound to what changes goes in the same plan.
 */
export function commitSpans(
  spans: readonly PlacedSpan[],
  { view, context }: CommitSource,
): Commit | undefined {
  const { messages } = view;
  const dropsFrom = (changedFrom: number) =>
    thinkingDrops(messages, {
      rule: context.thinking,
      changedFrom,
      turnIsOver: context.atUserTurn,
      closedTurns: 'keep',
    });
  const { keep } = dropsFrom(messages.length);
  const openFrom = keep.length > 0 ? openTurnStart(messages) : messages.length;
  const folded = spans.filter(({ end }) => end <= openFrom);
  const [first] = folded;
  if (!first) return undefined;
  const { kind, drop } = dropsFrom(first.start);
  if (kind === 'bound') return undefined;
  const isFolded = (index: number) =>
    folded.some(({ start, end }) => index >= start && index < end);
  const bound = drop.filter((index) => !isFolded(index));
  const blocks = thinkingBlocks(messages, bound, logOf(view).logged);
  if (blocks === undefined) return undefined;
  const edits: readonly Edit[] = folded.map(toEdit);
  return {
    folded,
    edits: blocks.length > 0 ? [{ kind: 'replace-content', blocks }, ...edits] : edits,
  };
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
  folded: readonly PlacedSpan[],
  { reason, view, tokensBefore, originals, sizeOfText }: CommitReceiptOptions,
): EditReceipt {
  const left = ({ summary }: PlacedSpan) =>
    Math.ceil(sizeOfText(collapsedText(summary))) + FRAME_TOKENS;
  const saved = folded.reduce((sum, each) => sum + each.tokens - left(each), 0);
  const dropped = folded.reduce((sum, { start, end }) => sum + end - start, 0);
  const kept = view.messages.length - dropped;
  const tokensAfter = Math.ceil(tokensBefore - saved);
  return {
    engine: 'summary',
    ...editReceipt({ reason, tokensBefore, tokensAfter, dropped, kept, originals }),
    spans: folded.map(({ fromId, toId, tokens, summaryTokens, repaired, start, end }) => ({
      ...{ fromId, toId, tokens, summaryTokens, repaired },
      messages: end - start,
    })),
  };
}

/** What a message adds to its text. */
const FRAME_TOKENS = 8;
