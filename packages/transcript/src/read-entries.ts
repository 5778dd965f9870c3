import { type Entry, MessagesError } from '@varve/messages';
import { eachOf } from './each-of.ts';
import { TranscriptError } from './error.ts';
import { trimLine } from './line-text.ts';
import { createLineSplitter, type Line } from './lines.ts';
import { FORMAT_ID, isFormat } from './log-format.ts';
import { type PlacedEntry, readEntry, readGlued } from './placed-entry.ts';
import type { LogProblem, LogProblemKind } from './problem.ts';

export interface ReadEntriesOptions {
  /** Named in errors. */
  readonly file?: string;
  /** Told of everything that was forgiven, in the order of the file. */
  readonly onProblem?: (problem: LogProblem) => void;
  /**
   * What to do with a line that is no entry and not the torn last one.
   * @default 'throw'
   */
  readonly damage?: 'throw' | 'report';
}

/** An entry and where it stands in its file. */
export interface EntryOnLine {
  readonly entry: Entry;
  /** Counted from 1. */
  readonly line: number;
  /** Half-open range in the file in bytes, without the line end. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a log from a stream of bytes, one entry after the other, holding one line at a time and the ids of all. A torn
 * last line is left out and reported.
 *
 * @throws TranscriptError `damaged-line` with file and line for damage elsewhere; `newer-format` for a log of a newer version
 */
export function readEntries(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadEntriesOptions = {},
): AsyncGenerator<EntryOnLine> {
  return eachOf(readChunked(chunks, options));
}

/** The entries of the lines that each chunk completes; a line is read when its entry is asked for. */
async function* readChunked(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadEntriesOptions,
): AsyncGenerator<Iterable<EntryOnLine>, undefined> {
  const splitter = createLineSplitter();
  const reader = createEntryReader(options);
  for await (const chunk of chunks) yield reader.entriesOf(splitter.push(chunk));
  yield reader.entriesOf(splitter.end());
}

function createEntryReader({ file, onProblem, damage = 'throw' }: ReadEntriesOptions) {
  const seen = new Set<string>();

  function report(kind: LogProblemKind, line: Line, skipped = 0): void {
    const [start, bytes] = [line.start + skipped, line.size - skipped];
    onProblem?.({ kind, line: line.number, start, bytes, text: TEXTS[kind] });
  }

  const placeOf = ({ number }: Line) => ({ ...(file === undefined ? {} : { file }), line: number });

  function refuse(kind: 'damaged-line' | 'bad-utf8', line: Line, cause?: unknown): EntryOnLine[] {
    if (damage === 'throw') {
      const where = { ...placeOf(line), cause };
      throw new TranscriptError('damaged-line', `${TEXTS[kind]}; ${REMEDY}`, where);
    }
    report(kind, line);
    return [];
  }

  /** `at`: where the bytes begin that the entry was read from. */
  function place(found: PlacedEntry, line: Line, at: number): EntryOnLine | undefined {
    const { entry, start, end, isUtf8 } = found;
    if (!isUtf8) refuse('bad-utf8', line);
    if (entry.id === FORMAT_ID && isFormat(entry, placeOf(line))) return undefined;
    const known = seen.size; // one look-up where has and add are two
    if (seen.add(entry.id).size !== known) {
      return { entry, line: line.number, start: at + start, end: at + end };
    }
    report('duplicate-entry', line);
    return undefined;
  }

  /** A line that is not one entry: several of them, or the beginning of one where the file ends. */
  function takeApart(content: Uint8Array, line: Line, cause?: unknown): EntryOnLine[] {
    const { entries, rest } = readGlued(content) ?? { entries: undefined, rest: 0 };
    const skipped = content.byteOffset - line.bytes.byteOffset;
    if (entries?.length === 0 && !line.isTerminated) {
      report('torn-tail', line);
      return [];
    }
    const isTorn = rest < content.length;
    if (entries === undefined || entries.length === 0 || (isTorn && line.isTerminated)) {
      return refuse('damaged-line', line, cause);
    }
    report('glued-records', line);
    if (isTorn) report('torn-tail', line, skipped + rest);
    else if (!line.isTerminated) report('missing-line-end', line);
    return entries
      .map((found) => place(found, line, line.start + skipped))
      .filter((item) => item !== undefined);
  }

  function entriesOn(line: Line): EntryOnLine | readonly EntryOnLine[] | undefined {
    let content = line.bytes;
    if (!isObject(content) || line.isCut) {
      content = trimLine(content, (kind) => report(kind, line));
      if (line.isCut) return takeApart(content.subarray(0, 0), line);
      const looks = lookAt(content);
      if (looks === 'blank') return undefined;
      if (looks === 'no-object' && damage === 'report') return takeApart(content, line);
    }
    try {
      const found = readEntry(content);
      if (found === undefined) return undefined;
      if (!line.isTerminated) report('missing-line-end', line);
      return place(found, line, line.start + content.byteOffset - line.bytes.byteOffset);
    } catch (cause) {
      if (!MessagesError.is(cause)) throw cause;
      return takeApart(content, line, cause);
    }
  }

  return {
    *entriesOf(lines: Iterable<Line>): Generator<EntryOnLine, undefined> {
      for (const line of lines) {
        const found = entriesOn(line);
        if (found === undefined) continue;
        if ('entry' in found) yield found;
        else for (const item of found) yield item;
      }
    },
  };
}

/**
 * What a line can be by its first and last byte: in a file that is no log an error for each line costs many times as much as a
 * look.
 */
function lookAt(content: Uint8Array): 'blank' | 'no-object' | 'unknown' {
  let [start, end] = [0, content.length];
  while (isBlank(content[start])) start += 1;
  while (end > start && isBlank(content[end - 1])) end -= 1;
  if (start === end) return 'blank';
  if (isObject(content.subarray(start, end))) return 'unknown';
  const isAscii = (content[start] as number) < FIRST_BEYOND_ASCII;
  return !isAscii && ANY_TEXT.decode(content).trim() === '' ? 'blank' : 'no-object';
}

/** What nearly every line is. */
const isObject = (bytes: Uint8Array): boolean =>
  bytes[0] === OPEN_BRACE && bytes[bytes.length - 1] === CLOSE_BRACE;

const isBlank = (byte: number | undefined): boolean =>
  byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;

const SPACE = 32;
const TAB = 9;
const CARRIAGE_RETURN = 13;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const FIRST_BEYOND_ASCII = 128;
const ANY_TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

const REMEDY = '`salvageLog` keeps the file as it is and puts a readable one in its place';

const TEXTS: Readonly<Record<LogProblemKind, string>> = {
  'torn-tail': 'the last record was never finished',
  'missing-line-end': 'the last entry has no line end',
  'glued-records': 'several entries stand on one line',
  'duplicate-entry': 'an entry with this id came before; the first one counts',
  'nul-padding': 'NUL bytes stand around an entry or in place of one',
  'byte-order-mark': 'a byte order mark was skipped',
  'damaged-line': 'this line is not a log entry',
  'bad-utf8': 'this line holds bytes that are not UTF-8',
};
