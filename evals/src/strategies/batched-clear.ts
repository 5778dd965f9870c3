import type { Strategy } from '../strategy.ts';
import { type Clearable, createClearing } from './clearing.ts';

/** A setting of the family; sizes in tokens. */
export interface BatchedSetting {
  /** Clears only above this prompt size. */
  readonly aboveTokens: number;
  /** Newest results that stay. */
  readonly keepResults: number;
  /** Clears only if so much is freed at once. */
  readonly minFreedTokens: number;
  /** Whether cache markers are parked at the edits. */
  readonly parked: boolean;
}

const MIN_RESULT_TOKENS = 200;

/** The best static setting of those that a replay of 20 recorded sessions compared. */
const BEST = { aboveTokens: 120_000, keepResults: 3, minFreedTokens: 10_000 };

/**
 * Above a threshold, clears at once every result but the newest few that frees more than 200 tokens, if together they free
 * enough.
 */
const createBatched = (name: string, setting: BatchedSetting): Strategy => ({
  name,
  create: (context) =>
    createClearing(context, {
      parked: setting.parked,
      pick(results, tokens) {
        if (tokens <= setting.aboveTokens) return [];
        const old = results.slice(0, results.length - setting.keepResults).filter(isLarge);
        const freed = old.reduce((sum, each) => sum + each.tokens, 0);
        return freed >= setting.minFreedTokens ? old : [];
      },
      isCandidate: isLarge,
    }),
});

const isLarge = (result: Clearable): boolean => result.tokens > MIN_RESULT_TOKENS;

/**
 * Any setting by its name: `batched-t120-n3-f10` clears above 120,000 tokens all but 3 results if that frees 10,000, and
 * `+parked` parks markers. Undefined for other names.
 */
export function findBatched(name: string): Strategy | undefined {
  const [, above, keep, freed, parked] = NAME.exec(name) ?? [];
  if (above === undefined || keep === undefined || freed === undefined) return undefined;
  return createBatched(name, {
    aboveTokens: Number(above) * 1000,
    keepResults: Number(keep),
    minFreedTokens: Number(freed) * 1000,
    parked: parked !== undefined,
  });
}

/** The name under which `findBatched` knows a setting; sizes are whole thousands. */
export const batchedName = (setting: BatchedSetting): string =>
  `batched-t${setting.aboveTokens / 1000}-n${setting.keepResults}-f${setting.minFreedTokens / 1000}${setting.parked ? '+parked' : ''}`;

const NAME = /^batched-t(\d{1,4})-n(\d{1,3})-f(\d{1,4})(\+parked)?$/;

export const batchedClearParked: Strategy = createBatched('batched-clear+parked', {
  ...BEST,
  parked: true,
});

const batchedClear: Strategy = createBatched('batched-clear', { ...BEST, parked: false });
export default batchedClear;
