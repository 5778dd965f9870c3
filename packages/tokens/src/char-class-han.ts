// How many tokens a Han character takes depends on how common it is, and its code point says nothing about that. The
// national character sets do: each lists its everyday characters first, and every full runtime can decode them.

const MAIN_BLOCK = { from: 0x4e00, to: 0x9fff };

/** One national set's first level: double bytes in rows of `lead`, each from `trail` on. */
interface FirstLevel {
  readonly label: string;
  readonly lead: readonly [from: number, to: number];
  readonly trail: number;
}

/** Mainland China's first level, and those of Taiwan and Japan. */
export const SIMPLIFIED: FirstLevel = { label: 'gbk', lead: [0xb0, 0xd7], trail: 0xa1 };
export const TRADITIONAL: FirstLevel = { label: 'big5', lead: [0xa4, 0xc6], trail: 0x40 };
export const JAPANESE: FirstLevel = { label: 'euc-jp', lead: [0xb0, 0xcf], trail: 0xa1 };

/**
 * Writes `value` at the code unit of each Han character of a level. Where a runtime cannot decode it (an old build without
 * full ICU), every character of the main block counts as everyday.
 */
export function markHan(table: Uint8Array, value: number, level: FirstLevel): void {
  const text = decodeLevel(level);
  if (text === undefined) table.fill(value, MAIN_BLOCK.from, MAIN_BLOCK.to + 1);
  for (let index = 0; index < (text?.length ?? 0); index++) {
    const code = text?.charCodeAt(index) ?? 0;
    if (code >= MAIN_BLOCK.from && code <= MAIN_BLOCK.to) table[code] = value;
  }
}

const LAST_TRAIL = 0xfe;

function decodeLevel({ label, lead, trail }: FirstLevel): string | undefined {
  const bytes = new Uint8Array(2 * (lead[1] - lead[0] + 1) * (LAST_TRAIL - trail + 1));
  let length = 0;
  for (let first = lead[0]; first <= lead[1]; first++) {
    for (let second = trail; second <= LAST_TRAIL; second++) {
      if (second >= 0x7f && second <= 0xa0) continue;
      bytes[length++] = first;
      bytes[length++] = second;
    }
  }
  try {
    return new TextDecoder(label).decode(bytes.subarray(0, length));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
