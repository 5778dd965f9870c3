import { createPowers, extendHash } from './hash.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A stretch of bytes. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Splits a piece into tokens; writes their ranks to `out`, and returns how many there are. */
export type Merge = (piece: Piece, out?: number[]) => number;

const NONE = 0x7f_ff_ff_ff;
const INITIAL_BYTES = 1_024;
const LARGEST_KEPT_BYTES = 65_536;

/**
 * Merges the pair of lowest rank, leftmost first, until no two neighbours are a token together. The ranks of all pairs are
 * the leaves of a tournament tree, whose inner nodes hold the lower of their two: finding the next pair and replacing the
 * ranks around it take a few steps a level, so that a million equal letters take no longer a byte than a long word.
 */
export function createMerge(vocabulary: Vocabulary): Merge {
  const powers = createPowers(vocabulary.longest);
  // A part is named by its first byte, counted from the piece's; its leaf holds the rank of it and the next one together.
  let next = new Int32Array(0);
  let previous = new Int32Array(0);
  let hashes = new Int32Array(0);
  let tree = new Int32Array(0);
  let leaves = 0;

  const reserve = (length: number): void => {
    const isTooLarge = next.length > LARGEST_KEPT_BYTES && length <= INITIAL_BYTES;
    if (length < next.length && !isTooLarge) return;
    next = new Int32Array(Math.max(length + 1, INITIAL_BYTES));
    previous = new Int32Array(next.length);
    hashes = new Int32Array(next.length);
    tree = new Int32Array(2 ** (1 + Math.ceil(Math.log2(next.length))));
  };
  const begin = ({ bytes, start }: Piece, length: number): void => {
    leaves = 1;
    while (leaves < length) leaves *= 2;
    for (let part = 0; part < length; part++) {
      const byte = bytes[start + part] as number;
      next[part] = part + 1;
      previous[part] = part - 1;
      hashes[part + 1] = extendHash(hashes[part] as number, byte);
      const pair = (byte << 8) | (bytes[start + part + 1] as number);
      const rank = part + 1 < length ? (vocabulary.pairs[pair] as number) : -1;
      tree[leaves + part] = rank < 0 ? NONE : rank;
    }
    tree.fill(NONE, leaves + length, 2 * leaves);
    for (let node = leaves - 1; node > 0; node--) tree[node] = lower(node);
  };
  const lower = (node: number): number => {
    const left = tree[2 * node] as number;
    const right = tree[2 * node + 1] as number;
    return Math.min(left, right);
  };
  const leftmost = (rank: number): number => {
    let node = 1;
    while (node < leaves) node = tree[2 * node] === rank ? 2 * node : 2 * node + 1;
    return node - leaves;
  };
  const setRank = (part: number, rank: number): void => {
    let node = leaves + part;
    tree[node] = rank;
    for (node >>= 1; node > 0; node >>= 1) {
      const lowest = lower(node);
      if (tree[node] === lowest) return;
      tree[node] = lowest;
    }
  };
  const find = ({ bytes, start }: Piece, from: number, to: number): number => {
    if (to - from > vocabulary.longest) return NONE;
    const taken = Math.imul(hashes[from] as number, powers[to - from] as number);
    const hash = ((hashes[to] as number) - taken) | 0;
    const rank = vocabulary.find(bytes, start + from, start + to, hash);
    return rank < 0 ? NONE : rank;
  };

  return (piece, out) => {
    const length = piece.end - piece.start;
    reserve(length);
    begin(piece, length);
    let count = length;
    for (let rank = tree[1] as number; rank !== NONE; rank = tree[1] as number) {
      const part = leftmost(rank);
      const second = next[part] as number;
      const third = next[second] as number;
      next[part] = third;
      setRank(second, NONE);
      if (third < length) previous[third] = part;
      setRank(part, third < length ? find(piece, part, next[third] as number) : NONE);
      if (part > 0) setRank(previous[part] as number, find(piece, previous[part] as number, third));
      count--;
    }
    for (let part = 0; out !== undefined && part < length; part = next[part] as number) {
      out.push(find(piece, part, next[part] as number));
    }
    return count;
  };
}
