/**
 * Finds phrases in a long text, each in about the time the phrase takes to read: words and marks are numbered once, and a
 * phrase is looked for where its rarest pair of words stands. Case, white space and the kind of quotation marks do not count.
 */
export interface Phrases {
  /** Whether the pieces stand in one text, in their order; marks at the ends of a piece do not count. */
  holds(pieces: readonly string[]): boolean;
  /** Where a phrase begins, at most `most` places. */
  places(phrase: string, most: number): readonly PhrasePlace[];
}

export interface PhrasePlace {
  /** Which of the texts. */
  readonly text: number;
  /** UTF-16 units from its beginning. */
  readonly offset: number;
}

/** Places that are tried for one phrase; a phrase whose every pair of words is more frequent says hardly anything. */
const MOST_TRIED = 2_000;
/** Texts are told apart by a mark that no phrase has. */
const BREAK = -1;

export function createPhrases(texts: readonly string[]): Phrases {
  const { numbers, words, offsets, textOf } = numberWords(texts);
  const singles = chainsOf(words, (at) => words[at] as number);
  // where two pairs have one key, the words themselves tell
  const base = numbers.size;
  const pairs = chainsOf(words, (at) => {
    const next = words[at + 1] ?? BREAK;
    return (words[at] as number) * base + next;
  });

  /** Numbers of the words of a phrase; undefined where one of them stands nowhere: it is read no further than to that. */
  const numbered = (phrase: string): readonly number[] | undefined => {
    const wanted: number[] = [];
    WORD.lastIndex = 0;
    for (let found = WORD.exec(phrase); found !== null; found = WORD.exec(phrase)) {
      const number = numbers.get(plainWord(found[0]));
      if (number === undefined) return undefined;
      wanted.push(number);
    }
    return wanted;
  };
  // its last word first: a long phrase of a text that repeats itself would be read from place to place up to the end of the text
  const startsAt = (wanted: readonly number[], at: number): boolean =>
    words[at + wanted.length - 1] === wanted.at(-1) &&
    wanted.every((word, index) => words[at + index] === word);
  /** Where the rarest part of a phrase stands, and how far behind the beginning of the phrase that is. */
  const rarest = (wanted: readonly number[]): { chain: Chain; behind: number } | undefined => {
    if (wanted.length === 1) {
      const chain = singles.of(wanted[0] as number);
      return chain && { chain, behind: 0 };
    }
    let best: { chain: Chain; behind: number } | undefined;
    for (let index = 0; index + 1 < wanted.length; index++) {
      const chain = pairs.of((wanted[index] as number) * base + (wanted[index + 1] as number));
      if (chain === undefined) return undefined;
      if (best === undefined || chain.count < best.chain.count) best = { chain, behind: index };
    }
    return best;
  };
  const find = (wanted: readonly number[], most: number): number[] => {
    const found: number[] = [];
    const best = rarest(wanted);
    if (best === undefined) return found;
    const { chain, behind } = best;
    let place = chain.first;
    for (let tried = 0; place >= 0 && tried < MOST_TRIED && found.length < most; tried++) {
      if (startsAt(wanted, place - behind)) found.push(place - behind);
      place = chain.next[place] as number;
    }
    return found;
  };
  /** Where in its text the rest of the pieces follows. */
  const follows = (rest: readonly (readonly number[])[], from: number): boolean => {
    let at = from;
    for (const piece of rest) {
      while (words[at] !== BREAK && !startsAt(piece, at)) at++;
      if (words[at] === BREAK) return false;
      at += piece.length;
    }
    return true;
  };

  return {
    holds(pieces) {
      const wanted: (readonly number[])[] = [];
      for (const piece of pieces) {
        const numbers = numbered(trimmed(piece));
        if (numbers === undefined) return false;
        if (numbers.length > 0) wanted.push(numbers);
      }
      const [first, ...rest] = wanted;
      if (first === undefined) return true;
      return find(first, MOST_GAPPED).some((at) => follows(rest, at + first.length));
    },
    places(phrase, most) {
      const wanted = numbered(phrase);
      if (wanted === undefined || wanted.length === 0) return [];
      return find(wanted, most).map((at) => ({
        text: textOf[at] as number,
        offset: offsets[at] as number,
      }));
    },
  };
}

