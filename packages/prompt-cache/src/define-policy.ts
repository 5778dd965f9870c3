import { checkOptions, number, required } from '@varve/guards';
import { PromptCacheError } from './error.ts';
import type { CachePolicy, Lifetime } from './policy.ts';

/**
 * Checks a policy record of one's own and returns it. Throws `invalid-policy` with every contradiction found, since a
 * record that contradicts itself gives numbers that look right, and a `TypeError` or `RangeError` for what is no policy.
 */
export function definePolicy(policy: CachePolicy): CachePolicy {
  checkShape(policy);
  const problems = [
    ...rangeProblems(policy),
    ...lifetimeProblems(policy),
    ...markerProblems(policy),
  ];
  if (problems.length === 0) return policy;
  throw new PromptCacheError(
    'invalid-policy',
    `The policy \`${policy.name}\` contradicts itself: ${problems.join('; ')}.`,
  );
}

function checkShape(policy: CachePolicy): void {
  checkOptions<CachePolicy>(policy, A_POLICY, 'policy');
  const { lifetimes, lookback, invalidators } = policy;
  checkOptions<CachePolicy['lifetimes']>(lifetimes, LIFETIMES, 'policy.lifetimes');
  checkOptions<CachePolicy['lookback']>(lookback, LOOKBACK, 'policy.lookback');
  checkOptions<CachePolicy['invalidators']>(invalidators, INVALIDATORS, 'policy.invalidators');
}

const A_POLICY = {
  name: required('a text that is not blank'),
  provider: required('a text that is not blank'),
  tokenizer: required('a text that is not blank'),
  writes: required(['none', 'markers', 'everywhere']),
  maxMarkers: required(number()),
  markableBlocks: required('a list'),
  lookback: required('an object'),
  minimumTokens: required(number()),
  unitTokens: required(number()),
  lifetimes: required('an object'),
  defaultTtl: required(['5m', '1h']),
  readMultiplier: required(number()),
  invalidators: required('an object'),
} as const;
const LIFETIMES = { short: required('an object'), long: 'an object' } as const;
const LOOKBACK = { counts: required(['blocks', 'message-ends']) };
const INVALIDATORS = { params: required('a list'), serverToolTypes: required('a list') } as const;

function rangeProblems(policy: CachePolicy): string[] {
  const { minimumTokens, unitTokens, readMultiplier, lookback } = policy;
  return [
    ...unless(isCount(minimumTokens), `minimumTokens is ${minimumTokens}, expected 0 or more`),
    ...unless(
      isCount(unitTokens) && unitTokens > 0,
      `unitTokens is ${unitTokens}, expected 1 or more`,
    ),
    ...unless(readMultiplier >= 0, `readMultiplier is ${readMultiplier}, expected 0 or more`),
    ...unless(
      lookback.positions === null || (isCount(lookback.positions) && lookback.positions > 0),
      `lookback.positions is ${lookback.positions}, expected 1 or more, or null`,
    ),
  ];
}

function lifetimeProblems({ lifetimes, defaultTtl }: CachePolicy): string[] {
  const each = ({ name, ms, graceMs, writeMultiplier }: Lifetime) => [
    ...unless(ms === null || ms >= 0, `lifetime ${name} has ${ms} ms`),
    ...unless(graceMs >= 0, `lifetime ${name} has a grace of ${graceMs} ms`),
    ...unless(
      writeMultiplier === null || writeMultiplier >= 0,
      `lifetime ${name} has the write multiplier ${writeMultiplier}`,
    ),
  ];
  const { short, long } = lifetimes;
  return [
    ...each(short),
    ...(long ? each(long) : []),
    ...unless(
      defaultTtl === '5m' || long !== undefined,
      'defaultTtl is 1h without a long lifetime',
    ),
    ...unless(
      !long || (long.ms ?? Infinity) >= (short.ms ?? Infinity),
      'the long lifetime is shorter than the short one',
    ),
  ];
}

function markerProblems(policy: CachePolicy): string[] {
  if (policy.writes !== 'markers') {
    return unless(
      !policy.chargesWrites,
      'writes are charged without markers that say what is written',
    );
  }
  return [
    ...unless(isCount(policy.maxMarkers) && policy.maxMarkers > 0, 'maxMarkers is below 1'),
    ...unless(policy.markableBlocks.length > 0, 'no block can carry a marker'),
  ];
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

const unless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);
