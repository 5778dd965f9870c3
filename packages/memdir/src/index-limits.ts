/** An index is loaded up to so many lines, then up to so many bytes. */
export const MOST_INDEX_LINES = 200;
export const MOST_INDEX_BYTES = 25_000;

/** The longest line of an index. */
export const MOST_LINE_CHARS = 150;

/** An index as it is loaded and measured: no byte order mark, every line end `\n`, none behind the last line. */
export const plainIndex = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n|\r/g, '\n')
    .replace(/\n$/, '');

export interface IndexSize {
  readonly lines: number;
  readonly bytes: number;
}

/** How much of its limits an index uses. */
export function sizeOfIndex(text: string): IndexSize {
  const plain = plainIndex(text);
  return { lines: plain === '' ? 0 : plain.split('\n').length, bytes: bytesOf(plain) };
}

export const isOverLimit = ({ lines, bytes }: IndexSize): boolean =>
  lines > MOST_INDEX_LINES || bytes > MOST_INDEX_BYTES;

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
