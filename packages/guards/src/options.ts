import { isRecord } from './fields.ts';

/** What an option has to be, and how to say so. */
export interface Expectation {
  /** Completes "Expected `name` to be …", e.g. `a positive integer`. */
  readonly what: string;
  readonly fits: (value: unknown) => boolean;
  /** `RangeError` where the kind is right and the value is not; the default is `TypeError`. */
  readonly error?: typeof RangeError | undefined;
  /** Whether the message may quote a text. Only for words of a fixed list: another text may be private. @default false */
  readonly quotes?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
}

/**
 * The words for a kind of value, which are those of the message as well; the words that it may be one of; or an expectation of one's
 * own.
 */
type Expected = keyof typeof KINDS | readonly string[] | Expectation;

const isString = (value: unknown): boolean => typeof value === 'string';

const KINDS = {
  'a function': (value) => typeof value === 'function',
  'a list': Array.isArray,
  'a list of texts': (value) => Array.isArray(value) && value.every(isString),
  /** Also an empty one. */
  'a text': isString,
  'a text that is not blank': (value) => typeof value === 'string' && value.trim() !== '',
  /** What a call can be aborted with; the `AbortController` that it is of is none. */
  'an AbortSignal': (value) =>
    isRecord(value) &&
    typeof value.aborted === 'boolean' &&
    typeof value.throwIfAborted === 'function' &&
    typeof value.addEventListener === 'function',
  'an object': isRecord,
  'true or false': (value) => typeof value === 'boolean',
} as const satisfies Readonly<Record<string, (value: unknown) => boolean>>;

function ruleOf(expectation: Expected): Expectation {
  if (typeof expectation === 'string') return { what: expectation, fits: KINDS[expectation] };
  return isList(expectation) ? oneOf(expectation) : expectation;
}

const isRequired = (expectation: Expected): boolean =>
  typeof expectation === 'object' && 'isRequired' in expectation && expectation.isRequired === true;

const isList = (expectation: readonly string[] | object): expectation is readonly string[] =>
  Array.isArray(expectation);

const oneOf = (words: readonly string[]): Expectation => ({
  what: `one of ${words.map((word) => `'${word}'`).join(', ')}`,
  fits: (value) => typeof value === 'string' && words.includes(value),
  quotes: true,
});

/**
 * Refuses options that are not what they have to be, with one wording:
 * ``Expected `keepTokens` to be a non-negative integer, got `-1` ``. An option that is left out or undefined passes unless
 * it is `required`. `path` is written before the names, for options inside of others.
 *
 * @throws RangeError for what has to be a number; TypeError for everything else, options that are no object included.
 */
export function checkOptions<Options extends object>(
  options: Options,
  expectations: { readonly [Name in keyof Options]?: Expected },
  path = '',
): void {
  if (!isRecord(options)) throw expected(path || 'options', 'an object', options);
  for (const name of Object.keys(expectations)) {
    const expectation = (expectations as Record<string, Expected>)[name] as Expected;
    const value = options[name];
    if (value === undefined && !isRequired(expectation)) continue;
    const rule = ruleOf(expectation);
    if (!rule.fits(value)) throw expected(path === '' ? name : `${path}.${name}`, rule, value);
  }
}

/** The error for a value that does not fit. It quotes numbers and the like, never a text or an object. */
export function expected(
  name: string,
  expectation: Expected | Omit<Expectation, 'fits'>,
  got: unknown,
): TypeError | RangeError {
  const rule = isRule(expectation) ? expectation : ruleOf(expectation);
  const { what, error = TypeError, quotes = false } = rule;
  return new error(`Expected \`${name}\` to be ${what}, got \`${shown(got, quotes)}\``);
}

const isRule = (given: Expected | Omit<Expectation, 'fits'>): given is Omit<Expectation, 'fits'> =>
  isRecord(given);

/** An expectation that an option left out does not meet. */
export const required = (expectation: Expected): Expectation => ({
  ...ruleOf(expectation),
  isRequired: true,
});

export function integer(min: number, max = Number.POSITIVE_INFINITY): Expectation {
  return {
    what: integerWords(min, max),
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    error: RangeError,
  };
}

/** Bounds of a number; `min` and `max` belong to the range, `above` and `below` do not. */
export interface NumberBounds {
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
  readonly below?: number;
}

/** A number within bounds. Infinity is one, NaN is none. */
export function number(bounds: NumberBounds = {}): Expectation {
  const { min = -Infinity, above = -Infinity, max = Infinity, below = Infinity } = bounds;
  const isWithin = (value: number) =>
    value >= min &&
    value <= max &&
    (bounds.above === undefined || value > above) &&
    (bounds.below === undefined || value < below);
  return {
    what: numberWords(bounds),
    fits: (value) => typeof value === 'number' && isWithin(value),
    error: RangeError,
  };
}

function integerWords(min: number, max: number): string {
  if (max !== Number.POSITIVE_INFINITY) return `an integer from ${min} to ${max}`;
  if (min === 0) return 'a non-negative integer';
  return min === 1 ? 'a positive integer' : `an integer from ${min} up`;
}

function numberWords({ min, above, max, below }: NumberBounds): string {
  const to = max ?? below;
  if (to === undefined) {
    if (min === 0) return 'a non-negative number';
    if (above === 0) return 'a positive number';
  }
  const lower = above === undefined ? min !== undefined && `from ${min}` : `above ${above}`;
  const upper = to !== undefined && `${max === undefined ? 'below' : 'at most'} ${to}`;
  return `a number ${[lower, upper].filter(Boolean).join(' and ')}`.trim();
}

const LONGEST_QUOTE = 40;

function shown(value: unknown, quotes: boolean): string {
  if (value === '') return "''";
  if (typeof value === 'string') return quotes ? value.slice(0, LONGEST_QUOTE) : 'string';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'function' || (typeof value === 'object' && value !== null)) {
    return typeof value;
  }
  return String(value);
}
