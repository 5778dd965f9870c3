import type { RunOptions } from './types.ts';

/** @throws RangeError for limits that are no positive integers */
export function checkLimits<State>(options: Omit<RunOptions<State>, 'directive'>): void {
  for (const name of ['maxTurns', 'maxTotalOutputTokens', 'maxTextUnits'] as const) {
    const value = options[name];
    if (value === undefined || (Number.isInteger(value) && value > 0)) continue;
    throw new RangeError(`Expected \`${name}\` to be a positive integer, got \`${value}\`.`);
  }
}
