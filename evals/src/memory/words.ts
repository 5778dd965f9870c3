/**
 * Whether a statement holds what a chain looks for. This is the reader of the measurement alone: it takes nothing from the
 * packages whose memories it judges, neither code nor patterns.
 */

/** A list of groups; of each, one alternative has to be there. */
export type Words = readonly (readonly string[])[];

export interface Wanted {
  readonly words: Words;
  /** Alternatives of which none may be there. */
  readonly without?: readonly string[] | undefined;
}

/** Whether a text holds all groups together. */
export const holds = (text: string, { words, without = [] }: Wanted): boolean => {
  const plain = plainText(text);
  return (
    words.every((group) => group.some((word) => hasWord(plain, word))) &&
    !without.some((word) => hasWord(plain, word))
  );
};

/** Whether a text holds one of these alternatives. */
export const holdsAny = (text: string, words: readonly string[]): boolean => {
  const plain = plainText(text);
  return words.some((word) => hasWord(plain, word));
};

/** Characters of the shortest passage that holds all groups; undefined where the text does not hold them. */
export function spanOf(text: string, words: Words): number | undefined {
  const plain = plainText(text);
  const places = words
    .flatMap((group, at) =>
      group.flatMap((word) => placesOf(plain, word).map((place) => ({ ...place, group: at }))),
    )
    .sort((one, other) => one.from - other.from);
  const newest = new Map<number, { readonly from: number; readonly to: number }>();
  let shortest: number | undefined;
  for (const { group, ...place } of places) {
    newest.set(group, place);
    if (newest.size < words.length) continue;
    const held = [...newest.values()];
    const span = Math.max(...held.map(({ to }) => to)) - Math.min(...held.map(({ from }) => from));
    shortest = Math.min(shortest ?? span, span);
  }
  return shortest;
}

function placesOf(plain: string, word: string) {
  const { letters, pattern } = wordOf(word);
  if (!plain.includes(letters)) return [];
  return [...plain.matchAll(new RegExp(pattern(), 'gv'))].map(({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
  }));
}

/** A word is where its letters are, and stands by itself there; most are not, which the first look tells. */
function hasWord(plain: string, word: string): boolean {
  const { letters, pattern } = wordOf(word);
  return plain.includes(letters) && pattern().test(plain);
}

interface Word {
  /** As a plain text has it. */
  readonly letters: string;
  readonly pattern: () => RegExp;
}

const words = new Map<string, Word>();

function wordOf(word: string): Word {
  const known = words.get(word);
  if (known !== undefined) return known;
  const isOpen = word.endsWith('*');
  const letters = toPlain(isOpen ? word.slice(0, -1) : word).trim();
  let pattern: RegExp | undefined;
  const made = {
    letters,
    pattern() {
      pattern ??= patternOf(letters, isOpen);
      return pattern;
    },
  };
  words.set(word, made);
  return made;
}

function patternOf(letters: string, isOpen: boolean): RegExp {
  const source = letters.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&');
  const before = SOUNDED.test(letters.slice(0, 2)) ? `(?<!${SOUND})` : '';
  const after = !isOpen && SOUNDED_END.test(letters) ? `(?!${SOUND})` : '';
  return new RegExp(`${before}${source}${after}`, 'v');
}

/** Letters and digits of scripts that put white space between words. */
const SOUND =
  '[[\\p{L}\\p{N}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]]';
const SOUNDED = new RegExp(`^${SOUND}`, 'v');
const SOUNDED_END = new RegExp(`${SOUND}$`, 'v');

/** One form of each letter, in lower case, without emphasis and with single spaces. */
function plainText(text: string): string {
  if (text !== last.text) last = { text, plain: toPlain(text) };
  return last.plain;
}

/** The text that was read last: it is asked for one word after the other. */
let last = { text: '', plain: '' };

const toPlain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[‐‑–—]/g, '-')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ');
