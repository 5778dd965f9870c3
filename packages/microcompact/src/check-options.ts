import { checkOptions as check, expected, number, oneOf } from '@varve/guards';
import type { MicrocompactOptions } from './options.ts';

/**
 * Refuses options that would clear too much or nothing without a word.
 *
 * @throws RangeError when a number is negative or none; TypeError for a preset or mechanism that does not exist.
 */
export function checkOptions(options: MicrocompactOptions): void {
  const { preset, mechanisms = [], experimental_cacheEdits } = options;
  const groups: readonly (object | undefined)[] = [
    options,
    options.time,
    options.count,
    options.rent,
    experimental_cacheEdits,
  ];
  for (const group of groups) check(group ?? {}, NUMBERS);
  check({ preset }, { preset: oneOf(['rent', 'classic']) });
  const unknown = mechanisms.find((mechanism) => !MECHANISM.fits(mechanism));
  if (unknown !== undefined) throw expected('mechanisms', MECHANISM, unknown);
}

const MECHANISM = {
  ...oneOf(['time', 'count', 'rent']),
  what: "a list of 'time', 'count', 'rent'",
};

const NUMBERS = Object.fromEntries(
  [
    'keepRecent',
    'minTokens',
    'inputTokens',
    'largeTokens',
    'editingRequests',
    'minSavingsTokens',
    'candidateTokens',
    'minBatch',
    'idleMs',
    'maxResults',
  ].map((name) => [name, number({ min: 0 })]),
);
