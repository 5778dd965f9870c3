import type { ContextOptions } from '@varve/context';
import { type ModelInfo, resolveModel } from '@varve/tokens';

/** What makes a conversation smaller: a compaction with a summary, or stretches that are folded before one is due. */
export type Way = 'summary' | 'collapse';
export const WAYS: readonly Way[] = ['summary', 'collapse'];

const MODEL = 'claude-opus-5-5';
const THRESHOLD_TOKENS = 4_000;
/** What lies between the threshold and the end of what a conversation can fill. */
const ROOM_TOKENS = 13_000;
const OUTPUT_TOKENS = 1_000;

const SMALL: ModelInfo = {
  ...resolveModel(MODEL).model,
  ...{ id: MODEL, aliases: [], maxOutputTokens: OUTPUT_TOKENS },
  windowTokens: THRESHOLD_TOKENS + ROOM_TOKENS + OUTPUT_TOKENS,
};

const COLLAPSE = { keepTokens: 600, spanTokens: 900, minSpanTokens: 400, maxSummaryTokens: 150 };

/** A context that is full after some ten rounds. */
export function smallContext(
  way: Way,
  summarize: NonNullable<ContextOptions['compaction']>['summarize'],
): ContextOptions {
  const percent = ((THRESHOLD_TOKENS + 0.5) / (THRESHOLD_TOKENS + ROOM_TOKENS)) * 100;
  const collapse = way === 'collapse' ? COLLAPSE : undefined;
  return {
    ...{ model: MODEL, models: [SMALL], system: 'You fix tests.', layers: [] },
    compaction: { summarize, percent, collapse, keepTokens: 600, wait: async () => {} },
  };
}
