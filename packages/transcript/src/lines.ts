/** One line of a file as bytes, without its line end (`\n` or `\r\n`). */
export interface Line {
  readonly bytes: Uint8Array;
  /** Counted from 1. */
  readonly number: number;
  /** Offset of the first byte in the file. */
  readonly start: number;
  /** False for a last line without a line end. */
  readonly terminated: boolean;
}

export interface LineSplitter {
  /** The lines that this chunk completes. A line inside one chunk is a view of it, not a copy. */
  push(chunk: Uint8Array): Line[];
  /** The last line, if it has no line end. */
  end(): Line[];
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Splits a stream of bytes into lines; holds no more than the line it is in. */
export function createLineSplitter(): LineSplitter {
  let pieces: Uint8Array[] = [];
  let [held, offset, number] = [0, 0, 0];

  const take = (last: Uint8Array, terminated: boolean): Line => {
    const start = offset - held;
    const bytes = pieces.length === 0 ? last : concat([...pieces, last], held + last.length);
    [pieces, held] = [[], 0];
    offset = start + bytes.length + (terminated ? 1 : 0);
    number += 1;
    return { bytes: terminated ? withoutCarriageReturn(bytes) : bytes, number, start, terminated };
  };

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        lines.push(take(chunk.subarray(from, at), true));
        from = at + 1;
      }
      if (from < chunk.length) {
        // A copy: the caller may fill its buffer again before the line is complete.
        pieces.push(chunk.slice(from));
        held += chunk.length - from;
        offset += chunk.length - from;
      }
      return lines;
    },
    end: () => (held === 0 ? [] : [take(new Uint8Array(0), false)]),
  };
}

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function withoutCarriageReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
