import { type Entry, MessagesError, parseEntry } from '@varve/messages';
import { decodeLoosely, isFaithful } from './line-text.ts';
import { type Range, scanJson } from './scan-json.ts';

/** An entry and its bytes, half open, in what it was read from. */
export interface PlacedEntry extends Range {
  readonly entry: Entry;
  /** False where bytes that are not UTF-8 were replaced. */
  readonly isUtf8: boolean;
}

/** The entry that bytes are; undefined for white space. Throws `MessagesError` for anything else. */
export function readEntry(bytes: Uint8Array): PlacedEntry | undefined {
  const text = decodeLoosely(bytes);
  if (text.trim() === '') return undefined;
  const entry = parseEntry(text);
  return { entry, start: 0, end: bytes.length, isUtf8: isFaithful(text, bytes) };
}

const LATIN1 = new TextDecoder('latin1');

/**
 * The entries that stand on a line one after the other, as writers without a lock leave them; `rest` is where what follows
 * the last one begins. Undefined where something else stands between them.
 */
export function readGlued(
  bytes: Uint8Array,
): { readonly entries: readonly PlacedEntry[]; readonly rest: number } | undefined {
  const text = LATIN1.decode(bytes); // one character a byte: a position is an offset
  const entries: PlacedEntry[] = [];
  let rest = 0;
  for (const { start, end } of scanJson(text).values) {
    const found = text[start] === '{' ? readOrNone(bytes.subarray(start, end)) : undefined;
    if (found === undefined || text.slice(rest, start).trim() !== '') return undefined;
    entries.push({ ...found, start, end });
    rest = end;
  }
  return { entries, rest: text.slice(rest).trim() === '' ? bytes.length : rest };
}

function readOrNone(bytes: Uint8Array): PlacedEntry | undefined {
  try {
    return readEntry(bytes);
  } catch (error) {
    if (MessagesError.is(error)) return undefined;
    throw error;
  }
}
