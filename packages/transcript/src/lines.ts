/** One line of a file as bytes, without its line end (`\n` or `\r\n`). */
export interface Line {
  /** Good until the next chunk is pushed: the memory is used again. The beginning alone of a line above the limit. */
  readonly bytes: Uint8Array;
  /** Length of the line in the file in bytes. */
  readonly size: number;
  /** Counted from 1. */
  readonly number: number;
  /** Offset of the first byte in the file. */
  readonly start: number;
  /** False for a last line without a line end. */
  readonly isTerminated: boolean;
  /** Longer than the limit. */
  readonly isCut: boolean;
}

export interface LineSplitter {
  /** The lines that this chunk completes, each found when it is asked for; all of them before the next chunk is pushed. */
  push(chunk: Uint8Array): Iterable<Line>;
  /** The last line, if it has no line end. */
  end(): Iterable<Line>;
}

/** 256 MiB: half of the longest string that V8 makes. A line of a log is never longer. */
export const MAX_LINE_BYTES = 268_435_456;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Splits a stream of bytes into lines; holds no more than the line it is in, and of that no more than `maxBytes`. */
export function createLineSplitter(maxBytes: number = MAX_LINE_BYTES): LineSplitter {
  const begun = createGrowingBuffer(maxBytes);
  let [offset, number, size] = [0, 0, 0];

  function hold(piece: Uint8Array): void {
    begun.add(piece.subarray(0, Math.max(0, maxBytes - size)));
    size += piece.length;
  }

  /** The line that `length` bytes are, of which `source` has those from `from` to `to`. */
  function lineOf(
    source: Uint8Array,
    from: number,
    to: number,
    length: number,
    isTerminated: boolean,
  ): Line {
    const isCut = length > maxBytes;
    const end = isTerminated && !isCut && to > from && source[to - 1] === CARRIAGE_RETURN ? 1 : 0;
    const bytes = source.subarray(from, to - end);
    const start = offset;
    offset += length + 1;
    number += 1;
    return { bytes, size: length - end, number, start, isTerminated, isCut };
  }

  function takeBegun(isTerminated: boolean): Line {
    const found = begun.take();
    const length = size;
    size = 0;
    return lineOf(found, 0, found.length, length, isTerminated);
  }

  return {
    // A line is used before the next one is looked for, so that it is still near to the processor.
    *push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        const length = at - from;
        if (size === 0 && length <= maxBytes) yield lineOf(chunk, from, at, length, true);
        else {
          hold(chunk.subarray(from, at));
          yield takeBegun(true);
        }
        from = at + 1;
      }
      hold(chunk.subarray(from));
    },
    *end() {
      if (size > 0) yield takeBegun(false);
    },
  };
}

/**
 * Collects the pieces of a line. Two buffers take turns and are kept, since fresh ones would fill the memory: the line
 * taken last stays whole while the next one begins in the other.
 */
function createGrowingBuffer(maxBytes: number) {
  let [buffer, other] = [new Uint8Array(0), new Uint8Array(0)];
  let length = 0;

  return {
    add(piece: Uint8Array): void {
      const needed = length + piece.length;
      if (needed > buffer.length) {
        const larger = new Uint8Array(Math.min(2 * needed, maxBytes));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(piece, length);
      length = needed;
    },
    take(): Uint8Array {
      const taken = buffer.subarray(0, length);
      [buffer, other, length] = [other, buffer, 0];
      return taken;
    },
  };
}
