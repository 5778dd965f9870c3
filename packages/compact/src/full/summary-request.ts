import type { Head, Message, Request } from '@varve/messages';
import { fitOutput } from '@varve/tokens';
import type { Draft } from './draft.ts';
import { summaryInstruction } from './prompt.ts';
import { isSummaryMessage } from './summary-text.ts';

export interface RequestSource {
  readonly head: Head;
  readonly focus?: string | undefined;
  readonly windowTokens: number;
  /** The most the model can reply, in tokens; left out where nobody knows it. */
  readonly maxOutputTokens?: number | undefined;
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
  const { head, windowTokens, maxOutputTokens, overheadTokens, sizeOf } = source;
  const instruction = instructionFor(draft, source.focus);
  const promptTokens = overheadTokens + draft.tokens + sizeOf(instruction);
  const output = fitOutput({
    promptTokens,
    windowTokens,
    maxOutputTokens,
    requestedTokens: outputTokens,
    marginTokens: Math.ceil(promptTokens * MARGIN),
    minOutputTokens: Math.min(LEAST_OUTPUT_TOKENS, outputTokens, maxOutputTokens ?? outputTokens),
  });
  if (output.kind === 'prompt-too-large') return output;
  const messages = [...withoutTrailingSystem(draft.messages), instruction];
  const request = { head, messages, markers: [], maxOutputTokens: output.outputTokens };
  return { kind: 'request', request: source.mark?.(request) ?? request };
}

/** A summary is cut below this many tokens of output more often than not. */
const LEAST_OUTPUT_TOKENS = 2_000;

/** Share of the prompt that is kept free, because its size is an estimate. */
const MARGIN = 0.01;

function instructionFor({ messages }: Draft, focus: string | undefined): Message {
  const [first] = messages;
  const earlier = first !== undefined && isSummaryMessage(first);
  return {
    id: 'summary-instruction',
    role: 'user',
    content: [{ type: 'text', text: summaryInstruction({ focus, earlier }) }],
    origin: { kind: 'synthetic' },
  };
}

/** No provider takes a user message behind a system message. */
function withoutTrailingSystem(messages: readonly Message[]): readonly Message[] {
  const end = messages.findLastIndex(({ role }) => role !== 'system') + 1;
  return end === messages.length ? messages : messages.slice(0, end);
}
