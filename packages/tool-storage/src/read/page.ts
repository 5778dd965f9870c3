import { ToolStorageError } from '../error.ts';
import { lineEnds } from '../preview/spans.ts';

/**
 * What to read of a stored result: a page of fixed size, lines (both inclusive, from 1), or places with a text (as it
 * stands, no pattern). `column` begins inside the first line; `skip` leaves out so many places.
 */
export type ReadRange =
  | { readonly page: number }
  | { readonly lines: readonly [number, number]; readonly column?: number | undefined }
  | {
      readonly search: string;
      readonly ignoreCase?: boolean | undefined;
      readonly skip?: number | undefined;
    };

export interface StoredPage {
  /** For a page or lines: exactly that part of the text. For a search: a line per place, `line:column: excerpt`. */
  readonly text: string;
  /** How to read on; `undefined` at the end. */
  readonly next: ReadRange | undefined;
  /** How many pages, lines or places there are in all. */
  readonly total: number;
}

/** The `number`-th piece of at most `maxChars` UTF-16 units, cut between characters; all pages together are the text. */
export function readPage(text: string, number: number, maxChars: number): StoredPage {
  const step = maxChars - 1; // a page that begins one character earlier still fits
  const total = Math.max(1, Math.ceil(text.length / step));
  if (!(Number.isInteger(number) && number >= 1 && number <= total)) {
    throw rangeError(`there are pages 1 to ${total}`);
  }
  const start = onCharacter(text, (number - 1) * step);
  const end = onCharacter(text, number * step);
  const next = number < total ? { page: number + 1 } : undefined;
  return { text: text.slice(start, end), next, total };
}

interface LinesOptions {
  readonly column?: number | undefined;
  readonly maxChars: number;
}

/** Lines in order, at most `maxChars` UTF-16 units of them; `next` goes on at the very next character. */
export function readLines(
  text: string,
  [first, last]: readonly [number, number],
  { column = 1, maxChars }: LinesOptions,
): StoredPage {
  const total = lineEnds(text, 0, text.length) + Number(!text.endsWith('\n'));
  const isRange = [first, last, column].every((value) => Number.isInteger(value) && value >= 1);
  if (!isRange || last < first || first > total) throw rangeError(`there are lines 1 to ${total}`);
  const start = lineStart(text, first) + column - 1;
  const stop = lineEndFrom(text, start, { first, last });
  const lineBegin = start - column + 1;
  const length = lineEndFrom(text, lineBegin, { first, last: first }) - lineBegin;
  if (column > 1 && column > length) throw rangeError(`line ${first} has ${length} characters`);
  const end = stop - start > maxChars ? onCharacter(text, start + maxChars) : stop;
  const next = end < stop ? resume(text, { start, end, first, last, column }) : undefined;
  return { text: text.slice(start, end), next, total };
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
  readonly column: number;
}

function resume(text: string, { start, end, first, last, column }: Cut): ReadRange {
  const line = first + lineEnds(text, start, end);
  const lineBegin = text.lastIndexOf('\n', end - 1) + 1;
  const at = lineBegin > start ? end - lineBegin + 1 : column + end - start;
  return at === 1 ? { lines: [line, last] } : { lines: [line, last], column: at };
}

/** Where a line begins; `line` is known to exist. */
function lineStart(text: string, line: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  return start;
}

/** Behind the line end of `last`, read on from `start` in `first`. */
function lineEndFrom(
  text: string,
  start: number,
  { first, last }: { readonly first: number; readonly last: number },
): number {
  let end = start;
  for (let line = first; line <= last; line++) {
    const found = text.indexOf('\n', end);
    if (found === -1) return text.length;
    end = found + 1;
  }
  return end;
}

/** One further back where a character would be split. */
function onCharacter(text: string, index: number): number {
  const isSplit =
    index > 0 && index < text.length && (text.codePointAt(index - 1) as number) > 0xffff;
  return isSplit ? index - 1 : Math.min(index, text.length);
}

/** A count of what to leave out. */
export function checkSkip(skip: unknown): number {
  if (Number.isInteger(skip) && (skip as number) >= 0) return skip as number;
  throw rangeError('`skip` must be a whole number from 0 up');
}

export const rangeError = (text: string): ToolStorageError =>
  new ToolStorageError('invalid-range', text);
