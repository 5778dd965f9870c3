// How many tokens a Han character takes depends on how common it is, and its code point says nothing about that. The
// national character sets do: each lists its everyday characters first, and every full runtime can decode them.

/** Code units of everyday Han characters. */
export interface EverydayHan {
  /** Those the mainland Chinese set lists first. */
  readonly simplified: readonly number[];
  /** Those the Taiwanese and Japanese sets list first; overlaps with `simplified`. */
  readonly others: readonly number[];
}

const SIMPLIFIED = { label: 'gbk', lead: [0xb0, 0xd7], trail: 0xa1 } as const;
const OTHERS = [
  { label: 'big5', lead: [0xa4, 0xc6], trail: 0x40 },
  { label: 'euc-jp', lead: [0xb0, 0xcf], trail: 0xa1 },
] as const;

/** Where a runtime cannot decode a set (an old build without full ICU), no character counts as rare. */
export function everydayHan(): EverydayHan {
  try {
    return { simplified: decodeLevel(SIMPLIFIED), others: OTHERS.flatMap(decodeLevel) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const length = MAIN_BLOCK.to - MAIN_BLOCK.from + 1;
    return {
      simplified: Array.from({ length }, (_, index) => MAIN_BLOCK.from + index),
      others: [],
    };
  }
}

const MAIN_BLOCK = { from: 0x4e00, to: 0x9fff };

function decodeLevel(level: typeof SIMPLIFIED | (typeof OTHERS)[number]): number[] {
  const bytes: number[] = [];
  for (let first: number = level.lead[0]; first <= level.lead[1]; first++) {
    for (let second: number = level.trail; second <= 0xfe; second++) {
      if (second < 0x7f || second > 0xa0) bytes.push(first, second);
    }
  }
  const text = new TextDecoder(level.label).decode(new Uint8Array(bytes));
  const codes = Array.from(text, (char) => char.charCodeAt(0));
  return codes.filter((code) => code >= MAIN_BLOCK.from && code <= MAIN_BLOCK.to);
}
