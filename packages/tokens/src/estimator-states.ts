import { LATIN_CLASSES, type LatinClass } from './char-class.ts';

// A state says what a tokenizer would have seen just before a character: how long the word, number or row of signs is by
// now, and whether letters and digits mix in it the way they do in hashes, ids and base64 but not in words.

export type Run =
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
  space: 8,
  control: 1,
  lower: 16,
  'mixed-lower': 4,
  upper: 8,
  'mixed-upper': 3,
  digit: 3,
  'mixed-digit': 3,
  sign: 8,
};

/** A run and how long it is by now. */
export interface State {
  readonly run: Run;
  readonly length: number;
}

/** Every state within Latin text; a text starts in the first. */
export const LATIN_STATES: readonly State[] = (Object.keys(LONGEST) as Run[]).flatMap((run) =>
  Array.from({ length: LONGEST[run] }, (_, index) => ({ run, length: index + 1 })),
);

const FIRST_INDEX: ReadonlyMap<Run, number> = new Map(
  LATIN_STATES.flatMap(({ run, length }, index) => (length === 1 ? [[run, index]] : [])),
);

/** Indices into `LATIN_STATES` of the states that follow one, or a script, in the order of `LATIN_CLASSES`. */
export const latinAfter = (state?: State): number[] =>
  LATIN_CLASSES.map((name) => {
    const { run, length } = nextState(state?.run, state?.length ?? 0, name);
    return (FIRST_INDEX.get(run) as number) + length - 1;
  });

function nextState(run: Run | undefined, length: number, charClass: LatinClass): State {
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
    default:
      return grown('sign', run === 'sign' ? length : 0);
  }
}

const grown = (run: Run, length: number): State => ({
  run,
  length: Math.min(length + 1, LONGEST[run]),
});

// A run of small letters that has grown this long is a word again, whatever came before it.
const WORD_LENGTH = 5;

function afterLower(run: Run | undefined, length: number): State {
  if (run === 'lower') return grown('lower', length);
  if (run === 'upper') return grown('lower', Math.min(length, WORD_LENGTH - 1));
  if (run === 'digit' || run === 'mixed-digit') return grown('mixed-lower', 0);
  if (run === 'mixed-upper') return grown('mixed-lower', length);
  if (run !== 'mixed-lower') return grown('lower', 0);
  return length + 1 >= WORD_LENGTH ? grown('lower', length) : grown('mixed-lower', length);
}

// A capital after one or two small letters is rare in names and common in base64.
const SHORT_PART = 2;

function afterUpper(run: Run | undefined, length: number): State {
  if (run === 'upper' || run === 'mixed-upper') return grown(run, length);
  const mixes = run === 'digit' || run === 'mixed-digit' || run === 'mixed-lower';
  return mixes || (run === 'lower' && length <= SHORT_PART)
    ? grown('mixed-upper', 0)
    : grown('upper', 0);
}

const LETTERS: ReadonlySet<Run | undefined> = new Set([
  'lower',
  'upper',
  'mixed-lower',
  'mixed-upper',
]);

function afterDigit(run: Run | undefined, length: number): State {
  if (run === 'digit' || run === 'mixed-digit') return grown(run, length % LONGEST.digit);
  return grown(LETTERS.has(run) ? 'mixed-digit' : 'digit', 0);
}
