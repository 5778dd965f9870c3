import { checkGroup, THRESHOLDS } from './check-options.ts';

/** What is known after a response. */
export interface ExtractionState {
  /** Size of the context in tokens. */
  readonly contextTokens: number;
  /** Size at the last extraction or after the last compaction, the later of the two; undefined before either. */
  readonly baselineTokens?: number | undefined;
  /** Tool calls since the last extraction. */
  readonly toolCalls: number;
  /** Whether the last assistant turn calls a tool. */
  readonly endsWithCall: boolean;
}

/** When notes are taken; what is left out has its default. */
export interface ExtractionThresholds {
  /** Tokens of context from which notes are taken at all. @default 10000 */
  readonly firstTokens?: number | undefined;
  /** Tokens the context has to grow by between two extractions. @default 5000 */
  readonly growthTokens?: number | undefined;
  /** Tool calls that make up for a pause. @default 3 */
  readonly toolCalls?: number | undefined;
}

/** `tool-calls`: enough of them since the last time; `pause`: the last turn calls no tool. */
export type ExtractionDecision =
  | { readonly kind: 'extract'; readonly reason: 'tool-calls' | 'pause' }
  | { readonly kind: 'wait'; readonly reason: 'small-context' | 'little-growth' | 'few-calls' };

/** Whether it is time to take notes. Both a size and a moment are needed: enough calls since the last time, or a pause. */
export function shouldExtract(
  { contextTokens, baselineTokens, toolCalls, endsWithCall }: ExtractionState,
  thresholds: ExtractionThresholds = {},
): ExtractionDecision {
  checkGroup(thresholds, 'thresholds', THRESHOLDS);
  const { firstTokens = 10_000, growthTokens = 5_000, toolCalls: minCalls = 3 } = thresholds;
  if (baselineTokens === undefined && !(contextTokens >= firstTokens)) {
    return { kind: 'wait', reason: 'small-context' };
  }
  if (baselineTokens !== undefined && !(contextTokens - baselineTokens >= growthTokens)) {
    return { kind: 'wait', reason: 'little-growth' };
  }
  if (toolCalls >= minCalls) return { kind: 'extract', reason: 'tool-calls' };
  if (!endsWithCall) return { kind: 'extract', reason: 'pause' };
  return { kind: 'wait', reason: 'few-calls' };
}
