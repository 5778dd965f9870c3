import { spreadHash } from './hash.ts';
import type { Piece } from './merge.ts';

/** Token counts of pieces met before. */
export interface PieceCache {
  /** Tokens of a piece whose hash is `hash`, or 0 where they are not known. */
  get(piece: Piece, hash: number): number;
  set(piece: Piece, hash: number, count: number): void;
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
  const slotOf = (hash: number): number => (spreadHash(hash) >>> (32 - BITS)) * SLOT_BYTES;

  return {
    get: ({ bytes, start, end }, hash) => {
      const slot = slotOf(hash);
      if (slots[slot] !== end - start) return 0;
      const from = slot + HEADER_BYTES - start;
      for (let index = start; index < end; index++) {
        if (slots[from + index] !== bytes[index]) return 0;
      }
      return slots[slot + 1] as number;
    },
    set: ({ bytes, start, end }, hash, count) => {
      if (end - start > SLOT_BYTES - HEADER_BYTES) return;
      const slot = slotOf(hash);
      slots[slot] = end - start;
      slots[slot + 1] = count;
      const from = slot + HEADER_BYTES - start;
      for (let index = start; index < end; index++) slots[from + index] = bytes[index] as number;
    },
  };
}
