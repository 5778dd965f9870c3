import { hashOf } from './hash.ts';
import { createMerge } from './merge.ts';
import { createPieceCache } from './piece-cache.ts';
import type { Split } from './split.ts';
import { createTextWindow } from './text-window.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Counts and encodes text as an encoding's own tokenizer does. */
export interface Counter {
  count(text: string): number;
  encode(text: string): number[];
}

/** Creates a counter; its time grows with the text's length, whatever the text. */
export function createCounter(vocabulary: Vocabulary, split: Split): Counter {
  const window = createTextWindow();
  const cache = createPieceCache();
  const merge = createMerge(vocabulary);
  const piece = { bytes: window.bytes, start: 0, end: 0 };

  const nextPiece = (): boolean => {
    piece.start = piece.end;
    for (;;) {
      if (piece.start < window.end) {
        piece.end = split.pieceEnd(window, piece.start);
        if (window.isLast || split.looked() < window.end) break;
      } else if (window.isLast) {
        return false;
      }
      window.advance(piece.start);
      piece.start = 0;
    }
    piece.bytes = window.bytes;
    return true;
  };
  const open = (text: string): void => {
    window.open(text);
    piece.end = 0;
  };
  const countPiece = (): number => {
    if (piece.end - piece.start === 1) return 1;
    const hash = hashOf(piece.bytes, piece.start, piece.end);
    if (vocabulary.find(piece.bytes, piece.start, piece.end, hash) >= 0) return 1;
    const known = cache.get(piece, hash);
    if (known > 0) return known;
    const count = merge(piece);
    cache.set(piece, hash, count);
    return count;
  };
  const encodePiece = (out: number[]): void => {
    const hash = hashOf(piece.bytes, piece.start, piece.end);
    const rank = vocabulary.find(piece.bytes, piece.start, piece.end, hash);
    if (rank >= 0) out.push(rank);
    else merge(piece, out);
  };

  return {
    count: (text) => {
      let count = 0;
      for (open(text); nextPiece(); ) count += countPiece();
      return count;
    },
    encode: (text) => {
      const out: number[] = [];
      for (open(text); nextPiece(); ) encodePiece(out);
      return out;
    },
  };
}
