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
  const numbers = new Map<string, number>();
  const words: number[] = [];
  const offsets: number[] = [];
  const textAt: number[] = [];
  for (const [number, text] of texts.entries()) {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      words.push(numberOf(numbers, plainWord(word)));
      offsets.push(index);
      textAt.push(number);
    }
    words.push(BREAK);
    offsets.push(text.length);
    textAt.push(number);
  }
  const singles = new Map<number, number[]>();
  const pairs = new Map<number, number[]>();
  const base = numbers.size + 1;
  for (let at = 0; at < words.length; at++) {
    const [word = BREAK, next = BREAK] = [words[at], words[at + 1]];
    if (word === BREAK) continue;
    push(singles, word, at);
    if (next !== BREAK) push(pairs, word * base + next, at);
  }

  /** Numbers of the words of a phrase; undefined where one of them stands nowhere. */
  const numbered = (phrase: string, trims: boolean): readonly number[] | undefined => {
    const found = phrase.match(WORD) ?? [];
    const own = (trims ? trimmed(found) : found).map(plainWord);
    const wanted = own.map((word) => numbers.get(word));
    return wanted.includes(undefined) ? undefined : (wanted as number[]);
  };
  const startsAt = (wanted: readonly number[], at: number): boolean =>
    wanted.every((word, index) => words[at + index] === word);
  /** Where the rarest part of a phrase stands, and how far behind the beginning of the phrase that is. */
  const rarest = (wanted: readonly number[]): { places: readonly number[]; behind: number } => {
    if (wanted.length === 1) return { places: singles.get(wanted[0] as number) ?? [], behind: 0 };
    let best: { places: readonly number[]; behind: number } | undefined;
    for (let index = 0; index + 1 < wanted.length; index++) {
      const places = pairs.get((wanted[index] as number) * base + (wanted[index + 1] as number));
      if (places === undefined) return { places: [], behind: 0 };
      if (best === undefined || places.length < best.places.length)
        best = { places, behind: index };
    }
    return best ?? { places: [], behind: 0 };
  };
  const find = (wanted: readonly number[], most: number): number[] => {
    const { places, behind } = rarest(wanted);
    const found: number[] = [];
    const end = Math.min(places.length, MOST_TRIED);
    for (let index = 0; index < end && found.length < most; index++) {
      const at = (places[index] as number) - behind;
      if (startsAt(wanted, at)) found.push(at);
    }
    return found;
  };
  /** Where in its text the rest of the pieces follows. */
  const follows = (rest: readonly (readonly number[])[], from: number): boolean => {
    let at = from;
    for (const piece of rest) {
      while (at < words.length && words[at] !== BREAK && !startsAt(piece, at)) at++;
      if (at >= words.length || words[at] === BREAK) return false;
      at += piece.length;
    }
    return true;
  };

  return {
    holds(pieces) {
      const wanted = pieces.map((piece) => numbered(piece, true));
      if (wanted.includes(undefined)) return false;
      const [first, ...rest] = (wanted as number[][]).filter((piece) => piece.length > 0);
      if (first === undefined) return true;
      if (rest.length === 0) return find(first, 1).length > 0;
      return find(first, MOST_GAPPED).some((at) => follows(rest, at + first.length));
    },
    places(phrase, most) {
      const wanted = numbered(phrase, false);
      if (wanted === undefined || wanted.length === 0) return [];
      return find(wanted, most).map((at) => ({
        text: textAt[at] as number,
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
const MARK = /^[\s"'`.,;:!?…“”„‘’]$/u;

function trimmed(words: readonly string[]): readonly string[] {
  let [start, end] = [0, words.length];
  while (start < end && MARK.test(words[start] ?? '')) start++;
  while (end > start && MARK.test(words[end - 1] ?? '')) end--;
  return words.slice(start, end);
}

function plainWord(word: string): string {
  if (word.length > 1) return word.toLowerCase();
  if (word === '“' || word === '”' || word === '„') return '"';
  return word === '‘' || word === '’' ? "'" : word.toLowerCase();
}

function numberOf(numbers: Map<string, number>, word: string): number {
  const known = numbers.get(word);
  if (known !== undefined) return known;
  numbers.set(word, numbers.size);
  return numbers.size - 1;
}

function push(places: Map<number, number[]>, key: number, at: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [at]);
  else known.push(at);
}
