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

/** A run, or a script, and how long it is by now. */
export interface State {
  readonly run: string;
  readonly length: number;
}

const runStates: State[] = Object.entries(LONGEST).flatMap(([run, longest]) =>
  Array.from({ length: longest }, (_, index) => ({ run, length: index + 1 })),
);

const scriptStates: State[] = SCRIPTS.flatMap(({ name, weights }) =>
  weights.map((_, index) => ({ run: name, length: index + 1 })),
);

/** Every state; a text starts in the first. */
export const STATES: readonly State[] = [...runStates, ...scriptStates];

/** The state after a character of class `charClass`. */
export function nextState(state: State, charClass: string): State {
  const { run, length } = state;
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
      return PAIR_STARTS.has(run) ? state : { run: charClass, length: 1 };
    default:
      return LATIN.has(charClass)
        ? grown('sign', run === 'sign' ? length : 0)
        : afterScript(state, charClass);
  }
}

const LATIN: ReadonlySet<string> = new Set(LATIN_CLASSES);

/** Classes of code units that a low surrogate completes; they pay for both. */
export const PAIR_STARTS: ReadonlySet<string> = new Set(['emoji', 'astral']);

const LONGEST_IN_SCRIPT = new Map(SCRIPTS.map(({ name, weights }) => [name, weights.length]));

function afterScript({ run, length }: State, script: string): State {
  const longest = LONGEST_IN_SCRIPT.get(script) ?? 1;
  return { run: script, length: run === script ? Math.min(length + 1, longest) : 1 };
}

const grown = (run: Run, length: number): State => ({
  run,
  length: Math.min(length + 1, LONGEST[run]),
});

// A run of small letters that has grown this long is a word again, whatever came before it.
const WORD_LENGTH = 5;

function afterLower(run: string, length: number): State {
  if (run === 'lower') return grown('lower', length);
  if (run === 'upper') return grown('lower', Math.min(length, WORD_LENGTH - 1));
  if (run === 'digit' || run === 'mixed-digit') return grown('mixed-lower', 0);
  if (run === 'mixed-upper') return grown('mixed-lower', length);
  if (run !== 'mixed-lower') return grown('lower', 0);
  return length + 1 >= WORD_LENGTH ? grown('lower', length) : grown('mixed-lower', length);
}

// A capital after one or two small letters is rare in names and common in base64.
const SHORT_PART = 2;

function afterUpper(run: string, length: number): State {
  if (run === 'upper' || run === 'mixed-upper') return grown(run, length);
  const mixes = run === 'digit' || run === 'mixed-digit' || run === 'mixed-lower';
  return mixes || (run === 'lower' && length <= SHORT_PART)
    ? grown('mixed-upper', 0)
    : grown('upper', 0);
}

const LETTERS: ReadonlySet<string> = new Set(['lower', 'upper', 'mixed-lower', 'mixed-upper']);

function afterDigit(run: string, length: number): State {
  if (run === 'digit' || run === 'mixed-digit') return grown(run, length % LONGEST.digit);
  return grown(LETTERS.has(run) ? 'mixed-digit' : 'digit', 0);
}

/** Index into `STATES` of the state that follows, for each state and character class. */
export function createTransitions(): number[][] {
  const keyOf = ({ run, length }: State) => `${run}-${length}`;
  const indices = new Map(STATES.map((state, index) => [keyOf(state), index]));
  return STATES.map((state) =>
    CHAR_CLASSES.map((name) => indices.get(keyOf(nextState(state, name))) as number),
  );
}
