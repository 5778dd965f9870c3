const APOSTROPHE = 0x27;
const CASE_BIT = 0x20;
const D = 0x64;
const E = 0x65;
const L = 0x6c;
const M = 0x6d;
const R = 0x72;
const S = 0x73;
const T = 0x74;
const V = 0x76;

/** In bytes, with the apostrophe. */
export const LONGEST_CONTRACTION = 3;

export const startsContraction = (byte: number | undefined): boolean => byte === APOSTROPHE;

/**
 * Length in bytes of `(?i:'s|'t|'re|'ve|'m|'ll|'d)` at an apostrophe, or 0; may read two bytes beyond it. The long s, which
 * folds to s, is left out: no token holds it together with anything else, so that a cut beside it changes nothing.
 */
export function contractionLength(bytes: Uint8Array, apostrophe: number): number {
  const first = bytes[apostrophe + 1] as number;
  const second = bytes[apostrophe + 2] as number;
  switch (first | CASE_BIT) {
    case S:
    case T:
    case M:
    case D:
      return 2;
    case L:
      return (second | CASE_BIT) === L ? 3 : 0;
    case R:
    case V:
      return (second | CASE_BIT) === E ? 3 : 0;
    default:
      return 0;
  }
}
