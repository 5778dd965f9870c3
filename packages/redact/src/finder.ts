/** A word that stands in a text: its number in the list, and where it begins. */
export type OnWord = (word: number, start: number) => void;

/**
 * Finds all of many words in one pass over a text, whatever their case, in the order in which they stand there. A blank in a word
 * is any one white space. Some rare characters count as the same one, so a word too many may be found, and none is missed.
 *
 * At most places of a text no word begins, as three characters show; at the others the words are read.
 */
export function wordFinder(given: readonly string[]): (text: string, onWord: OnWord) => void {
  const words = given.map((word) => word.toLowerCase());
  const classes = classesOf(words);
  const beginnings = beginningsOf(words, classes);
  const { next, endings } = treeOf(words, classes);
  const readAt = (text: string, start: number, onWord: OnWord): void => {
    let node = 0;
    for (let at = start; at < text.length; at++) {
      node = next[(node << BITS) | (classes[text.charCodeAt(at)] as number)] as number;
      if (node === 0) return;
      for (const word of endings[node] as number[]) onWord(word, start);
    }
  };
  return (text, onWord) => {
    const { length } = text;
    let last = 0;
    for (let at = 0; at < length; at++) {
      last = withNext(last, classes[text.charCodeAt(at)] as number);
      if (((beginnings[last >> 3] as number) & (1 << (last & 7))) !== 0 && at >= 2)
        readAt(text, at - 2, onWord);
    }
    for (let at = Math.max(0, length - 2); at < length; at++) readAt(text, at, onWord);
  };
}

/** A node has a row of 128 characters. */
const BITS = 7;
const MOST_CLASSES = 1 << BITS;

/** The last three characters as one number of 18 bits; some of them share theirs. */
const withNext = (last: number, character: number): number =>
  ((last << 6) ^ character) & (THREE - 1);
const THREE = 1 << 18;

/** A bit for each three characters that a word may begin with, whatever follows a shorter one. */
function beginningsOf(words: readonly string[], classes: Uint8Array): Uint8Array {
  const bits = new Uint8Array(THREE >> 3);
  const add = (last: number, left: number): void => {
    if (left === 0) bits[last >> 3] = (bits[last >> 3] as number) | (1 << (last & 7));
    else for (let any = 0; any < MOST_CLASSES; any++) add(withNext(last, any), left - 1);
  };
  for (const word of words) {
    const first = [...word.slice(0, 3)].map((each) => classes[each.charCodeAt(0)] as number);
    add(first.reduce(withNext, 0), 3 - first.length);
  }
  return bits;
}

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

/** What each node leads to, 0 for nothing, and the words that end there. */
function treeOf(words: readonly string[], classes: Uint8Array) {
  const most = words.reduce((sum, { length }) => sum + length, 1);
  const next = new Uint16Array(most << BITS);
  const endings: number[][] = [[]];
  for (const [number, word] of words.entries()) {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      const place = (node << BITS) | (classes[word.charCodeAt(at)] as number);
      if (next[place] === 0) next[place] = endings.push([]) - 1;
      node = next[place] as number;
    }
    endings[node]?.push(number);
  }
  return { next: next.slice(0, endings.length << BITS), endings };
}
