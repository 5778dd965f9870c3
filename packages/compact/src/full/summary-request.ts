import type { Head, Message, Request } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { fitCall, MOST_UNSTREAMED_TOKENS, thinkingBudget } from '@varve/models/call';
import type { ModelInfo } from '@varve/tokens';
import { fitOutput } from '@varve/tokens/limits';
import type { Draft } from './draft.ts';
import { machineTexts } from './machine-texts.ts';
import { summaryInstruction } from './prompt.ts';

export interface RequestSource {
  readonly head: Head;
  readonly focus?: string | undefined;
  readonly windowTokens: number;
  /** The most the model can reply, in tokens; left out where nobody knows it. */
  readonly maxOutputTokens?: number | undefined;
  /** The most output that a summary itself may have, in tokens; the thinking of the call comes on top. */
  readonly maxSummaryTokens: number;
  readonly tokenizer: ModelInfo['tokenizer'];
  /** System prompt, tools and whatever else stands beside the messages, in tokens. */
  readonly overheadTokens: number;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /** Places cache markers, or changes what else the caller's requests have. */
  readonly mark?: ((request: Request) => Request) | undefined;
}

export type SummaryRequest =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'prompt-too-large'; readonly overTokens: number };

/**
 * The request for a summary: head and messages as the conversation's own requests have them, so that it reads their cache,
 * and the instruction as one more user message. It never asks for more output than the model and the window have.
 */
export function summaryRequest(
  draft: Draft,
  outputTokens: number,
  source: RequestSource,
): SummaryRequest {
  const { head, overheadTokens, sizeOf } = source;
  const instruction = instructionFor(draft, source.focus);
  const promptTokens = overheadTokens + draft.tokens + sizeOf(instruction);
  const bounds = outputBounds(promptTokens, outputTokens, source);
  if (bounds.kind === 'prompt-too-large') return bounds;
  const messages = [...withoutTrailingSystem(draft.messages), instruction];
  const asked = { head, messages, markers: [], maxOutputTokens: outputTokens };
  const request = fitCall(asked, { answer: 'text', answerTokens: outputTokens, ...bounds });
  return { kind: 'request', request: source.mark?.(request) ?? request };
}

type OutputBounds =
  | { readonly kind: 'fits'; readonly mostTokens: number; readonly leastAnswerTokens: number }
  | Extract<SummaryRequest, { readonly kind: 'prompt-too-large' }>;

/**
 * How much output a call for a summary of `outputTokens` may ask for behind a prompt of that size, so that both fit the
 * window. A prompt is too large where less room is left than a summary needs.
 */
export function outputBounds(
  promptTokens: number,
  outputTokens: number,
  source: Pick<RequestSource, 'head' | 'windowTokens'> & OutputSource,
): OutputBounds {
  const { head, windowTokens, tokenizer } = source;
  const mostOutput = mostOutputTokens(head, source);
  const leastAnswerTokens = Math.min(
    leastOutput(windowTokens, tokenizer),
    outputTokens,
    mostOutput,
  );
  const output = fitOutput({
    promptTokens,
    windowTokens,
    maxOutputTokens: mostOutput,
    requestedTokens: outputTokens + thinkingBudget(head.params),
    marginTokens: Math.ceil(promptTokens * MARGIN),
    minOutputTokens: leastAnswerTokens,
  });
  if (output.kind === 'prompt-too-large') return output;
  return { kind: 'fits', mostTokens: output.outputTokens, leastAnswerTokens };
}

export interface OutputSource {
  readonly tokenizer: ModelInfo['tokenizer'];
  readonly maxSummaryTokens: number;
  readonly maxOutputTokens?: number | undefined;
}

/**
 * The most output that a call for a summary may ask for, thinking included: what an SDK sends without streaming, unless the
 * caller asks for longer summaries, or thinks so much that its own requests have to be streamed.
 */
export function mostOutputTokens(
  { params }: Pick<Head, 'params'>,
  { tokenizer, maxSummaryTokens, maxOutputTokens = Number.POSITIVE_INFINITY }: OutputSource,
): number {
  const budget = thinkingBudget(params);
  const least = LEAST_SUMMARY_TOKENS[tokenizer];
  const wanted = budget + Math.max(maxSummaryTokens, budget > 0 ? least : 0);
  const isUnstreamed = budget + Math.min(maxSummaryTokens, least) <= MOST_UNSTREAMED_TOKENS;
  const most = budget > 0 && isUnstreamed ? MOST_UNSTREAMED_TOKENS : wanted;
  return Math.min(maxOutputTokens, Math.max(MOST_UNSTREAMED_TOKENS, most));
}

/**
 * What the shortest of the recorded answers takes, by vocabulary: `argument-files-40` of the six in `fixtures/summaries`, 12,847
 * characters. With less output a summary is cut: the call is paid, and its answer is of no use.
 */
export const LEAST_SUMMARY_TOKENS: Readonly<Record<ModelInfo['tokenizer'], number>> = {
  'claude-old': 3_806,
  'claude-new': 5_239,
  o200k: 3_132,
  gemini: 3_496,
  deepseek: 3_445,
  unknown: 3_903,
};

/** In a small window that much room would cost the conversation, and there is less to say: an eighth of it is enough. */
const leastOutput = (windowTokens: number, tokenizer: ModelInfo['tokenizer']): number =>
  Math.min(LEAST_SUMMARY_TOKENS[tokenizer], Math.max(1, Math.floor(windowTokens / 8)));

/** Share of the prompt that is kept free, because its size is an estimate. */
const MARGIN = 0.01;

function instructionFor({ messages }: Draft, focus: string | undefined): Message {
  const [first] = messages;
  const earlier = first !== undefined && isSummary(first);
  return {
    id: 'summary-instruction',
    role: 'user',
    content: [
      {
        type: 'text',
        text: summaryInstruction({ focus, earlier, machineTexts: machineTexts(messages) }),
      },
    ],
    origin: { kind: 'synthetic' },
  };
}

/** No provider takes a user message behind a system message. */
function withoutTrailingSystem(messages: readonly Message[]): readonly Message[] {
  const end = messages.findLastIndex(({ role }) => role !== 'system') + 1;
  return end === messages.length ? messages : messages.slice(0, end);
}
