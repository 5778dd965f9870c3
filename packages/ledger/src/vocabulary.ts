const MAX_NAME = 300;
const MAX_DEPTH = 20;

/** Which code-like names a session has ever shown. */
interface Vocabulary {
  /** O(length of the text). */
  add(text: string): void;
  has(name: string): boolean;
}

export function createVocabulary(): Vocabulary {
  /** Names, the shorter spellings of them, and their parts. */
  const known = new Set<string>();
  /** Names that are not in `known` yet: they are asked for once a compaction, and come with every message. */
  const unread: string[] = [];
  const seen = createSpellings();
  const readNew = (): void => {
    for (const found of unread.splice(0)) {
      const name = plainName(found);
      for (const part of partsOf(name)) known.add(part);
      known.add(name).add(name.replace(/^\//, '')).add(found);
    }
  };
  return {
    add(text) {
      eachCodeLike(text, (start, end, hash, other) => {
        // most names come again and again
        if (end - start <= MAX_NAME && seen.isNew(hash, other)) unread.push(text.slice(start, end));
      });
    },
    has(name) {
      readNew();
      const plain = plainName(name.replace(/\?.*$/, '')).replace(/^\//, '');
      if (
        known.has(plain) ||
        known.has(plain.replace(/s$/, '')) ||
        known.has(plain.replace(/^\.+/, ''))
      )
        return true;
      const cut = plain.lastIndexOf('/');
      return known.has(plain.slice(cut + 1)) && known.has(plain.slice(0, cut));
    },
  };
}

/**
 * The spellings that stood in a text, told apart by two hashes of their units: a known one costs neither a string nor a look at
 * one. Of a million names two are taken for one in fewer than one session in a million.
 */
function createSpellings() {
  /** Pairs of hashes, in the first free place from that of the first hash on; at most half of them are taken. */
  let pairs = new Int32Array(1 << 13);
  let count = 0;
  const take = (hash: number, other: number): boolean => {
    const last = pairs.length - 2;
    let at = (hash << 1) & last;
    for (; pairs[at] !== 0 || pairs[at + 1] !== 0; at = (at + 2) & last)
      if (pairs[at] === hash && pairs[at + 1] === other) return false;
    pairs[at] = hash;
    pairs[at + 1] = other;
    return true;
  };
  return {
    /** Whether it never stood in a text before; it has now. */
    isNew(hash: number, other: number): boolean {
      if (!take(hash, other)) return false;
      if (++count * 4 > pairs.length) {
        const before = pairs;
        pairs = new Int32Array(before.length * 2);
        for (let at = 0; at < before.length; at += 2)
          if (before[at] !== 0 || before[at + 1] !== 0)
            take(before[at] as number, before[at + 1] as number);
      }
      return true;
    },
  };
}

/** A path counts with its folders and with every end of it, a qualified name with its words: shorter spellings are known too. */
function partsOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '');
  const words = name.split(/[./:#$]+/).filter((word) => word.length > 2);
  if (parts.length > MAX_DEPTH) return words;
  const ends = parts.map((_, index) => parts.slice(index).join('/'));
  const starts = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return [...words, ...ends, ...starts];
}

/** A name without what a sentence or a listing puts around it. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\\/g, '/')
    .replace(/^(?:\.\/|[-+#$:]+(?=[./\p{L}\d])|\.{2,}(?=\p{L}))+/u, '')
    .replace(/(?::\d+)+:?$|[.:,#/-]+$/g, '');
}

/**
 * Shows each run of the characters that names are made of (letters, digits and `_@~./\\$#:+-`) that is code-like: of at least
 * three, with a slash, dot, underscore, hyphen or digit, or in camelCase. One pass over the units, by table where they are
 * ASCII: most words of a text are none.
 */
export function eachCodeLike(
  text: string,
  show: (start: number, end: number, hash: number, other: number) => void,
): void {
  const { length } = text;
  for (let at = 0; at < length; at++) {
    let unit = text.charCodeAt(at);
    let kind = unit < ASCII ? (KINDS[unit] as number) : wideKind(text, at, unit);
    if (kind === NO_NAME) continue;
    const start = at;
    let hash = 0;
    let other = 1;
    let marks = 0;
    let before = 0;
    do {
      // a capital behind a small letter marks as a sign does
      marks |= (kind & (CODE_MARK | WIDE)) | ((before << 1) & kind & UPPER);
      hash = Math.imul(hash ^ unit, HASH_PRIME);
      other = (Math.imul(other, OTHER_PRIME) + unit) | 0;
      before = kind & LOWER;
      if (++at >= length) break;
      unit = text.charCodeAt(at);
      kind = unit < ASCII ? (KINDS[unit] as number) : wideKind(text, at, unit);
    } while (kind !== NO_NAME);
    if (at - start < 3 || marks === 0) continue;
    if (marks === WIDE && !CAMEL_CASE.test(text.slice(start, at))) continue;
    show(start, at, hash ^ (hash >>> 15), other);
  }
}

/** Of FNV-1a, which spreads short texts well. */
const HASH_PRIME = 0x01000193;
const OTHER_PRIME = 0x2c1b3c6d;
const ASCII = 128;
/** A bit each. */
const NO_NAME = 0;
const LOWER = 1;
const UPPER = 2;
const CODE_MARK = 4;
const OTHER = 8;
const WIDE = 16;
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;
const LETTER = /^\p{L}/u;

const KINDS = Uint8Array.from({ length: ASCII }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/[./\\_\d-]/.test(char)) return CODE_MARK;
  return /[@~$#:+]/.test(char) ? OTHER : NO_NAME;
});

/** What is known of units beyond ASCII that are no half of a pair: its kind and one more, 0 where it was not asked for. */
const wideKinds = new Uint8Array(0x1_0000);

/** Letters beyond ASCII; the second half of a pair is what its first is. */
function wideKind(text: string, at: number, unit: number): number {
  const isHalf = unit >= 0xd800 && unit <= 0xdfff;
  const known = wideKinds[unit] as number;
  if (known !== 0) return known - 1;
  const isSecond = unit >= 0xdc00 && isHalf;
  const first = isSecond ? at - 1 : at;
  const char = String.fromCodePoint(text.codePointAt(first) ?? 0);
  if (isSecond && char.length < 2) return NO_NAME;
  const kind = LETTER.test(char) ? WIDE : NO_NAME;
  if (!isHalf) wideKinds[unit] = kind + 1;
  return kind;
}
