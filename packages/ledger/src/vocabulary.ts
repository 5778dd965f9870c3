const MAX_NAME = 300;
const MAX_DEPTH = 20;

/** Which code-like names a session has ever shown. */
interface Vocabulary {
  /** O(length of the text). */
  add(text: string): void;
  has(name: string): boolean;
}

export function createVocabulary(): Vocabulary {
  /** Whether a name stood there as it is spelled, with all its parts taken in, or only as a part or a shorter spelling of another. */
  const known = new Map<string, boolean>();
  return {
    add(text) {
      eachCodeLike(text, (found) => {
        // most names come again and again
        if (found.length > MAX_NAME || known.get(found)) return;
        const name = plainName(found);
        for (const part of [...partsOf(name), name, name.replace(/^\//, '')])
          if (!known.has(part)) known.set(part, false);
        known.set(found, true);
      });
    },
    has(name) {
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
export function eachCodeLike(text: string, show: (found: string) => void): void {
  let start = -1;
  let isCode = false;
  let hasWide = false;
  let before: number = NO_NAME;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 0;
    const kind = unit < ASCII ? (KINDS[unit] as number) : wideKind(text, at);
    if (kind !== NO_NAME) {
      if (start < 0) start = at;
      isCode ||= kind === CODE_MARK || (kind === UPPER && before === LOWER);
      hasWide ||= kind === WIDE;
    } else if (start >= 0) {
      if (at - start >= 3 && (isCode || hasWide)) {
        const found = text.slice(start, at);
        if (isCode || CAMEL_CASE.test(found)) show(found);
      }
      start = -1;
      isCode = hasWide = false;
    }
    before = kind;
  }
}

const ASCII = 128;
const [NO_NAME, LOWER, UPPER, CODE_MARK, OTHER, WIDE] = [0, 1, 2, 3, 4, 5];
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;
const LETTER = /^\p{L}/u;

const KINDS = Uint8Array.from({ length: ASCII }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/[./\\_\d-]/.test(char)) return CODE_MARK;
  return /[@~$#:+]/.test(char) ? OTHER : NO_NAME;
});

/** Letters beyond ASCII; the second half of a pair is what its first is. */
function wideKind(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const isSecond = unit >= 0xdc00 && unit <= 0xdfff;
  const first = isSecond ? at - 1 : at;
  const char = String.fromCodePoint(text.codePointAt(first) ?? 0);
  if (isSecond && char.length < 2) return NO_NAME;
  return LETTER.test(char) ? WIDE : NO_NAME;
}
