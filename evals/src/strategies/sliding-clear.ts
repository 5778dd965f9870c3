import type { Strategy } from '../strategy.ts';
import { createClearing } from './clearing.ts';

const KEEP_RESULTS = 10;

/** Clears all results but the 10 newest, anew before every request, so that each request breaks the prefix. */
const createSlidingClear = (name: string, parked: boolean): Strategy => ({
  name,
  create: (context) =>
    createClearing(context, {
      parked,
      pick: (results) => results.slice(0, -KEEP_RESULTS),
      isCandidate: () => true,
    }),
});

export const slidingClearParked: Strategy = createSlidingClear('sliding-clear+parked', true);

const slidingClear: Strategy = createSlidingClear('sliding-clear', false);
export default slidingClear;