/** Places from which the rest of a quote with gaps is looked for. */
const MOST_GAPPED = 20;

/** Scripts without spaces count sign by sign, like marks; others by letters and digits in a row. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`;
const WORD = new RegExp(
  String.raw`${SIGN}|(?:(?!${SIGN})[\p{L}\p{M}\p{N}_])+|[^\s\p{L}\p{M}\p{N}_]`,
  'gu',
);
const MARK = /[\s"'`.,;:!?…“”„‘’]/u;

/** A phrase without the white space and the marks that it begins and ends with. */
function trimmed(phrase: string): string {
  let [start, end] = [0, phrase.length];
  while (start < end && MARK.test(phrase[start] as string)) start++;
  while (end > start && MARK.test(phrase[end - 1] as string)) end--;
  return phrase.slice(start, end);
}

function plainWord(word: string): string {
  if (word === '“' || word === '”' || word === '„') return '"';
  return word === '‘' || word === '’' ? "'" : word.toLowerCase();
}

interface Numbered {
  readonly numbers: ReadonlyMap<string, number>;
  /** Of every word of every text, its number; a `BREAK` behind each text. */
  readonly words: Int32Array;
  readonly offsets: Int32Array;
  /** Of every word, the number of its text. */
  readonly textOf: Int32Array;
}

function numberWords(texts: readonly string[]): Numbered {
  const found = texts.map((text) => text.match(WORD) ?? []);
  let size = texts.length; // a `BREAK` behind each
  for (const { length } of found) size += length;
  const numbers = new Map<string, number>();
  const bySpelling = new Map<string, number>();
  const words = new Int32Array(size).fill(BREAK);
  const offsets = new Int32Array(size);
  const textOf = new Int32Array(size);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    let from = 0;
    for (const word of found[index] as readonly string[]) {
      // only white space stands between words
      const offset = text.indexOf(word, from);
      words[at] = numberOf(word, numbers, bySpelling);
      textOf[at] = index;
      offsets[at++] = offset;
      from = offset + word.length;
    }
    at++;
  }
  return { numbers, words, offsets, textOf };
}

/** Places of one word, or of one pair of words, in their order. */
interface Chain {
  readonly count: number;
  readonly first: number;
  /** The place behind a place; -1 behind the last. */
  readonly next: Int32Array;
}

/** Places by what stands there, in arrays of numbers only: a list for each key would cost the collector more than the text. */
function chainsOf(
  words: Int32Array,
  keyAt: (at: number) => number,
): { readonly of: (key: number) => Chain | undefined } {
  const ids = new Map<number, number>();
  const first = new Int32Array(words.length);
  const counts = new Int32Array(words.length);
  const next = new Int32Array(words.length).fill(-1);
  for (let at = words.length - 1; at >= 0; at--) {
    const key = keyAt(at);
    const known = ids.get(key);
    const id = known ?? ids.size;
    if (known === undefined) ids.set(key, id);
    else next[at] = first[id] as number;
    first[id] = at;
    counts[id] = (counts[id] as number) + 1;
  }
  return {
    of(key) {
      const id = ids.get(key);
      return id === undefined
        ? undefined
        : { count: counts[id] as number, first: first[id] as number, next };
    },
  };
}

function numberOf(
  spelling: string,
  numbers: Map<string, number>,
  bySpelling: Map<string, number>,
): number {
  const seen = bySpelling.get(spelling);
  if (seen !== undefined) return seen;
  const word = plainWord(spelling);
  const number = numbers.get(word) ?? numbers.size;
  numbers.set(word, number);
  bySpelling.set(spelling, number);
  return number;
}
