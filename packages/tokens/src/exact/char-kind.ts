// What the split patterns ask of a character. A UTF-16 code unit of a surrogate pair has the kind of the whole pair, so
// that runs can be walked unit by unit.

/** \p{Lu} and \p{Lt}. */
export const UPPER = 1;
/** \p{Ll}. */
export const LOWER = 2;
/** \p{Lm} and \p{Lo}: counts as either. */
export const CASELESS = 3;
/** \p{M}: counts as a caseless letter and as a sign. */
export const MARK = 4;
/** \p{N}. */
export const NUMBER = 5;
/** White space other than `\r` and `\n`. */
export const SPACE = 6;
/** `\r` and `\n`. */
export const NEWLINE = 7;
/** Anything else, half surrogates included. */
export const SIGN = 8;

const UNKNOWN = 0;
const SURROGATE = 9;

/** Kind of the code unit at an index of a text. */
export type KindAt = (text: string, index: number) => number;

/** Creates the lookup; it learns the kinds of 256 code points at a time, when it first meets one of them. */
export function createKindAt(): KindAt {
  const kinds = new Uint8Array(0x1_00_00);
  kinds.fill(SURROGATE, 0xd8_00, 0xe0_00);
  const astral = new Map<number, Uint8Array>();

  const ofCodePoint = (codePoint: number): number => {
    const page = codePoint >>> 8;
    let known = astral.get(page);
    if (known === undefined) {
      known = kindsOfPage(page);
      astral.set(page, known);
    }
    return known[codePoint & 0xff] as number;
  };
  const ofSurrogate = (text: string, index: number): number => {
    const isTail = (text.charCodeAt(index) & 0xfc_00) === 0xdc_00;
    const start = isTail ? index - 1 : index;
    const codePoint = start < 0 ? 0 : (text.codePointAt(start) as number);
    return codePoint > 0xff_ff ? ofCodePoint(codePoint) : SIGN;
  };

  return (text, index) => {
    const code = text.charCodeAt(index);
    const kind = kinds[code] as number;
    if (kind !== UNKNOWN && kind !== SURROGATE) return kind;
    if (kind === SURROGATE) return ofSurrogate(text, index);
    kinds.set(kindsOfPage(code >>> 8), code & 0xff_00);
    return kinds[code] as number;
  };
}

// The white space of Unicode: JavaScript's \s has U+FEFF besides and lacks U+0085.
const PATTERNS: readonly (readonly [kind: number, pattern: RegExp])[] = [
  [NEWLINE, /[\r\n]/],
  [SPACE, /\p{White_Space}/u],
  [UPPER, /[\p{Lu}\p{Lt}]/u],
  [LOWER, /\p{Ll}/u],
  [CASELESS, /[\p{Lm}\p{Lo}]/u],
  [MARK, /\p{M}/u],
  [NUMBER, /\p{N}/u],
];

function kindsOfPage(page: number): Uint8Array {
  return Uint8Array.from({ length: 0x1_00 }, (_, low) => {
    const char = String.fromCodePoint((page << 8) | low);
    return PATTERNS.find(([, pattern]) => pattern.test(char))?.[0] ?? SIGN;
  });
}
