import type { MicrocompactOptions } from './options.ts';

const PRESETS: readonly unknown[] = ['rent', 'classic', undefined];
const MECHANISMS: readonly unknown[] = ['time', 'count', 'rent'];

/**
 * Refuses options that would clear too much or nothing without a word.
 *
 * @throws RangeError when a number is negative or none; TypeError for a preset or mechanism that does not exist.
 */
export function checkOptions(options: MicrocompactOptions): void {
  const { preset, mechanisms = [] } = options;
  for (const group of [options, options.time, options.count, options.rent])
    checkNumbers(group ?? {});
  checkNumbers(options.experimental_cacheEdits ?? {});
  if (!PRESETS.includes(preset)) {
    throw new TypeError(`Expected \`preset\` to be 'rent' or 'classic', got \`${preset}\`.`);
  }
  const unknown = mechanisms.find((mechanism) => !MECHANISMS.includes(mechanism));
  if (unknown !== undefined) {
    throw new TypeError(
      `Expected \`mechanisms\` to hold 'time', 'count' or 'rent', got \`${unknown}\`.`,
    );
  }
}

const NUMBERS = [
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
];

function checkNumbers(group: object): void {
  for (const [name, value] of Object.entries(group)) {
    if (!NUMBERS.includes(name) || value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new RangeError(`Expected \`${name}\` to be a number from 0 up, got \`${value}\`.`);
    }
  }
}
