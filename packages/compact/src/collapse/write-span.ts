import { checkSummary } from '@varve/ledger';
import type { Head, JsonObject, Request, ThinkingRule, Usage } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { fitCall } from '@varve/models/call';
import { acceptSize } from '@varve/tokens/limits';
import { acceptSummary } from '../full/accept-summary.ts';
import { callModel } from '../full/call.ts';
import { countByKind } from '../full/count-by-kind.ts';
import { sumOf } from '../full/draft.ts';
import { type CompactFailure, failureOfCode } from '../full/failure.ts';
import { plainLedger } from '../full/plain-ledger.ts';
import { outputBounds } from '../full/summary-request.ts';
import { summaryBody } from '../full/summary-text.ts';
import { shownAlone } from '../full/thinking.ts';
import { textsOf } from '../full/transcript.ts';
import type { Summarize } from '../types.ts';
import { COLLAPSE_INSTRUCTION } from './prompt.ts';
import type { SpanSizes } from './span-sizes.ts';
import { type CollapseSpan, holdsOf } from './spans.ts';

export interface SpanWriter {
  readonly summarize: Summarize;
  /** Tokens of a text. */
  readonly sizeOfText: (text: string) => number;
  readonly maxSummaryTokens: number;
  readonly mark?: ((request: Request) => Request) | undefined;
  readonly redact?: boolean | undefined;
}

export interface WrittenSpan {
  /** For a note: `staged` with the summary, or `failed` with the reason. */
  readonly data: JsonObject;
  /** 0 where the request would not fit the window. */
  readonly calls: 0 | 1;
  readonly usage?: Usage;
}

export interface SpanTask {
  readonly head: Head;
  readonly thinking: ThinkingRule;
  readonly sizes: SpanSizes;
  readonly writer: SpanWriter;
}

/**
 * Has the summary of one span written, in a request of its own that shows nothing but the span, and checks and repairs it
 * with the facts of the span.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function writeSpan(
  span: CollapseSpan,
  { head, thinking, sizes, writer }: SpanTask,
  signal: AbortSignal | undefined,
): Promise<WrittenSpan> {
  const { fromId, toId, tokens } = span;
  const { summarize, sizeOfText, maxSummaryTokens, mark = (request) => request } = writer;
  const failed = (reason: CompactFailure) => ({ kind: 'failed', fromId, toId, reason });
  const asked = spanRequest(span, { head, thinking, maxOutputTokens: maxSummaryTokens });
  const promptTokens = sizes.overheadTokens + sumOf(asked.messages, sizes.sizeOf);
  const bounds = outputBounds(promptTokens, maxSummaryTokens, { head, maxSummaryTokens, ...sizes });
  if (bounds.kind === 'prompt-too-large') return { data: failed('prompt-too-long'), calls: 0 };
  const fitted = fitCall(asked, { answer: 'text', answerTokens: maxSummaryTokens, ...bounds });
  const outcome = await callModel(summarize, headMarked(mark(fitted)), signal);
  const { usage } = outcome.kind === 'reply' ? outcome.reply : outcome.error;
  const bill = { calls: 1, ...(usage && { usage }) } as const;
  if (outcome.kind === 'error') return { data: failed(failureOfCode(outcome.error.code)), ...bill };
  const accepted = acceptSummary(outcome.reply, {
    replacedTokens: tokens,
    maxTokens: maxSummaryTokens,
    minSavings: MIN_SAVINGS,
    sizeOf: sizeOfText,
    earlier: earlierIn(span),
    replaced: () => textsOf(span.messages),
    asked: COLLAPSE_INSTRUCTION,
  });
  if (accepted.kind === 'refused') return { data: failed(accepted.reason), ...bill };
  const repaired = repairSpan(accepted, { span, head, writer });
  const size = acceptSize(repaired.summaryTokens, { ofTokens: tokens, minSavings: 0 });
  if (size.kind === 'refused') return { data: failed(size.reason), ...bill };
  const holds = holdsOf(span.messages);
  return { data: { kind: 'staged', fromId, toId, holds, tokens, ...repaired }, ...bill };
}

/** The summary that a span begins with, where it was folded before: what it says is taken over. */
const earlierIn = ({ messages: [first] }: CollapseSpan): string | undefined =>
  first !== undefined && isSummary(first) ? summaryBody(first) : undefined;

/** Nobody reads the span again, so an entry of it in the cache would be paid for nothing; the head is the conversation's. */
const headMarked = (request: Request): Request => ({
  ...request,
  markers: request.markers.filter(({ at }) => at !== 'message'),
});

/** The share of a span that folding it has to save, before its summary is repaired. */
const MIN_SAVINGS = 0.3;

interface Repairing {
  readonly span: CollapseSpan;
  readonly head: Head;
  readonly writer: SpanWriter;
}

/** What is appended is half as much as a summary may have, and never takes what folding is meant to save. */
function repairSpan(
  { text, tokens: taken }: { readonly text: string; readonly tokens: number },
  { span, head, writer: { sizeOfText, maxSummaryTokens, redact } }: Repairing,
) {
  const bounds = { ofTokens: span.tokens, minSavings: MIN_SAVINGS };
  const { roomTokens: saved } = acceptSize(taken, bounds);
  const { text: summary, findings } = checkSummary(text, {
    ledger: plainLedger(head, span.messages, { redact }),
    budgetTokens: Math.max(0, Math.floor(Math.min(maxSummaryTokens / 2, saved))),
    sizeOf: sizeOfText,
  });
  return { summary, summaryTokens: sizeOfText(summary), repaired: countByKind(findings) };
}

interface RequestOptions {
  readonly head: Head;
  readonly thinking: ThinkingRule;
  readonly maxOutputTokens: number;
}

/** A user message leads, because a span begins with a reply; thinking that is bound to what stood before it goes. */
function spanRequest(
  { messages }: CollapseSpan,
  { head, thinking, maxOutputTokens }: RequestOptions,
): Request {
  const say = (id: string, text: string) =>
    ({
      id,
      role: 'user',
      content: [{ type: 'text', text }],
      origin: { kind: 'synthetic' },
    }) as const;
  const lead = say('collapse-lead', '[The stretch to summarise begins here.]');
  const ask = say('collapse-instruction', COLLAPSE_INSTRUCTION);
  return {
    head,
    messages: [lead, ...shownAlone(messages, thinking), ask],
    markers: [],
    maxOutputTokens,
  };
}
