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
  const stems = new Map<string, number>();
  const seen = createHashTable();
  /** Room that is used for each text. */
  let read = new Int32Array(1 << 14);
  let times = new Int32Array(1 << 10);
  let places = new Int32Array(1 << 14);
  const others = new Map<string, readonly number[]>();

  /** Undefined for a word that says nothing. */
  function numberOf(word: string): number | undefined {
    const isShort = word.length < 2 && !/\p{N}/u.test(word);
    if (isShort || STOP_WORDS.has(word)) return undefined;
    return numberOfStem(cutSuffix(word));
  }

  function numberOfStem(stem: string): number {
    const next = stems.size;
    const found = stems.get(stem) ?? next;
    if (found === next) stems.set(stem, next);
    return found;
  }

  /** Of a run with other letters than ASCII. */
  function readOther(run: string): readonly number[] {
    const known = others.get(run);
    if (known !== undefined) return known;
    const found: number[] = [];
    const text = run.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss');
    for (const [word] of text.matchAll(WORDS)) {
      if (JOINED.test(word)) {
        for (const pair of pairsOf(word)) found.push(numberOfStem(pair));
        continue;
      }
      const stem = numberOf(word);
      if (stem !== undefined) found.push(stem);
    }
    if (run.length <= MOST_KEPT_CHARS) others.set(run, found);
    return found;
  }

  /**
   * Nearly all letters of most texts are ASCII: their words are looked up by a hash that is made while they are read, and no
   * text is cut out of the whole but for a new one. Dashes, arrows and signs end a word as blanks do. Returns how many stems
   * stand in `read`.
   */
  function readStems(text: string): number {
    if (read.length <= text.length) read = new Int32Array(text.length * 2);
    let found = 0;
    let start = -1;
    let first = FIRST;
    let second = SECOND;
    let isAscii = true;
    for (let at = 0; at <= text.length; at++) {
      let code = text.charCodeAt(at) | 0; // behind the end NaN, which ends a word
      if (code < 128 ? ASCII_WORD[code] === 1 : !isSign(code)) {
        if (start < 0) start = at;
        if (code >= 128) isAscii = false;
        else if (code < 91 && code > 64) code += 32; // upper case
        first = Math.imul(first ^ code, 0x01000193);
        second = (Math.imul(second, 33) + code) | 0;
      } else if (start >= 0) {
        if (isAscii) {
          let stem = seen.find(first, second);
          if (stem === UNSEEN) {
            stem = numberOf(text.slice(start, at).toLowerCase()) ?? NOTHING;
            seen.add(first, second, stem);
          }
          if (stem >= 0) read[found++] = stem;
        } else for (const stem of readOther(text.slice(start, at))) read[found++] = stem;
        start = -1;
        first = FIRST;
        second = SECOND;
        isAscii = true;
      }
    }
    return found;
  }

  function count(text: string): Counts {
    const length = readStems(text);
    if (places.length < stems.size) places = new Int32Array(stems.size * 2);
    let different = 0;
    for (let at = 0; at < length; at++) {
      const stem = read[at] as number;
      // Where the stem stands among those of this text, if what is noted is of this text.
      const place = places[stem] as number;
      if (place < different && read[place] === stem) times[place] = (times[place] as number) + 1;
      else {
        if (times.length <= different) times = grown(times);
        places[stem] = different;
        read[different] = stem; // behind what is still to be read
        times[different++] = 1;
      }
    }
    return { stems: read.slice(0, different), times: times.slice(0, different) };
  }

  const stemsOf = (text: string): readonly number[] => [...read.subarray(0, readStems(text))];

  return { stemsOf, count, size: () => stems.size };
}

/** Longer runs do not come twice. */
const MOST_KEPT_CHARS = 40;

/** What the two hashes of a word begin with. */
const FIRST = 0x811c9dc5;
const SECOND = 5_381;

const JOINED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u;
const WORDS = /[\p{L}\p{N}]+/gu;

function* pairsOf(word: string): Generator<string> {
  if (word.length === 1) yield word;
  for (let at = 0; at + 1 < word.length; at++) yield word.slice(at, at + 2);
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

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** General punctuation, arrows, technical signs, boxes and symbols. */
const isSign = (code: number): boolean =>
  (code >= 0x2010 && code <= 0x205e) ||
  (code >= 0x2190 && code <= 0x23ff) ||
  (code >= 0x2500 && code <= 0x2bff);

const grown = (numbers: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
};

/** Values that are no numbers of stems. */
const UNSEEN = -1;
const NOTHING = -2;

/** Numbers by two hashes of a word; 64 bits tell the words of any folder apart. Three numbers lie beside each other for each. */
function createHashTable() {
  let mask = (1 << 14) - 1;
  let used = 0;
  let table = newTable();

  function newTable(): Int32Array {
    return new Int32Array(3 * (mask + 1)).fill(UNSEEN);
  }

  /** Where the word stands, or the free place for it. */
  function placeOf(first: number, second: number): number {
    let slot = (first ^ (first >>> 15)) & mask;
    for (;;) {
      const at = slot * 3;
      if (table[at] === UNSEEN || (table[at + 1] === first && table[at + 2] === second)) return at;
      slot = (slot + 1) & mask;
    }
  }

  function put(first: number, second: number, value: number): void {
    const at = placeOf(first, second);
    table[at] = value;
    table[at + 1] = first;
    table[at + 2] = second;
  }

  return {
    find: (first: number, second: number): number => table[placeOf(first, second)] as number,
    add(first: number, second: number, value: number): void {
      put(first, second, value);
      if (++used * 2 <= mask) return;
      const old = table;
      mask = mask * 2 + 1;
      table = newTable();
      for (let at = 0; at < old.length; at += 3) {
        if (old[at] !== UNSEEN)
          put(old[at + 1] as number, old[at + 2] as number, old[at] as number);
      }
    },
  };
}
