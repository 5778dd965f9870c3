import { createPowers, extendHash, spreadHash } from './hash.ts';
import { decodeTokens, type TokenBytes } from './vocabulary-bytes.ts';

/** Bytes to look tokens up in, with the hash of each prefix: `hashes[n]` is that of the first `n` bytes. */
export interface HashedBytes {
  readonly bytes: Uint8Array;
  readonly hashes: Int32Array;
}

/** Tokens as byte strings, found by their bytes. A token's rank is its id and its priority in merging. */
export interface Vocabulary {
  /** Number of ranks. */
  readonly size: number;
  /** Rank of each pair of bytes, at `first << 8 | second`; -1 where the pair is no token. */
  readonly pairs: Int32Array;
  /** Rank of the token `bytes[start..end)`; -1 where it is none. */
  find(text: HashedBytes, start: number, end: number): number;
}

/** Reads the text of a vocabulary into flat tables: about 8 MB for 200,000 tokens, and no object for each. */
export function parseVocabulary(text: string): Vocabulary {
  const tokens = decodeTokens(text);
  const slots = createSlots(tokens);
  return {
    size: tokens.count,
    pairs: createPairs(tokens),
    find: createFind(tokens, slots),
  };
}

// Each slot is a hash and a rank + 1, 0 where the slot is free. At most half of the slots are taken.
interface Slots {
  readonly table: Int32Array;
  readonly shift: number;
  readonly mask: number;
}

function createSlots({ arena, offsets, count }: TokenBytes): Slots {
  const bits = Math.ceil(Math.log2(count + 1)) + 1;
  const table = new Int32Array(2 ** (bits + 1));
  const mask = 2 ** bits - 1;
  const shift = 32 - bits;
  for (let rank = 0; rank < count; rank++) {
    let hash = 0;
    const end = offsets[rank + 1] as number;
    for (let index = offsets[rank] as number; index < end; index++) {
      hash = extendHash(hash, arena[index] as number);
    }
    let slot = spreadHash(hash) >>> shift;
    while (table[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    table[2 * slot] = hash;
    table[2 * slot + 1] = rank + 1;
  }
  return { table, shift, mask };
}

function createPairs({ arena, offsets, count }: TokenBytes): Int32Array {
  const pairs = new Int32Array(0x1_00_00).fill(-1);
  for (let rank = 0; rank < count; rank++) {
    const start = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - start !== 2) continue;
    pairs[((arena[start] as number) << 8) | (arena[start + 1] as number)] = rank;
  }
  return pairs;
}

function createFind(tokens: TokenBytes, slots: Slots): Vocabulary['find'] {
  const { arena, offsets, count } = tokens;
  const { table, shift, mask } = slots;
  let longest = 0;
  for (let rank = 0; rank < count; rank++) {
    longest = Math.max(longest, (offsets[rank + 1] as number) - (offsets[rank] as number));
  }
  const powers = createPowers(longest);

  const equals = (rank: number, bytes: Uint8Array, start: number, length: number): boolean => {
    const from = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - from !== length) return false;
    for (let index = 0; index < length; index++) {
      if (arena[from + index] !== bytes[start + index]) return false;
    }
    return true;
  };

  return ({ bytes, hashes }, start, end) => {
    const length = end - start;
    if (length > longest) return -1;
    const taken = Math.imul(hashes[start] as number, powers[length] as number);
    const hash = ((hashes[end] as number) - taken) | 0;
    let slot = spreadHash(hash) >>> shift;
    for (let held = table[2 * slot + 1] as number; held !== 0; ) {
      if (table[2 * slot] === hash && equals(held - 1, bytes, start, length)) return held - 1;
      slot = (slot + 1) & mask;
      held = table[2 * slot + 1] as number;
    }
    return -1;
  };
}
