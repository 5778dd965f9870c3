import { checkOptions, integer } from '@varve/guards';
import type { RunOptions } from './types.ts';

/** @throws RangeError for limits that are no positive integers */
export function checkLimits<State>(options: Omit<RunOptions<State>, 'directive'>): void {
  checkOptions(options, {
    maxTurns: integer(1),
    maxTotalOutputTokens: integer(1),
    maxTextUnits: integer(1),
  });
}
