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

const hasWord = (plain: string, word: string): boolean => patternOf(word).test(plain);

const patterns = new Map<string, RegExp>();

function patternOf(word: string): RegExp {
  const known = patterns.get(word);
  if (known !== undefined) return known;
  const isOpen = word.endsWith('*');
  const plain = plainText(isOpen ? word.slice(0, -1) : word).trim();
  const source = plain
    .split(' ')
    .map((part) => part.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&'))
    .join('\\s+');
  const before = SOUNDED.test(plain.slice(0, 2)) ? `(?<!${SOUND})` : '';
  const after = !isOpen && SOUNDED_END.test(plain) ? `(?!${SOUND})` : '';
  const pattern = new RegExp(`${before}${source}${after}`, 'v');
  patterns.set(word, pattern);
  return pattern;
}

/** Letters and digits of scripts that put white space between words. */
const SOUND =
  '[[\\p{L}\\p{N}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]]';
const SOUNDED = new RegExp(`^${SOUND}`, 'v');
const SOUNDED_END = new RegExp(`${SOUND}$`, 'v');

/** One form of each letter, in lower case, without emphasis and with single spaces. */
const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[‐‑–—]/g, '-')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ');
