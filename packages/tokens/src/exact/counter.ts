import { createLongMerge } from './merge-long.ts';
import { createShortMerge, SHORT_BYTES } from './merge-short.ts';
import { createPieceBytes } from './piece-bytes.ts';
import { createPieceCache } from './piece-cache.ts';
import type { PieceEnd } from './split.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Counts and encodes text as an encoding's own tokenizer does. */
export interface Counter {
  count(text: string): number;
  encode(text: string): number[];
}

/** Creates a counter; its time grows with the text's length, whatever the text. */
export function createCounter(vocabulary: Vocabulary, pieceEnd: PieceEnd): Counter {
  const piece = createPieceBytes();
  const cache = createPieceCache();
  const mergeShort = createShortMerge(vocabulary);
  const mergeLong = createLongMerge(vocabulary);
  const merge = (out?: number[]): number =>
    piece.length <= SHORT_BYTES
      ? mergeShort(piece, piece.length, out)
      : mergeLong(piece, piece.length, out);

  const countPiece = (): number => {
    if (vocabulary.find(piece, 0, piece.length) >= 0) return 1;
    const known = cache.get(piece, piece.length);
    if (known > 0) return known;
    const count = merge();
    cache.set(piece, piece.length, count);
    return count;
  };

  return {
    count: (text) => {
      let count = 0;
      for (let start = 0; start < text.length; ) {
        const end = pieceEnd(text, start);
        piece.set(text, start, end);
        count += countPiece();
        start = end;
      }
      return count;
    },
    encode: (text) => {
      const out: number[] = [];
      for (let start = 0; start < text.length; ) {
        const end = pieceEnd(text, start);
        piece.set(text, start, end);
        const rank = vocabulary.find(piece, 0, piece.length);
        if (rank >= 0) out.push(rank);
        else merge(out);
        start = end;
      }
      return out;
    },
  };
}
