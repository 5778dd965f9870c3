import { decodeBytes, magicOf } from '../bytes.ts';
import type { OutputContent } from '../content.ts';
import { textOfBlocks } from '../content.ts';
import { formatBytes } from '../envelope.ts';
import { type ReadRange, readLines, readPage, type StoredPage } from './page.ts';
import { searchText } from './search.ts';

/** Part of a stored result. Reads the whole of its text, whatever the part. */
export function readRange(text: string, range: ReadRange, maxChars: number): StoredPage {
  if ('page' in range) return readPage(text, range.page, maxChars);
  if ('search' in range) return searchText(text, range, maxChars);
  return readLines(text, range.lines, { column: range.column, maxChars });
}

/** What can be read of a stored result; of binary data a line that says what it is. */
export function readableText(content: OutputContent): string {
  if (typeof content === 'string') return content;
  if (!(content instanceof Uint8Array)) return textOfBlocks(content);
  const { encoding, text } = decodeBytes(content);
  if (encoding !== 'binary') return text;
  return `[${magicOf(content) ?? 'binary data'}, ${formatBytes(content.length)}: no text to read]`;
}
