/** A word that stands in a text: its number in the list, and where it begins. */
export type OnWord = (word: number, start: number) => void;

/**
 * Finds all of many words in one pass over a text, whatever their case, by the automaton of Aho and Corasick. A blank in a
 * word is any one white space. Some rare characters count as the same one, so a word too many may be found, and none is missed.
 */
export function wordFinder(given: readonly string[]): (text: string, onWord: OnWord) => void {
  const words = given.map((word) => word.toLowerCase());
  const classes = classesOf(words);
  const { next, endings } = automatonOf(words, classes);
  return (text, onWord) => {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = next[(state << BITS) | (classes[text.charCodeAt(at)] as number)] as number;
      if ((state & HAS_WORDS) === 0) continue;
      state &= ~HAS_WORDS;
      for (const word of endings[state] as number[])
        onWord(word, at + 1 - (words[word] as string).length);
    }
  };
}

/** A state has a row of 128 characters. */
const BITS = 7;
const MOST_CLASSES = 1 << BITS;
/** A bit beside the number of a state in which words end. */
const HAS_WORDS = 0x8000;

/** The number of each character of the words, which is that of both its cases; 0 for all others. */
function classesOf(words: readonly string[]): Uint8Array {
  const classes = new Uint8Array(0x1_0000);
  const characters = [...new Set(words.join(''))].sort();
  const common = characters.filter((each) => each < '\u0080').length;
  for (const [index, character] of characters.entries()) {
    const number = index < common ? index + 1 : 1 + common + (index % (MOST_CLASSES - common - 1));
    for (const same of sameAs(character)) classes[same.charCodeAt(0)] = number;
  }
  return classes;
}

function sameAs(character: string): Iterable<string> {
  if (character === ' ') return BLANKS;
  return [character, character.toUpperCase(), ...(character === 'σ' ? 'ς' : '')];
}

/** All that `\s` is. */
const BLANKS =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * Word by word, one character of each at a time, so that states are numbered by the length of what they stand for: those of one
 * and two characters are asked for most, and lie together. A row holds where its longest suffix leads, and over that its own.
 */
function automatonOf(words: readonly string[], classes: Uint8Array) {
  const most = words.reduce((sum, { length }) => sum + length, 1);
  const next = new Uint16Array(most << BITS);
  const suffixes = new Uint16Array(most);
  const endings: number[][] = [[]];
  const stateOf = new Uint16Array(words.length);
  const longest = Math.max(0, ...words.map(({ length }) => length));
  for (let length = 0, first = 0; length <= longest; length++) {
    const after = endings.length;
    for (let state = Math.max(1, first); state < after; state++) {
      const from = (suffixes[state] as number) << BITS;
      next.copyWithin(state << BITS, from, from + MOST_CLASSES);
    }
    const leads: number[] = [];
    for (const [number, word] of words.entries()) {
      if (word.length <= length) continue;
      const place =
        ((stateOf[number] as number) << BITS) | (classes[word.charCodeAt(length)] as number);
      const known = (next[place] as number) & ~HAS_WORDS;
      const state = known >= after ? known : endings.length;
      if (state !== known) {
        suffixes[state] = length === 0 ? 0 : known;
        next[place] = state;
        endings.push([]);
        leads.push(place);
      }
      stateOf[number] = state;
      if (word.length === length + 1) endings[state]?.push(number);
    }
    for (const place of leads) {
      const state = next[place] as number;
      endings[state]?.push(...(endings[suffixes[state] as number] as number[]));
      if (endings[state]?.length) next[place] = state | HAS_WORDS;
    }
    first = after;
  }
  return { next, endings };
}
