/** What was wrong with the bytes of a line, and mended. */
export type TextProblem = 'nul-padding' | 'byte-order-mark' | 'bad-utf8';

export type ReportText = (kind: TextProblem, text: string) => void;

/** The part of a line between NULs and behind a byte order mark, which are reported. */
export function trimLine(bytes: Uint8Array, report: ReportText): Uint8Array {
  let [start, end, nuls, marks] = [0, bytes.length, 0, 0];
  for (; ; start += 1) {
    if (bytes[start] === 0) nuls += 1;
    else if (startsWithMark(bytes, start)) [start, marks] = [start + 2, marks + 1];
    else break;
  }
  for (; end > start && bytes[end - 1] === 0; end--) nuls += 1;
  if (nuls > 0) report('nul-padding', `${nuls} NUL bytes were skipped`);
  if (marks > 0) report('byte-order-mark', 'a byte order mark was skipped');
  return nuls + marks === 0 ? bytes : bytes.subarray(start, end);
}

/** EF BB BF. */
const startsWithMark = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LOOSE = new TextDecoder('utf-8', { ignoreBOM: true });
const REPLACEMENT = '\uFFFD';

/**
 * The text of bytes; what is not UTF-8 becomes U+FFFD. Engines decode loosely twice as fast as strictly, and a text without
 * U+FFFD is the same either way.
 */
export const decodeLoosely = (bytes: Uint8Array): string => LOOSE.decode(bytes);

/** Whether the text that bytes were decoded to is all of what they hold. */
export const isFaithful = (text: string, bytes: Uint8Array): boolean =>
  !text.includes(REPLACEMENT) || isUtf8(bytes);

/** The text of bytes; what is not UTF-8 becomes U+FFFD and is reported. */
export function decodeText(bytes: Uint8Array, report: ReportText): string {
  const text = decodeLoosely(bytes);
  if (!isFaithful(text, bytes)) {
    report('bad-utf8', 'bytes that are not UTF-8 were replaced by U+FFFD');
  }
  return text;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}
