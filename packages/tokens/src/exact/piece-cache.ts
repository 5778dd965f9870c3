import { spreadHash } from './hash.ts';
import type { HashedBytes } from './vocabulary.ts';

/** Token counts of pieces met before. */
export interface PieceCache {
  /** Tokens of the first `length` bytes, or 0 where they are not known. */
  get(text: HashedBytes, length: number): number;
  set(text: HashedBytes, length: number, count: number): void;
}

const BITS = 13;
const SLOT_BYTES = 32;
const HEADER_BYTES = 2;

/**
 * Creates a cache of 8,192 pieces of up to 30 bytes: 256 KB, all of it in one buffer. A piece whose place is taken replaces
 * what lies there. Bytes are compared, so a hit is never another piece's.
 */
export function createPieceCache(): PieceCache {
  const slots = new Uint8Array(2 ** BITS * SLOT_BYTES);
  const slotOf = ({ hashes }: HashedBytes, length: number): number =>
    (spreadHash(hashes[length] as number) >>> (32 - BITS)) * SLOT_BYTES;

  return {
    get: (text, length) => {
      if (length > SLOT_BYTES - HEADER_BYTES) return 0;
      const slot = slotOf(text, length);
      if (slots[slot] !== length) return 0;
      for (let index = 0; index < length; index++) {
        if (slots[slot + HEADER_BYTES + index] !== text.bytes[index]) return 0;
      }
      return slots[slot + 1] as number;
    },
    set: (text, length, count) => {
      if (length > SLOT_BYTES - HEADER_BYTES) return;
      const slot = slotOf(text, length);
      slots[slot] = length;
      slots[slot + 1] = count;
      for (let index = 0; index < length; index++) {
        slots[slot + HEADER_BYTES + index] = text.bytes[index] as number;
      }
    },
  };
}
