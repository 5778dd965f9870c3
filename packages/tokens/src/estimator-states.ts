import { CHAR_CLASSES, LATIN_CLASSES } from './char-class.ts';
import { SCRIPTS } from './char-class-scripts.ts';

// A state says what a tokenizer would have seen just before a character: how long the word, number or row of signs is by
// now, and whether letters and digits mix in it the way they do in hashes, ids and base64 but not in words.

type Run =
  | 'newline'
  | 'space'
  | 'control'
  | 'lower'
  | 'mixed-lower'
  | 'upper'
  | 'mixed-upper'
  | 'digit'
  | 'mixed-digit'
  | 'sign';

/** Runs are told apart up to these lengths; digits are counted in threes. */
const LONGEST: Readonly<Record<Run, number>> = {
  newline: 2,
  space: 2,
  control: 1,
  lower: 8,
  'mixed-lower': 4,
  upper: 4,
  'mixed-upper': 3,
  digit: 3,
  'mixed-digit': 3,
  sign: 4,
};

const runStates = Object.entries(LONGEST).flatMap(([run, longest]) =>
  Array.from({ length: longest }, (_, index) => `${run}-${index + 1}`),
);

/** Every state; a text starts in the first. */
export const STATES: readonly string[] = [...runStates, ...SCRIPTS.map((script) => script.name)];

/** The state after a character of class `charClass`. */
export function nextState(state: string, charClass: string): string {
  const { run, length } = parse(state);
  switch (charClass) {
    case 'space':
    case 'newline':
    case 'control':
      return grown(charClass, run === charClass ? length : 0);
    case 'lower':
    case 'accented':
      return afterLower(run, length);
    case 'upper':
      return afterUpper(run, length);
    case 'digit':
      return afterDigit(run, length);
    case 'low-surrogate':
      return run === 'emoji' || run === 'astral' ? state : charClass;
    default:
      if (!isLatin(charClass)) return charClass;
      return grown('sign', run === 'sign' ? length : 0);
  }
}

function parse(state: string): { readonly run: string; readonly length: number } {
  const match = /^(.*)-(\d)$/.exec(state);
  return match === null
    ? { run: state, length: 0 }
    : { run: match[1] as string, length: Number(match[2]) };
}

const grown = (run: Run, length: number): string => `${run}-${Math.min(length + 1, LONGEST[run])}`;

// A run of small letters that has grown this long is a word again, whatever came before it.
const WORD_LENGTH = 5;

function afterLower(run: string, length: number): string {
  if (run === 'lower') return grown('lower', length);
  if (run === 'upper') return grown('lower', Math.min(length, WORD_LENGTH - 1));
  if (run === 'digit' || run === 'mixed-digit') return 'mixed-lower-1';
  if (run === 'mixed-upper') return grown('mixed-lower', length);
  if (run !== 'mixed-lower') return 'lower-1';
  return length + 1 >= WORD_LENGTH ? `lower-${WORD_LENGTH}` : grown('mixed-lower', length);
}

// A capital after one or two small letters is rare in names and common in base64.
const SHORT_PART = 2;

function afterUpper(run: string, length: number): string {
  if (run === 'upper' || run === 'mixed-upper') return grown(run, length);
  if (run === 'digit' || run === 'mixed-digit' || run === 'mixed-lower') return 'mixed-upper-1';
  return run === 'lower' && length <= SHORT_PART ? 'mixed-upper-1' : 'upper-1';
}

function afterDigit(run: string, length: number): string {
  if (run === 'digit' || run === 'mixed-digit') return `${run}-${(length % LONGEST.digit) + 1}`;
  return /lower|upper/.test(run) ? 'mixed-digit-1' : 'digit-1';
}

const isLatin = (charClass: string): boolean =>
  (LATIN_CLASSES as readonly string[]).includes(charClass);

/** Index of the state that follows, for each state and character class. */
export const createTransitions = (): number[][] =>
  STATES.map((state) => CHAR_CLASSES.map((name) => STATES.indexOf(nextState(state, name))));
