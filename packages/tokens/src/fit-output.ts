export interface FitOutputOptions {
  /** Size of the request without its reply, in tokens. */
  readonly promptTokens: number;
  readonly windowTokens: number;
  /** The most the model can reply, in tokens; left out where nobody knows it. */
  readonly maxOutputTokens?: number | undefined;
  /** What one would like to ask for, in tokens. @default `maxOutputTokens`, else what is left of the window */
  readonly requestedTokens?: number | undefined;
  /** Kept free because sizes are estimates, in tokens. @default 0 */
  readonly marginTokens?: number | undefined;
  /** A shorter reply is not worth a request, in tokens. @default 1 */
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
 */
export function fitOutput(options: FitOutputOptions): FitOutputResult {
  const { promptTokens, windowTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = options;
  const { marginTokens = 0, minOutputTokens = 1 } = options;
  const room = windowTokens - promptTokens - marginTokens;
  if (room < minOutputTokens) {
    return { kind: 'prompt-too-large', overTokens: minOutputTokens - room };
  }
  const most = Math.min(room, maxOutputTokens);
  const { requestedTokens = Math.min(maxOutputTokens, windowTokens) } = options;
  return requestedTokens <= most
    ? { kind: 'fits', outputTokens: requestedTokens }
    : { kind: 'reduced', outputTokens: most };
}
