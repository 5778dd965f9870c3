import { checkText } from '../check-text.ts';
/** Words that deny what a statement says; two of them deny nothing. */
export const NEGATIONS: RegExp =
  /\b(?:not|no|never|without|stop|stopped|avoid|disabled?|off|isn't|don't|doesn't|won't|can't|cannot|nicht|kein\w*|nie|pas|jamais|nunca)\b|ない|ません|禁止|不|没|안 |않/giu;

/** Whether a statement denies something. */
export function isDenied(statement: string): boolean {
  checkText('statement', statement);
  const plain = statement.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  return (plain.match(NEGATIONS)?.length ?? 0) % 2 === 1;
}

/**
 * Whether a statement puts another one right: it is about the same, word for word, and says the opposite (`is allowed`, `is not
 * allowed`; `before`, `after`) or gives one other number. What only resembles another statement, or adds to it, corrects nothing.
 */
export function corrects(statement: string, earlier: string): boolean {
  checkText('statement', statement);
  checkText('earlier', earlier);
  const [one, other] = [takeApart(statement), takeApart(earlier)];
  const isAboutTheSame = one.words.size > 0 && isEqual(one.words, other.words);
  if (!isAboutTheSame) return false;
  if (one.values.length !== other.values.length) return false;
  const changed = one.values.filter((value, at) => value !== other.values[at]).length;
  const isDenied = one.isDenied !== other.isDenied;
  const isOpposed = one.sides.some((side) => other.sides.includes(opposite(side)));
  // Both at once is another statement, e.g. of another version.
  return changed === 0 ? isDenied || isOpposed : changed === 1 && !isDenied && !isOpposed;
}

interface Taken {
  /** What it is about. */
  readonly words: ReadonlySet<string>;
  /** Numbers in order. */
  readonly values: readonly string[];
  /** Words with an opposite. */
  readonly sides: readonly string[];
  readonly isDenied: boolean;
}

const PAIRS: readonly (readonly [string, string])[] = [
  ['enabled', 'disabled'],
  ['enable', 'disable'],
  ['before', 'after'],
  ['always', 'never'],
  ['allowed', 'forbidden'],
  ['on', 'off'],
  ['with', 'without'],
  ['required', 'optional'],
  ['include', 'exclude'],
  ['start', 'stop'],
  ['up', 'down'],
  ['true', 'false'],
  ['vor', 'nach'],
  ['immer', 'nie'],
  ['erlaubt', 'verboten'],
  ['avant', 'après'],
];
const OPPOSITES: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);
const opposite = (side: string): string => OPPOSITES.get(side) ?? '';

/** Words that a statement about the same may have or not. */
const LIGHT = new Set(
  'a an the is are was were be been do does did has have had to of in at by for it its this that now we you i our your use uses used using usage must should shall will would can could may from instead again still longer more any der die das ist sind wird werden ein eine le la les est un une'.split(
    ' ',
  ),
);

function takeApart(statement: string): Taken {
  const text = statement.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  const words = new Set<string>();
  const sides: string[] = [];
  for (const [word] of text.replace(NEGATIONS, ' ').replace(JAPANESE_END, '').matchAll(WORD)) {
    if (OPPOSITES.has(word)) sides.push(word);
    else if (!LIGHT.has(word)) words.add(stemOf(word));
  }
  // The negations among them have a side as well: `never` is the opposite of `always`.
  for (const [word] of text.matchAll(NEGATIONS)) if (OPPOSITES.has(word)) sides.push(word);
  return { words, values: text.match(VALUE) ?? [], sides, isDenied: isDenied(statement) };
}

const VALUE = /(?<![\p{L}\p{N}])v?\d[\d.,:/-]*\d|(?<![\p{L}\p{N}])v?\d(?![\p{L}\p{N}])/gu;
/** Words without digits; those with one are values, or stand with their digits for what they name. */
const WORD = /(?<![\p{L}\p{N}])(?!v?\d[\d.,:/-]*(?![\p{L}\p{N}]))[\p{L}\p{N}']+/gu;
/** How a Japanese or Korean statement ends, affirmed or denied. */
const JAPANESE_END = /(?:い|る|いる|ます|います|です|だ|いま|는다|지|다)(?=\s|[。．.!！]|$)/gu;

const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ing|ed|es|s|d)$/, '') : word;

const isEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((word) => other.has(word));
