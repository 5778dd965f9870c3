import { checkOptions, number, required } from '@varve/guards';
import { isTokenLimit } from './window.ts';

/**
 * Asked for where a caller names nothing, in tokens, and what is set aside of a window for the reply. The Anthropic SDK refuses
 * to send a request for more than 21,333 tokens that is not streamed: it might take more than ten minutes
 * (`calculateNonstreamingTimeout` of @anthropic-ai/sdk 1.14.0). This works either way.
 */
export const OUTPUT_RESERVE_TOKENS = 20_000;

/** From this window on that many are set aside, in tokens; a smaller one has less in proportion. */
export const FULL_RESERVES_FROM_TOKENS = 64_000;

export interface FitOutputOptions {
  /** Size of the request without its reply, in tokens. */
  readonly promptTokens: number;
  /** Infinity where nobody knows it. */
  readonly windowTokens: number;
  /** The most the model can reply, in tokens; left out where nobody knows it. */
  readonly maxOutputTokens?: number | undefined;
  /**
   * What one would like to ask for, in tokens. @default 20,000 beside the thinking, less in a window below 64,000 and never
   * more than `maxOutputTokens`: it can be sent with and without streaming
   */
  readonly requestedTokens?: number | undefined;
  /** Budget for thinking, in tokens. A provider refuses a reply that is not larger. @default 0 */
  readonly thinkingTokens?: number | undefined;
  /** Kept free because sizes are estimates, in tokens. @default 0 */
  readonly marginTokens?: number | undefined;
  /** A shorter reply is not worth a request, in tokens. @default 1, or 1 more than the thinking */
  readonly minOutputTokens?: number | undefined;
}

export type FitOutputResult =
  /** As requested. */
  | { readonly kind: 'fits'; readonly outputTokens: number }
  /** Less than requested, so that prompt, reply and margin fit together. */
  | { readonly kind: 'reduced'; readonly outputTokens: number }
  /** The prompt has to shrink by this much first. */
  | { readonly kind: 'prompt-too-large'; readonly overTokens: number };

/**
 * How much output a request may ask for: prompt + output + margin never exceed the window, output never exceeds what the
 * model can reply.
 *
 * @throws RangeError for a size of the prompt or a window that is none
 */
export function fitOutput(options: FitOutputOptions): FitOutputResult {
  const { promptTokens, windowTokens, marginTokens = 0, thinkingTokens = 0 } = options;
  checkOptions(options, EXPECTED);
  const { minOutputTokens = thinkingTokens + 1 } = options;
  const room = windowTokens - promptTokens - marginTokens;
  if (room < minOutputTokens) {
    return { kind: 'prompt-too-large', overTokens: minOutputTokens - room };
  }
  const maxOutputTokens = isTokenLimit(options.maxOutputTokens)
    ? options.maxOutputTokens
    : Number.POSITIVE_INFINITY;
  const most = Math.min(room, maxOutputTokens);
  const requested =
    options.requestedTokens ??
    Math.min(maxOutputTokens, thinkingTokens + usualOutput(windowTokens));
  const requestedTokens = thinkingTokens > 0 ? Math.max(requested, minOutputTokens) : requested;
  return requestedTokens <= most
    ? { kind: 'fits', outputTokens: requestedTokens }
    : { kind: 'reduced', outputTokens: most };
}

const EXPECTED = {
  promptTokens: required(number({ min: 0 })),
  windowTokens: required(number({ above: 0 })),
  thinkingTokens: number({ min: 0 }),
  requestedTokens: number({ min: 0 }),
  marginTokens: number(),
  minOutputTokens: number(),
};

function usualOutput(windowTokens: number): number {
  const share = Math.min(1, windowTokens / FULL_RESERVES_FROM_TOKENS);
  return Math.max(1, Math.floor(share * OUTPUT_RESERVE_TOKENS));
}
