import { foldText } from './fold.ts';

/** Words that say nothing about a subject. */
const STOP_WORDS = new Set(
  'a an the and or of to in on for with at by is are was were be been it its this that these those i me my we our you your he she they them his her their do does did done how what when where which who why can could should would will shall may might must not no yes from as if then than so but into out up about all any there here have has had just also more most very let us get make new use please'.split(
    ' ',
  ),
);

/**
 * Reads texts as numbers of stems: words that say something, without their endings. Written languages without blanks give pairs
 * of characters. It keeps what it learnt of each word, so a word costs something once.
 */
export interface WordReader {
  /** In order, repeated ones too. */
  stemsOf(text: string): readonly number[];
  /** Each stem of a text once, and how often it stands there. */
  count(text: string): Counts;
  /** How many stems there are; their numbers are below. */
  size(): number;
}

export interface Counts {
  readonly stems: Int32Array;
  readonly times: Int32Array;
}

export function createWordReader(): WordReader {
  const reader: Reader = {
    ...{ words: createHashTable(), stems: createHashTable(), size: 0, others: new Map() },
    bytes: new Uint8Array(1 << 16),
    ...{ read: new Int32Array(1 << 14), times: new Int32Array(1 << 14) },
    places: new Int32Array(1 << 14),
  };
  for (const word of STOP_WORDS) add(reader.words, hashesOf(word), NOTHING);
  return {
    stemsOf: (text) => [...reader.read.subarray(0, readStems(reader, text))],
    count: (text) => count(reader, text),
    size: () => reader.size,
  };
}

/** What is known of words, and room that is used for each text. Its functions stand outside, so that all readers share their code. */
interface Reader {
  /** Numbers by words and by stems: a word may look like the stem of another one, and have a stem of its own. */
  readonly words: HashTable;
  readonly stems: HashTable;
  /** How many stems there are. */
  size: number;
  /** Stems by runs of other letters than ASCII. */
  readonly others: Map<string, readonly number[]>;
  bytes: Uint8Array<ArrayBuffer>;
  read: Int32Array;
  times: Int32Array;
  places: Int32Array;
}

/**
 * Nearly all letters of most texts are ASCII: their words are looked up by a hash that is made while the bytes are read, and no
 * text is made of them but of a new one. Dashes, arrows and signs end a word as blanks do. Returns how many stems stand in
 * `read`.
 */
function readStems(reader: Reader, text: string): number {
  if (reader.bytes.length <= text.length * 3) reader.bytes = new Uint8Array(text.length * 4);
  const { bytes, words } = reader;
  const length = encoder.encodeInto(text, bytes).written;
  bytes[length] = 0; // ends the last word
  if (reader.read.length < length) reader.read = new Int32Array(length * 2);
  let { read } = reader;
  let found = 0;
  let at = 0;
  while (at < length) {
    let letter = LETTERS[bytes[at] as number] as number;
    if (letter === 0 || (letter === OTHER && isSign(bytes, at))) {
      at += letter === 0 ? 1 : 3;
      continue;
    }
    const start = at;
    let first = FIRST;
    let second = SECOND;
    let isAscii = true;
    do {
      if (letter !== OTHER) {
        first = Math.imul(first ^ letter, FIRST_STEP);
        second = Math.imul(second + letter, SECOND_STEP);
      } else if (isSign(bytes, at)) break;
      else isAscii = false;
      letter = LETTERS[bytes[++at] as number] as number;
    } while (letter !== 0);
    if (isAscii) {
      let stem = find(words, first, second);
      if (stem === UNSEEN) stem = learn(reader, { start, end: at, first, second });
      if (stem >= 0) read[found++] = stem;
    } else {
      const stems = readOther(reader, decoder.decode(bytes.subarray(start, at)));
      while (read.length < found + stems.length + length - at) read = reader.read = grown(read);
      for (const stem of stems) read[found++] = stem;
    }
  }
  return found;
}

function count(reader: Reader, text: string): Counts {
  const length = readStems(reader, text);
  if (reader.places.length < reader.size) reader.places = new Int32Array(reader.size * 2);
  if (reader.times.length < length) reader.times = new Int32Array(length * 2);
  const { read, places, times } = reader;
  let different = 0;
  for (let at = 0; at < length; at++) {
    const stem = read[at] as number;
    // Where the stem stands among those of this text, if what is noted is of this text.
    const place = places[stem] as number;
    if (place < different && read[place] === stem) times[place] = (times[place] as number) + 1;
    else {
      places[stem] = different;
      read[different] = stem; // behind what is still to be read
      times[different++] = 1;
    }
  }
  return { stems: read.slice(0, different), times: times.slice(0, different) };
}

interface NewWord extends Hashes {
  readonly start: number;
  readonly end: number;
}

/** Of a new word of ASCII; its hashes are those of its stem where no ending is cut. */
function learn(reader: Reader, word: NewWord): number {
  const { bytes, words } = reader;
  const { start, end } = word;
  let stem = NOTHING;
  if (end - start > 1 || (bytes[start] as number) < 58) {
    const mayEnd = end - start > 4 && MAY_END.has((bytes[end - 1] as number) | 32);
    const text = mayEnd ? decoder.decode(bytes.subarray(start, end)).toLowerCase() : '';
    const cut = cutSuffix(text);
    stem = numberOfStem(reader, cut === text ? word : hashesOf(cut));
  }
  add(words, word, stem);
  return stem;
}

function numberOfStem(reader: Reader, hashes: Hashes): number {
  const known = find(reader.stems, hashes.first, hashes.second);
  if (known !== UNSEEN) return known;
  add(reader.stems, hashes, reader.size);
  return reader.size++;
}

