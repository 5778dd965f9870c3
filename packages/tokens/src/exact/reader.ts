import { kindsOfPage } from './char-kind.ts';

/** Walks over the characters of UTF-8 bytes by what the split patterns ask of them. */
export interface Reader {
  /** Kind of the character that starts at `index`. */
  kindAt(bytes: Uint8Array, index: number): number;
  /** The end of the characters whose kinds are in `kinds`, from `start` on and before `limit`. */
  skip(bytes: Uint8Array, start: number, limit: number, kinds: number): number;
}

/** Length in bytes of the character that starts at `index`. */
export function widthAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index] as number;
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** Creates a reader; it learns the kinds of 256 code points at a time, when it first meets one of them. */
export function createReader(): Reader {
  const pages: (Uint8Array | undefined)[] = [];
  const ascii = kindsOfPage(0);

  const kindOf = (codePoint: number): number => {
    const page = codePoint >>> 8;
    let kinds = pages[page];
    if (kinds === undefined) {
      kinds = kindsOfPage(page);
      pages[page] = kinds;
    }
    return kinds[codePoint & 0xff] as number;
  };
  const wideKindAt = (bytes: Uint8Array, index: number): number => {
    const lead = bytes[index] as number;
    const second = (bytes[index + 1] as number) & 0x3f;
    if (lead < 0xe0) return kindOf(((lead & 0x1f) << 6) | second);
    const third = (bytes[index + 2] as number) & 0x3f;
    if (lead < 0xf0) return kindOf(((lead & 0x0f) << 12) | (second << 6) | third);
    const fourth = (bytes[index + 3] as number) & 0x3f;
    return kindOf(((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth);
  };

  return {
    kindAt: (bytes, index) => {
      const byte = bytes[index] as number;
      return byte < 0x80 ? (ascii[byte] as number) : wideKindAt(bytes, index);
    },
    skip: (bytes, start, limit, kinds) => {
      let end = start;
      while (end < limit) {
        const byte = bytes[end] as number;
        if (byte < 0x80) {
          if (((ascii[byte] as number) & kinds) === 0) break;
          end++;
        } else {
          if ((wideKindAt(bytes, end) & kinds) === 0) break;
          end += widthAt(bytes, end);
        }
      }
      return end;
    },
  };
}
