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

interface Node {
  readonly children: Map<number, Node>;
  /** The words that end here, those of its longest suffix included once it has its row. */
  readonly words: Set<number>;
  state: number;
}

const newNode = (): Node => ({ children: new Map(), words: new Set(), state: 0 });

/** States are numbered by the length of what they stand for: those of one and two characters are asked for most, and lie together. */
function automatonOf(words: readonly string[], classes: Uint8Array) {
  const nodes = inWidth(trieOf(words, classes));
  for (const [state, node] of nodes.entries()) node.state = state;
  const next = new Uint16Array(nodes.length << BITS);
  const suffixes = new Uint16Array(nodes.length);
  for (const { state, children, words: endings } of nodes) {
    const suffix = suffixes[state] as number;
    for (const word of nodes[suffix]?.words ?? []) endings.add(word);
    const [row, from] = [state << BITS, suffix << BITS];
    if (state > 0) next.copyWithin(row, from, from + MOST_CLASSES);
    for (const [number, child] of children) {
      suffixes[child.state] = next[row | number] as number; // what its row says so far is where its suffix leads
      next[row | number] = child.state;
    }
  }
  const endings = nodes.map((node) => [...node.words]);
  const marks = Uint16Array.from(endings, (words) => (words.length > 0 ? HAS_WORDS : 0));
  for (let at = 0; at < next.length; at++) {
    const state = next[at] as number;
    next[at] = state | (marks[state] as number);
  }
  return { next, endings };
}

function trieOf(words: readonly string[], classes: Uint8Array): Node {
  const root = newNode();
  for (const [number, word] of words.entries()) {
    let node = root;
    for (let at = 0; at < word.length; at++) {
      const kind = classes[word.charCodeAt(at)] as number;
      const child = node.children.get(kind) ?? newNode();
      node.children.set(kind, child);
      node = child;
    }
    node.words.add(number);
  }
  return root;
}

function inWidth(root: Node): Node[] {
  const nodes = [root];
  for (const { children } of nodes) nodes.push(...children.values());
  return nodes;
}