/** Of a run with other letters than ASCII. */
function readOther(reader: Reader, run: string): readonly number[] {
  const known = reader.others.get(run);
  if (known !== undefined) return known;
  const found: number[] = [];
  for (const word of wordsOf(run)) {
    if (isWithoutBlanks(word)) {
      for (const pair of pairsOf(word)) found.push(numberOfStem(reader, hashesOf(pair)));
    } else if ((word.length > 1 || /\p{N}/u.test(word)) && !STOP_WORDS.has(word))
      found.push(numberOfStem(reader, hashesOf(cutSuffix(word))));
  }
  if (run.length <= MOST_KEPT_CHARS) reader.others.set(run, found);
  return found;
}

/** General punctuation, arrows, technical signs, boxes and symbols: each of three bytes. */
function isSign(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0xe2) return false;
  const code = 0x2000 | (((bytes[at + 1] as number) & 63) << 6) | ((bytes[at + 2] as number) & 63);
  return (
    (code >= 0x2010 && code <= 0x205e) ||
    (code >= 0x2190 && code <= 0x23ff) ||
    (code >= 0x2500 && code <= 0x2bff)
  );
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A byte of a letter that is not ASCII. */
const OTHER = 255;

/** Longer runs do not come twice. */
const MOST_KEPT_CHARS = 40;

/** What the two hashes of a word begin with, and what they are multiplied with for each letter. */
const FIRST = 0x811c9dc5 | 0;
const FIRST_STEP = 0x01000193;
const SECOND = 5_381;
const SECOND_STEP = 33;

interface Hashes {
  readonly first: number;
  readonly second: number;
}

function hashesOf(word: string): Hashes {
  let first = FIRST;
  let second = SECOND;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    first = Math.imul(first ^ code, FIRST_STEP);
    second = Math.imul(second + code, SECOND_STEP);
  }
  return { first, second };
}

/** Scripts whose words no blank parts, and Korean, whose words have endings of all kinds. */
const JOINED = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const IS_JOINED = new RegExp(`^[${JOINED}]`, 'u');
/** Letters, digits and the marks on them; a word ends where such a script begins or ends. */
const WORDS = new RegExp(
  `(?=[\\p{L}\\p{N}])(?:(?:(?=[\\p{L}\\p{N}\\p{M}])[${JOINED}])+|(?:(?![${JOINED}])[\\p{L}\\p{N}\\p{M}])+)`,
  'gu',
);

/** The words of a text as they are compared. */
export const wordsOf = (text: string): readonly string[] => foldText(text).match(WORDS) ?? [];

export const isWithoutBlanks = (word: string): boolean => IS_JOINED.test(word);

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

function* pairsOf(word: string): Generator<string> {
  const characters = [...word];
  if (characters.length === 1) yield word;
  for (let at = 0; at + 1 < characters.length; at++) yield `${characters[at]}${characters[at + 1]}`;
}

const ENDINGS = /(?:ations?|ings?|ies|ied|ers?|ed|es|s|ly)$/;

/** Light: `building`, `builds` and `builder` are one, irregular forms are not. */
function cutSuffix(word: string): string {
  if (word.length <= 4 || !MAY_END.has(word.charCodeAt(word.length - 1))) return word;
  if (!/^[a-z]+$/.test(word)) return word;
  return word.replace(ENDINGS, (ending) => (ending === 'ies' || ending === 'ied' ? 'y' : ''));
}

/** Last letters of the endings. */
const MAY_END = new Set([...'nsgdry'].map((letter) => letter.charCodeAt(0)));

/** By bytes of UTF-8: letters in lower case and digits, 0 for what ends a word. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code > 127) return OTHER;
  return /[A-Za-z0-9]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

const grown = (numbers: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
};

/** Values that are no numbers of stems. */
const UNSEEN = -1;
const NOTHING = -2;

/** Numbers by two hashes of a word; 64 bits tell the words of any folder apart. */
interface HashTable {
  /** Three numbers beside each other for each word: its own, and its hashes. */
  slots: Int32Array;
  mask: number;
  used: number;
}

const createHashTable = (): HashTable => tableOf((1 << 14) - 1);

const tableOf = (mask: number): HashTable => ({
  slots: new Int32Array(3 * (mask + 1)).fill(UNSEEN),
  mask,
  used: 0,
});

/** Where the word stands, or the free place for it. */
function placeOf({ slots, mask }: HashTable, first: number, second: number): number {
  let slot = (first ^ (first >>> 15)) & mask;
  for (;;) {
    const at = slot * 3;
    if (slots[at] === UNSEEN || (slots[at + 1] === first && slots[at + 2] === second)) return at;
    slot = (slot + 1) & mask;
  }
}

const find = (table: HashTable, first: number, second: number): number =>
  table.slots[placeOf(table, first, second)] as number;

function add(table: HashTable, { first, second }: Hashes, value: number): void {
  put(table, first, second, value);
  if (table.used * 2 <= table.mask) return;
  const larger = tableOf(table.mask * 2 + 1);
  const { slots } = table;
  for (let at = 0; at < slots.length; at += 3) {
    if (slots[at] !== UNSEEN)
      put(larger, slots[at + 1] as number, slots[at + 2] as number, slots[at] as number);
  }
  Object.assign(table, larger);
}

function put(table: HashTable, first: number, second: number, value: number): void {
  const { slots } = table;
  const at = placeOf(table, first, second);
  slots[at] = value;
  slots[at + 1] = first;
  slots[at + 2] = second;
  table.used++;
}
