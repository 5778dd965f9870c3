import type { Recording } from '../src/record/recording.ts';
import { argumentChecks } from './argument-checks/recording.ts';
import { argumentFiles } from './argument-files/recording.ts';
import { billingDates } from './billing-dates/recording.ts';
import { roundTripBug } from './round-trip-bug/recording.ts';

/** Every session that `pnpm record` writes, in the order of the provenance page. */
export const recordings: readonly Recording[] = [
  roundTripBug,
  argumentChecks,
  argumentFiles,
  billingDates,
];
