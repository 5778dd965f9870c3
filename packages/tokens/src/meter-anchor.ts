/** A stretch of the request, from its start, whose size is known. */
export interface Anchor {
  /** `billed`: a provider said so. `inferred`: what is left of a bill after an edit, less an estimate of the rest. */
  readonly kind: 'billed' | 'inferred';
  readonly responseId: string | undefined;
  /** How many messages the request carried. */
  readonly promptCount: number;
  readonly promptTokens: number;
  /** How many messages prompt and reply are together. */
  readonly covers: number;
  /** The provider's output count. */
  readonly billedOutput: number;
  /** How much of that was thinking, as far as the provider says; no count from the start of a stream does. */
  readonly billedThinking: number;
  /** What the reply adds: what of the provider's count goes back, or an estimate where that is a placeholder or cannot be. */
  readonly outputTokens: number;
  /** False where the reply is estimated, or not covered. */
  readonly outputBilled: boolean;
}

export const NO_OUTPUT = {
  billedOutput: 0,
  billedThinking: 0,
  outputTokens: 0,
  outputBilled: false,
};

export const anchoredTokens = (anchor: Anchor): number => anchor.promptTokens + anchor.outputTokens;

/** What still holds of anchors, in order, once the messages from `count` on are others. Mutates the list. */
export function cutAnchors(anchors: Anchor[], count: number): void {
  while ((anchors.at(-1)?.promptCount ?? 0) > count) anchors.pop();
  const last = anchors.at(-1);
  if (last === undefined || last.covers <= count) return;
  anchors[anchors.length - 1] = {
    ...last,
    covers: last.promptCount,
    ...NO_OUTPUT,
  };
}
