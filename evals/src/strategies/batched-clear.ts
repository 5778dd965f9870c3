import type { Strategy } from '../strategy.ts';
import { type Clearable, createClearing } from './clearing.ts';

const CLEAR_ABOVE_TOKENS = 120_000;
const KEEP_RESULTS = 3;
const MIN_RESULT_TOKENS = 200;
const MIN_FREED_TOKENS = 10_000;

/**
 * Above 120,000 tokens, clears at once every result but the 3 newest that frees more than 200 tokens, if together they free
 * 10,000. The best static setting of those that a replay of 20 recorded sessions compared.
 */
const createBatchedClear = (name: string, parked: boolean): Strategy => ({
  name,
  create: (context) =>
    createClearing(context, {
      parked,
      pick(results, tokens) {
        if (tokens <= CLEAR_ABOVE_TOKENS) return [];
        const old = results.slice(0, -KEEP_RESULTS).filter(isLarge);
        const freed = old.reduce((sum, each) => sum + each.tokens, 0);
        return freed >= MIN_FREED_TOKENS ? old : [];
      },
      isCandidate: isLarge,
    }),
});

const isLarge = (result: Clearable): boolean => result.tokens > MIN_RESULT_TOKENS;

export const batchedClearParked: Strategy = createBatchedClear('batched-clear+parked', true);

const batchedClear: Strategy = createBatchedClear('batched-clear', false);
export default batchedClear;
