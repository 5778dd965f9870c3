import { hashOf, spreadHash } from './hash.ts';
import { createTriples } from './triples.ts';
import { decodeTokens, type TokenBytes } from './vocabulary-bytes.ts';

/** Tokens as byte strings, found by their bytes. A token's rank is its id and its priority in merging. */
export interface Vocabulary {
  /** Length of the longest token, in bytes. */
  readonly longest: number;
  /** Rank of each pair of bytes, at `first << 8 | second`; -1 where the pair is no token. */
  readonly pairs: Int32Array;
  /** Rank of the token `bytes[start..end)`, whose hash is `hash`; -1 where it is none. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number;
}

/** Reads the text of a vocabulary into flat tables: about 5 MB for 200,000 tokens, and no object for each. */
export function parseVocabulary(text: string): Vocabulary {
  const tokens = decodeTokens(text);
  const longest = longestOf(tokens);
  return { longest, pairs: createPairs(tokens), find: createFind(tokens, longest) };
}

function longestOf({ offsets, count }: TokenBytes): number {
  let longest = 0;
  for (let rank = 0; rank < count; rank++) {
    longest = Math.max(longest, (offsets[rank + 1] as number) - (offsets[rank] as number));
  }
  return longest;
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

/**
 * A hash table whose slots hold a rank + 1 and the hash bits that do not choose the slot, 0 where a slot is free; and one
 * bit for each of many hashes, set where a token has that hash. The bits fit in a near cache, and most lookups of a merge
 * end there: no token.
 */
interface Slots {
  readonly table: Int32Array;
  readonly filter: Int32Array;
}

const SLOT_BITS = 19;
const SLOT_MASK = 2 ** SLOT_BITS - 1;
const RANK_BITS = 18;
const RANK_MASK = 2 ** RANK_BITS - 1;
const FILTER_BITS = 21;

const slotOf = (spread: number): number => spread >>> (32 - SLOT_BITS);
const tagOf = (spread: number): number => (spread << RANK_BITS) & ~RANK_MASK;
const filterBitOf = (spread: number): number => spread >>> (32 - FILTER_BITS);

function createSlots({ arena, offsets, count }: TokenBytes): Slots {
  const table = new Int32Array(2 ** SLOT_BITS);
  const filter = new Int32Array(2 ** (FILTER_BITS - 5));
  for (let rank = 0; rank < count; rank++) {
    const hash = hashOf(arena, offsets[rank] as number, offsets[rank + 1] as number);
    const spread = spreadHash(hash);
    let slot = slotOf(spread);
    while (table[slot] !== 0) slot = (slot + 1) & SLOT_MASK;
    table[slot] = tagOf(spread) | (rank + 1);
    const bit = filterBitOf(spread);
    (filter[bit >>> 5] as number) |= 1 << (bit & 31);
  }
  return { table, filter };
}

function createFind(tokens: TokenBytes, longest: number): Vocabulary['find'] {
  const { arena, offsets } = tokens;
  const { table, filter } = createSlots(tokens);
  const findTriple = createTriples(tokens);

  const equals = (rank: number, bytes: Uint8Array, start: number, length: number): boolean => {
    const from = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - from !== length) return false;
    for (let index = 0; index < length; index++) {
      if (arena[from + index] !== bytes[start + index]) return false;
    }
    return true;
  };

  return (bytes, start, end, hash) => {
    const length = end - start;
    if (length === 3) return findTriple(bytes, start);
    const spread = spreadHash(hash);
    const bit = filterBitOf(spread);
    if (length > longest || (((filter[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0) return -1;
    const tag = tagOf(spread);
    let slot = slotOf(spread);
    for (let held = table[slot] as number; held !== 0; held = table[slot] as number) {
      const rank = (held & RANK_MASK) - 1;
      if ((held & ~RANK_MASK) === tag && equals(rank, bytes, start, length)) return rank;
      slot = (slot + 1) & SLOT_MASK;
    }
    return -1;
  };
}
