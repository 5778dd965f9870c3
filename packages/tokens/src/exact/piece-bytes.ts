import { extendHash } from './hash.ts';
import type { HashedBytes } from './vocabulary.ts';

/** One piece of text as hashed UTF-8, in buffers that are used again for the next. */
export interface PieceBytes extends HashedBytes {
  /** Number of bytes of the piece. */
  readonly length: number;
  /** Takes in `text[start..end)`; half surrogates become U+FFFD. */
  set(text: string, start: number, end: number): void;
}

const INITIAL_BYTES = 4_096;
const LARGEST_KEPT_BYTES = 65_536;
const BYTES_PER_UNIT = 3;
const REPLACEMENT = 0xff_fd;

/** Creates buffers that grow for a long piece, and are let go after it. */
export function createPieceBytes(): PieceBytes {
  let bytes = new Uint8Array(INITIAL_BYTES);
  let hashes = new Int32Array(INITIAL_BYTES + 1);
  let length = 0;

  const reserve = (needed: number): void => {
    const isTooLarge = bytes.length > LARGEST_KEPT_BYTES && needed <= INITIAL_BYTES;
    if (needed <= bytes.length && !isTooLarge) return;
    bytes = new Uint8Array(Math.max(needed, INITIAL_BYTES));
    hashes = new Int32Array(bytes.length + 1);
  };
  const push = (byte: number, hash: number): number => {
    const next = extendHash(hash, byte);
    bytes[length++] = byte;
    hashes[length] = next;
    return next;
  };
  const pushWide = (codePoint: number, hash: number): number => {
    if (codePoint < 0x8_00) {
      return push(0x80 | (codePoint & 0x3f), push(0xc0 | (codePoint >>> 6), hash));
    }
    const middle =
      codePoint < 0x1_00_00
        ? push(0xe0 | (codePoint >>> 12), hash)
        : push(0x80 | ((codePoint >>> 12) & 0x3f), push(0xf0 | (codePoint >>> 18), hash));
    return push(0x80 | (codePoint & 0x3f), push(0x80 | ((codePoint >>> 6) & 0x3f), middle));
  };

  return {
    get bytes() {
      return bytes;
    },
    get hashes() {
      return hashes;
    },
    get length() {
      return length;
    },
    set: (text, start, end) => {
      reserve((end - start) * BYTES_PER_UNIT);
      length = 0;
      let hash = 0;
      for (let index = start; index < end; index++) {
        const code = text.charCodeAt(index);
        if (code < 0x80) {
          hash = push(code, hash);
          continue;
        }
        const codePoint = text.codePointAt(index) as number;
        hash = pushWide(
          (codePoint & 0xf8_00) === 0xd8_00 && codePoint <= 0xff_ff ? REPLACEMENT : codePoint,
          hash,
        );
        if (codePoint > 0xff_ff) index++;
      }
    },
  };
}
