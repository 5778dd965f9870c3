import type { Head, JsonObject, Request, ThinkingRule, Usage } from '@varve/messages';
import { acceptSummary } from '../full/accept-summary.ts';
import { callModel } from '../full/call.ts';
import { withoutThinking } from '../full/thinking.ts';
import type { Summarize } from '../types.ts';
import { COLLAPSE_INSTRUCTION } from './prompt.ts';
import { type CollapseSpan, holdsOf } from './spans.ts';

export interface SpanWriter {
  readonly summarize: Summarize;
  /** Tokens of a text. */
  readonly sizeOfText: (text: string) => number;
  readonly maxSummaryTokens: number;
  readonly mark?: ((request: Request) => Request) | undefined;
}

export interface WrittenSpan {
  /** For a note: `staged` with the summary, or `failed` with the reason. */
  readonly data: JsonObject;
  readonly usage?: Usage;
}

/**
 * Has the summary of one span written, in a request of its own that shows nothing but the span.
 *
 * @throws DOMException `AbortError`
 */
export async function writeSpan(
  span: CollapseSpan,
  { head, thinking, writer }: { head: Head; thinking: ThinkingRule; writer: SpanWriter },
  signal: AbortSignal | undefined,
): Promise<WrittenSpan> {
  const { fromId, toId, tokens } = span;
  const { summarize, sizeOfText, maxSummaryTokens, mark = (request) => request } = writer;
  const request = mark(spanRequest(span, { head, thinking, maxOutputTokens: maxSummaryTokens }));
  const outcome = await callModel(summarize, request, signal);
  const failed = (reason: string) => ({ kind: 'failed', fromId, toId, reason });
  if (outcome.kind === 'error') return { data: failed('model-failed') };
  const accepted = acceptSummary(outcome.reply, {
    replacedTokens: tokens,
    maxTokens: maxSummaryTokens,
    minSavings: MIN_SAVINGS,
    sizeOf: sizeOfText,
  });
  const { usage } = outcome.reply;
  const bill = usage && { usage };
  if (accepted.kind === 'refused') return { data: failed(accepted.reason), ...bill };
  const { text: summary, tokens: summaryTokens } = accepted;
  const holds = holdsOf(span.messages);
  const data = { kind: 'staged', fromId, toId, holds, summary, tokens, summaryTokens };
  return { data, ...bill };
}

/** The share of a span that folding it has to save. */
const MIN_SAVINGS = 0.3;

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
  const shown = thinking === 'prefix-bound' ? messages.flatMap(withoutThinking) : messages;
  const say = (id: string, text: string) =>
    ({
      id,
      role: 'user',
      content: [{ type: 'text', text }],
      origin: { kind: 'synthetic' },
    }) as const;
  const lead = say('collapse-lead', '[The stretch to summarise begins here.]');
  const ask = say('collapse-instruction', COLLAPSE_INSTRUCTION);
  return { head, messages: [lead, ...shown, ask], markers: [], maxOutputTokens };
}
