import { spreadHash } from './hash.ts';
import type { TokenBytes } from './vocabulary-bytes.ts';

const BITS = 15;
const MASK = 2 ** BITS - 1;
const FREE = -1;

const slotOf = (key: number): number => spreadHash(key) >>> (32 - BITS);

const keyAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);

/**
 * Creates the lookup of tokens of three bytes: most characters beyond Latin are made by merges of this size, and three
 * bytes are a number, which needs no comparison with the token's own bytes. It returns -1 where there is no such token.
 */
export function createTriples(tokens: TokenBytes): (bytes: Uint8Array, start: number) => number {
  const { arena, offsets, count } = tokens;
  const keys = new Int32Array(2 ** BITS).fill(FREE);
  const ranks = new Int32Array(2 ** BITS).fill(-1);
  const find = (key: number): number => {
    let slot = slotOf(key);
    while (keys[slot] !== FREE && keys[slot] !== key) slot = (slot + 1) & MASK;
    return slot;
  };
  for (let rank = 0; rank < count; rank++) {
    const start = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - start !== 3) continue;
    const slot = find(keyAt(arena, start));
    keys[slot] = keyAt(arena, start);
    ranks[slot] = rank;
  }
  return (bytes, start) => ranks[find(keyAt(bytes, start))] as number;
}
