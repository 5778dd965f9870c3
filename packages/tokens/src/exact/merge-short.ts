import type { HashedBytes, Vocabulary } from './vocabulary.ts';

/** Splits hashed bytes into tokens; writes their ranks to `out` where it is given, and returns how many there are. */
export type Merge = (text: HashedBytes, length: number, out?: number[]) => number;

/** Pieces up to this many bytes are merged by looking at every pair each time; beyond it that would be slow. */
export const SHORT_BYTES = 48;

const NONE = 0x7f_ff_ff_ff;

/** Merges the pair of lowest rank, leftmost first, until no two neighbours are a token together. */
export function createShortMerge(vocabulary: Vocabulary): Merge {
  // Part `i` is the bytes from starts[i] to starts[i + 1]; ranks[i] is the rank of parts i and i + 1 together.
  const starts = new Int32Array(SHORT_BYTES + 1);
  const ranks = new Int32Array(SHORT_BYTES + 1);

  return (text, length, out) => {
    const rankAt = (part: number, count: number): number => {
      if (part < 0 || part + 1 >= count) return NONE;
      const end = starts[part + 2] as number;
      const rank = vocabulary.find(text, starts[part] as number, end);
      return rank < 0 ? NONE : rank;
    };
    fill(text.bytes, length);
    let count = length;
    for (let best = lowest(count); ranks[best] !== NONE; best = lowest(count)) {
      starts.copyWithin(best + 1, best + 2, count + 1);
      ranks.copyWithin(best + 1, best + 2, count);
      count--;
      ranks[best] = rankAt(best, count);
      if (best > 0) ranks[best - 1] = rankAt(best - 1, count);
    }
    if (out !== undefined) emit(text, count, out);
    return count;
  };

  function fill(bytes: Uint8Array, length: number): void {
    for (let index = 0; index < length; index++) {
      starts[index] = index;
      const pair = ((bytes[index] as number) << 8) | (bytes[index + 1] as number);
      const rank = index + 1 < length ? (vocabulary.pairs[pair] as number) : -1;
      ranks[index] = rank < 0 ? NONE : rank;
    }
    starts[length] = length;
  }

  function lowest(count: number): number {
    let best = 0;
    for (let part = 1; part < count; part++) {
      if ((ranks[part] as number) < (ranks[best] as number)) best = part;
    }
    return best;
  }

  function emit(text: HashedBytes, count: number, out: number[]): void {
    for (let part = 0; part < count; part++) {
      out.push(vocabulary.find(text, starts[part] as number, starts[part + 1] as number));
    }
  }
}
