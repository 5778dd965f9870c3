import { type ModelInfo, resolveModel } from '@varve/tokens';

/** A model as the table has it, but for a window that a test can fill. */
export function smallWindow(id: string, thresholdTokens: number): ModelInfo {
  const windowTokens = thresholdTokens + ROOM_TOKENS + MAX_OUTPUT_TOKENS;
  const { model } = resolveModel(id);
  return { ...model, id, aliases: [], windowTokens, maxOutputTokens: MAX_OUTPUT_TOKENS };
}

/** The share of what can be filled of that window at which it is compacted: from so many tokens on. */
export const smallPercent = (thresholdTokens: number): number =>
  ((thresholdTokens + 0.5) / (thresholdTokens + ROOM_TOKENS)) * 100;

/** What lies between the threshold and the end of what a conversation can fill. */
const ROOM_TOKENS = 13_000;
const MAX_OUTPUT_TOKENS = 1_000;
