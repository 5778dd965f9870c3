export type Openings = ReturnType<typeof createOpenings>;

/** More are not told apart: files of records have a handful. */
const MAX_OPENINGS = 32;

/** How the records of a file begin: by that a whole record is known behind or after a damaged one. */
export function createOpenings() {
  const known = new Set<string>();

  return {
    /** Takes note of a whole record. */
    add(text: string): void {
      const opening = openingOf(text);
      if (opening !== '' && known.size < MAX_OPENINGS) known.add(opening);
    },
    /** Whether a text begins like a record of this file, or like `first`. */
    isSibling(text: string, first = ''): boolean {
      const opening = openingOf(text);
      return opening !== '' && (known.has(opening) || opening === openingOf(first));
    },
    /** Where records may begin inside a text, apart from its start. */
    *placesIn(text: string): Generator<number> {
      for (const opening of new Set([openingOf(text), ...known])) {
        if (opening === '') continue;
        for (let at = text.indexOf(opening, 1); at > 0; at = text.indexOf(opening, at + 1))
          yield at;
      }
    },
  };
}

/** The start of a record up to the end of its first key. */
const openingOf = (text: string): string => /^\s*(\{\s*"[^"\\]{1,40}")/.exec(text)?.[1] ?? '';
