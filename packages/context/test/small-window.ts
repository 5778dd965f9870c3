import { type ModelInfo, resolveModel } from '@varve/tokens';

/** A model as the table has it, but for a window that a test can fill: it is compacted from so many tokens on. */
export function smallWindow(id: string, thresholdTokens: number): ModelInfo {
  const windowTokens = thresholdTokens + BUFFER_TOKENS + MAX_OUTPUT_TOKENS;
  const { model } = resolveModel(id);
  return { ...model, id, aliases: [], windowTokens, maxOutputTokens: MAX_OUTPUT_TOKENS };
}

/** What lies between the threshold and the end of what a conversation can fill. */
const BUFFER_TOKENS = 13_000;
const MAX_OUTPUT_TOKENS = 1_000;
