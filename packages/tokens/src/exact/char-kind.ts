// What the split patterns ask of a character: one bit for each kind, so that several are asked for at once.

/** \p{Lu} and \p{Lt}. */
export const UPPER = 0x01;
/** \p{Ll}. */
export const LOWER = 0x02;
/** \p{Lm} and \p{Lo}: counts as either. */
export const CASELESS = 0x04;
/** \p{M}: counts as a caseless letter and as a sign. */
export const MARK = 0x08;
/** \p{N}. */
export const NUMBER = 0x10;
/** White space other than `\r` and `\n`. */
export const SPACE = 0x20;
/** `\r` and `\n`. */
export const NEWLINE = 0x40;
/** Anything else. */
export const SIGN = 0x80;

const PAGE = 0x1_00;

/** The kinds of the 256 code points from `page * 256` on; a page of surrogates is not asked for. */
export function kindsOfPage(page: number): Uint8Array {
  const kinds = new Uint8Array(PAGE).fill(SIGN);
  const width = page > 0xff ? 2 : 1;
  const text = String.fromCodePoint(...Array.from({ length: PAGE }, (_, low) => page * PAGE + low));
  for (const [kind, pattern] of PATTERNS) {
    for (const { index, 0: run } of text.matchAll(pattern)) {
      kinds.fill(kind, index / width, (index + run.length) / width);
    }
  }
  return kinds;
}

// A later pattern wins. White space is that of Unicode: JavaScript's \s has U+FEFF besides and lacks U+0085.
const PATTERNS: readonly (readonly [kind: number, pattern: RegExp])[] = [
  [UPPER, /[\p{Lu}\p{Lt}]+/gu],
  [LOWER, /\p{Ll}+/gu],
  [CASELESS, /[\p{Lm}\p{Lo}]+/gu],
  [MARK, /\p{M}+/gu],
  [NUMBER, /\p{N}+/gu],
  [SPACE, /\p{White_Space}+/gu],
  [NEWLINE, /[\r\n]+/gu],
];
