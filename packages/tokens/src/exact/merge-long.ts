import type { Merge } from './merge-short.ts';
import { createRankQueue, type RankQueue } from './rank-queue.ts';
import type { HashedBytes, Vocabulary } from './vocabulary.ts';

const NONE = -1;

/**
 * The same merges as the short way, in time that grows with the length: pairs wait by rank, and all pairs of the lowest
 * rank are merged from left to right in one go. A merge that makes a pair of a still lower rank is followed up first; what
 * comes of it is longer than the tokens of the interrupted rank, so those still waiting stay as they are.
 */
export function createLongMerge(vocabulary: Vocabulary): Merge {
  const queue = createRankQueue(vocabulary.size);
  const parts = createParts(vocabulary, queue);
  const mergeAll = (rank: number): void => {
    for (const position of queue.take(rank)) {
      if (!parts.merge(position, rank)) continue;
      for (let lower = queue.lowest(); lower >= 0 && lower < rank; lower = queue.lowest()) {
        mergeAll(lower);
      }
    }
  };
  return (text, length, out) => {
    parts.start(text, length);
    for (let rank = queue.lowest(); rank >= 0; rank = queue.lowest()) mergeAll(rank);
    return parts.emit(out);
  };
}

interface Parts {
  /** Begins with one part for each byte. */
  start(text: HashedBytes, length: number): void;
  /** Joins the part at `position` with the next one; false where their pair no longer has this rank. */
  merge(position: number, rank: number): boolean;
  /** Counts the parts, and writes their ranks. */
  emit(out: number[] | undefined): number;
}

/** Parts are named by their first byte; `ranks` holds the rank of a part and the next one together. */
function createParts(vocabulary: Vocabulary, queue: RankQueue): Parts {
  let text: HashedBytes = { bytes: new Uint8Array(0), hashes: new Int32Array(1) };
  let length = 0;
  let next = new Int32Array(0);
  let previous = new Int32Array(0);
  let ranks = new Int32Array(0);

  const setRank = (position: number, rank: number): void => {
    queue.remove(position);
    ranks[position] = rank;
    if (rank !== NONE) queue.add(rank, position);
  };
  const refresh = (position: number): void => {
    const second = next[position] as number;
    const isLast = second >= length;
    setRank(position, isLast ? NONE : vocabulary.find(text, position, next[second] as number));
  };
  return {
    start: (newText, newLength) => {
      text = newText;
      length = newLength;
      queue.reserve(length);
      if (next.length < length + 1 || next.length > LARGEST_KEPT) {
        next = new Int32Array(length + 1);
        previous = new Int32Array(length + 1);
        ranks = new Int32Array(length + 1);
      }
      for (let index = 0; index < length; index++) {
        next[index] = index + 1;
        previous[index + 1] = index;
        const pair = ((text.bytes[index] as number) << 8) | (text.bytes[index + 1] as number);
        setRank(index, index + 1 < length ? (vocabulary.pairs[pair] as number) : NONE);
      }
    },
    merge: (position, rank) => {
      if (ranks[position] !== rank) return false;
      const second = next[position] as number;
      const third = next[second] as number;
      setRank(second, NONE);
      next[position] = third;
      previous[third] = position;
      refresh(position);
      if (position > 0) refresh(previous[position] as number);
      return true;
    },
    emit: (out) => {
      let count = 0;
      for (let at = 0; at < length; at = next[at] as number) {
        count++;
        out?.push(vocabulary.find(text, at, next[at] as number));
      }
      return count;
    },
  };
}

// Buffers up to this many bytes stay for the next piece.
const LARGEST_KEPT = 65_536;
