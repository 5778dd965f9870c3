import type { Line } from '../lines.ts';

export type LineLimit = ReturnType<typeof createLineLimit>;

const LINE_FEED = 10;

/** Keeps what follows it from having to hold more than `maxBytes` of one line. */
export function createLineLimit(maxBytes: number) {
  /** Of the current line: its size, and where it starts in what went through. */
  let [size, start, passed] = [0, 0, 0];
  const cutSizes = new Map<number, number>();

  /** The part of a line's next piece that still goes through. */
  function clip(piece: Uint8Array): Uint8Array {
    const kept = piece.subarray(0, Math.max(0, maxBytes - size));
    size += piece.length;
    passed += kept.length;
    if (size > maxBytes) cutSizes.set(start, size);
    return kept;
  }

  function pass(chunk: Uint8Array): Uint8Array[] {
    const rest = chunk.length - chunk.lastIndexOf(LINE_FEED) - 1;
    passed += chunk.length;
    size = rest === chunk.length ? size + rest : rest;
    start = passed - size;
    return [chunk];
  }

  return {
    maxBytes,
    /** The chunk without what lies beyond the limit; whole where no line in it can pass the limit. */
    cut(chunk: Uint8Array): Uint8Array[] {
      if (size + chunk.length <= maxBytes) return pass(chunk);
      const pieces: Uint8Array[] = [];
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        pieces.push(clip(chunk.subarray(from, end)), chunk.subarray(end, end + 1));
        from = end + 1;
        passed += 1;
        [size, start] = [0, passed];
      }
      pieces.push(clip(chunk.subarray(from)));
      return pieces;
    },
    /** The size of a line that was cut; undefined for one that was not. */
    sizeOf: (line: Line): number | undefined => cutSizes.get(line.start),
  };
}
