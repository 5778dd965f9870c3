import type { ImportContext } from './context.ts';

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LOOSE = new TextDecoder('utf-8', { ignoreBOM: true });
const BYTE_ORDER_MARK = '\uFEFF';

/** The text of a line without a byte order mark and without NULs around it, which are reported. */
export function decodeLine(bytes: Uint8Array, line: number, context: ImportContext): string {
  const text = decodeUtf8(trimNuls(bytes, line, context), line, context);
  if (!text.startsWith(BYTE_ORDER_MARK)) return text;
  context.problem('byte-order-mark', line, 'a byte order mark was skipped');
  return text.slice(1);
}

function decodeUtf8(bytes: Uint8Array, line: number, context: ImportContext): string {
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    context.problem('bad-utf8', line, 'bytes that are not UTF-8 were replaced by U+FFFD');
    return LOOSE.decode(bytes);
  }
}

function trimNuls(bytes: Uint8Array, line: number, context: ImportContext): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && bytes[start] === 0) start += 1;
  while (end > start && bytes[end - 1] === 0) end -= 1;
  const padding = bytes.length - (end - start);
  if (padding === 0) return bytes;
  context.problem('nul-padding', line, `${padding} NUL bytes were skipped`);
  return bytes.subarray(start, end);
}
