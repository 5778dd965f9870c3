/** A line of a file without its line end, or the size of one that was too long to hold. */
export type Line =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly droppedBytes: number };

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/**
 * Splits bytes at line feeds (a carriage return before one belongs to the line end). Holds one line at a time: of a line
 * above `maxLineBytes` only the size is kept.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: { readonly maxLineBytes: number },
): AsyncGenerator<Line> {
  const pending = createPending(options.maxLineBytes);
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      pending.push(chunk.subarray(start, end));
      yield pending.take(line);
      line += 1;
      start = end + 1;
    }
    // a copy: the caller may use the chunk's memory again
    if (start < chunk.length) pending.push(chunk.slice(start));
  }
  if (pending.size() > 0) yield pending.take(line);
}

function createPending(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    size: () => size,
    push(part: Uint8Array): void {
      size += part.length;
      if (size > maxBytes) parts = [];
      else if (part.length > 0) parts.push(part);
    },
    take(line: number): Line {
      const taken: Line =
        size > maxBytes
          ? { line, droppedBytes: size }
          : { line, bytes: trimEnd(join(parts, size)) };
      parts = [];
      size = 0;
      return taken;
    },
  };
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
