/** One line of a file as bytes, without its line end (`\n` or `\r\n`). */
export interface Line {
  /** Good until the next chunk is pushed: the memory is used again. */
  readonly bytes: Uint8Array;
  /** Counted from 1. */
  readonly number: number;
  /** Offset of the first byte in the file. */
  readonly start: number;
  /** False for a last line without a line end. */
  readonly terminated: boolean;
}

export interface LineSplitter {
  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): Line[];
  /** The last line, if it has no line end. */
  end(): Line[];
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Splits a stream of bytes into lines; holds no more than the line it is in. */
export function createLineSplitter(): LineSplitter {
  const begun = createGrowingBuffer();
  let [offset, number] = [0, 0];

  const take = (bytes: Uint8Array, terminated: boolean): Line => {
    const start = offset;
    offset += bytes.length + (terminated ? 1 : 0);
    number += 1;
    return { bytes: terminated ? withoutCarriageReturn(bytes) : bytes, number, start, terminated };
  };

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        const piece = chunk.subarray(from, at);
        lines.push(take(begun.length() === 0 ? piece : begun.takeWith(piece), true));
        from = at + 1;
      }
      begun.add(chunk.subarray(from));
      return lines;
    },
    end: () => (begun.length() === 0 ? [] : [take(begun.takeWith(new Uint8Array(0)), false)]),
  };
}

/**
 * Collects the pieces of a line. Two buffers take turns and are kept, since fresh ones would fill the memory: the line
 * taken last stays whole while the next one begins in the other.
 */
function createGrowingBuffer() {
  let [buffer, other] = [new Uint8Array(0), new Uint8Array(0)];
  let length = 0;

  const add = (piece: Uint8Array) => {
    if (length + piece.length > buffer.length) {
      const larger = new Uint8Array(2 * (length + piece.length));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(piece, length);
    length += piece.length;
  };

  return {
    add,
    length: () => length,
    takeWith(piece: Uint8Array): Uint8Array {
      add(piece);
      const taken = buffer.subarray(0, length);
      [buffer, other, length] = [other, buffer, 0];
      return taken;
    },
  };
}

function withoutCarriageReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
