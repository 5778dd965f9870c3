/** Runs of characters that names are made of; taken whole, so that a text is read once. */
const RUN = /[\p{L}\d_@~./\\$#:+-]+/gu;
/** Code-like: with a slash, dot, underscore, hyphen or digit, or in camelCase. */
const CODE_LIKE = /[./\\_\d-]|\p{Ll}\p{Lu}/u;
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
      for (const [found] of text.matchAll(RUN)) {
        if (found.length < 3 || found.length > MAX_NAME || !CODE_LIKE.test(found)) continue;
        // most names come again and again
        if (known.get(found)) continue;
        const name = plainName(found);
        for (const part of [...partsOf(name), name, name.replace(/^\//, '')])
          if (!known.has(part)) known.set(part, false);
        known.set(found, true);
      }
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
      return cut > 0 && known.has(plain.slice(cut + 1)) && known.has(plain.slice(0, cut));
    },
  };
}

/** A path counts with its folders and with every end of it, a qualified name with its words: shorter spellings are known too. */
function partsOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '');
  const words = name.split(/[./:#$]+/).filter((word) => word.length > 2);
  if (parts.length < 2 || parts.length > MAX_DEPTH) return words;
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
