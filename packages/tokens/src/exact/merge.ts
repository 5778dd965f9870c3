import { createPowers, extendHash } from './hash.ts';
import { createRankTree, NO_RANK } from './rank-tree.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A stretch of bytes. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Splits a piece into tokens; writes their ranks to `out`, and returns how many there are. */
export type Merge = (piece: Piece, out?: number[]) => number;

const INITIAL_BYTES = 1_024;
const LARGEST_KEPT = 2 ** 16;

/**
 * Merges the pair of lowest rank, leftmost first, until no two neighbours are a token together. The ranks lie in a
 * tournament tree, so that a million equal letters take hardly longer a byte than a long word.
 */
export function createMerge(vocabulary: Vocabulary): Merge {
  const powers = createPowers(vocabulary.longest);
  // A part is named by its first byte, counted from the piece's; its rank is that of it and the next one together.
  const ranks = createRankTree();
  let next = new Int32Array(0);
  let previous = new Int32Array(0);
  let hashes = new Int32Array(0);

  const begin = ({ bytes, start }: Piece, length: number): void => {
    if (length >= next.length || (next.length > LARGEST_KEPT && length < LARGEST_KEPT)) {
      next = new Int32Array(Math.max(length + 1, INITIAL_BYTES));
      previous = new Int32Array(next.length);
      hashes = new Int32Array(next.length);
    }
    ranks.reset(length);
    for (let part = 0; part < length; part++) {
      const byte = bytes[start + part] as number;
      next[part] = part + 1;
      previous[part] = part - 1;
      hashes[part + 1] = extendHash(hashes[part] as number, byte);
      const pair = (byte << 8) | (bytes[start + part + 1] as number);
      const rank = part + 1 < length ? (vocabulary.pairs[pair] as number) : -1;
      ranks.put(part, rank < 0 ? NO_RANK : rank);
    }
    ranks.build();
  };
  const find = ({ bytes, start }: Piece, from: number, to: number): number => {
    if (to - from > vocabulary.longest) return NO_RANK;
    const taken = Math.imul(hashes[from] as number, powers[to - from] as number);
    const hash = ((hashes[to] as number) - taken) | 0;
    const rank = vocabulary.find(bytes, start + from, start + to, hash);
    return rank < 0 ? NO_RANK : rank;
  };
  const join = (piece: Piece, part: number, length: number): void => {
    const second = next[part] as number;
    const third = next[second] as number;
    const before = previous[part] as number;
    next[part] = third;
    ranks.set(second, NO_RANK);
    if (third < length) previous[third] = part;
    ranks.set(part, third < length ? find(piece, part, next[third] as number) : NO_RANK);
    if (before >= 0) ranks.set(before, find(piece, before, third));
  };

  return (piece, out) => {
    const length = piece.end - piece.start;
    begin(piece, length);
    let count = length;
    for (; ranks.lowest() !== NO_RANK; count--) join(piece, ranks.first(), length);
    for (let part = 0; out !== undefined && part < length; part = next[part] as number) {
      out.push(find(piece, part, next[part] as number));
    }
    return count;
  };
}
