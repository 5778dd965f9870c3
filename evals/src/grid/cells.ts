import { type BatchedSetting, batchedName } from '../strategies/batched-clear.ts';

const ABOVE_TOKENS = [50_000, 80_000, 120_000, 160_000, 200_000];
const KEEP_RESULTS = [3, 5, 10, 20];
const MIN_FREED_TOKENS = [0, 10_000, 20_000];

/** Fixed thresholds in every combination, all with parked markers. */
const SETTINGS: readonly BatchedSetting[] = ABOVE_TOKENS.flatMap((aboveTokens) =>
  KEEP_RESULTS.flatMap((keepResults) =>
    MIN_FREED_TOKENS.map((minFreedTokens) => ({
      aboveTokens,
      keepResults,
      minFreedTokens,
      parked: true,
    })),
  ),
);

/** The names of the strategies of the grid. */
export const GRID_CELLS: readonly string[] = SETTINGS.map(batchedName);
