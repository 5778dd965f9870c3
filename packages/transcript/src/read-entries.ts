import { type Entry, parseEntry } from '@varve/messages';
import { TranscriptError } from './error.ts';
import { splitGlued } from './glued.ts';
import { createLineSplitter, type Line } from './lines.ts';
import type { LogProblem, LogProblemKind } from './problem.ts';

export interface ReadEntriesOptions {
  /** Named in errors. */
  readonly file?: string;
  readonly onProblem?: (problem: LogProblem) => void;
  /**
   * What to do with a line that is no entry and not the torn last one.
   * @default 'throw'
   */
  readonly damage?: 'throw' | 'report';
}

/** An entry and the line it stood on. */
export interface EntryOnLine {
  readonly entry: Entry;
  readonly line: Line;
}

/**
 * Reads a log from a stream of bytes, one entry after the other, holding one line at a time. A torn last line is left out
 * and reported; damage elsewhere throws `damaged-line` with file and line.
 */
export async function* readEntries(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadEntriesOptions = {},
): AsyncGenerator<EntryOnLine> {
  const splitter = createLineSplitter();
  const reader = createEntryReader(options);
  for await (const chunk of chunks) {
    // Not `yield*`: that awaits each item of a plain list three times.
    for (const line of splitter.push(chunk)) {
      for (const item of reader.entriesOf(line)) yield item;
    }
  }
  for (const line of splitter.end()) for (const item of reader.entriesOf(line)) yield item;
}

function createEntryReader({ file, onProblem, damage = 'throw' }: ReadEntriesOptions) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const seen = new Set<string>();

  const report: Report = (kind, line, text, skippedBytes = 0) =>
    onProblem?.({
      kind,
      line: line.number,
      start: line.start + skippedBytes,
      bytes: line.bytes.length - skippedBytes,
      text,
    });

  const refuse = (line: Line, cause: unknown): EntryOnLine[] => {
    const text =
      'this line is not a log entry; `salvageLog` keeps the file and leaves the line out';
    if (damage === 'throw') {
      const place = { ...(file === undefined ? {} : { file }), line: line.number };
      throw new TranscriptError('damaged-line', text, { ...place, cause });
    }
    report('damaged-line', line, text);
    return [];
  };

  const fresh = (entry: Entry, line: Line): EntryOnLine[] => {
    if (seen.has(entry.id)) {
      report('duplicate-entry', line, 'an entry with this id came before; the first one counts');
      return [];
    }
    seen.add(entry.id);
    return [{ entry, line }];
  };

  const several = (text: string, line: Line, cause: unknown): EntryOnLine[] => {
    const { records, restStart } = splitGlued(text);
    const isWhole = text.slice(restStart).trim() === '';
    if (!line.terminated && records.length === 0) {
      report('torn-tail', line, 'the last line was never finished');
      return [];
    }
    if (records.length === 0 || (!isWhole && line.terminated)) return refuse(line, cause);
    const entries = parseAll(records);
    if (entries === undefined) return refuse(line, cause);
    report('glued-records', line, `${records.length} entries stand on one line`);
    if (!isWhole) {
      const skipped = bytesBefore(decoder.decode(line.bytes), text, restStart);
      report('torn-tail', line, 'the last record of the line was never finished', skipped);
    } else if (!line.terminated) report('missing-line-end', line, 'the last entry has no line end');
    return entries.flatMap((entry) => fresh(entry, line));
  };

  return {
    entriesOf(line: Line): EntryOnLine[] {
      const text = clean(decoder.decode(line.bytes), line, report);
      if (text === '') return [];
      try {
        const entry = parseEntry(text);
        if (!line.terminated) report('missing-line-end', line, 'the last entry has no line end');
        return fresh(entry, line);
      } catch (cause) {
        return several(text, line, cause);
      }
    },
  };
}

function parseAll(records: readonly string[]): Entry[] | undefined {
  try {
    return records.map(parseEntry);
  } catch {
    return undefined; // a whole object that is no entry: the caller refuses the line
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

type Report = (kind: LogProblemKind, line: Line, text: string, skippedBytes?: number) => void;

/** Bytes in front of position `index` of the cleaned text, counted in the line as it is in the file. */
function bytesBefore(raw: string, cleaned: string, index: number): number {
  return new TextEncoder().encode(raw.slice(0, raw.indexOf(cleaned) + index)).length;
}

function clean(text: string, line: Line, report: Report): string {
  let rest = text;
  if (line.start === 0 && rest.startsWith(BYTE_ORDER_MARK)) {
    report('byte-order-mark', line, 'the file begins with a byte order mark');
    rest = rest.slice(1);
  }
  if (rest.startsWith('\0') || rest.endsWith('\0')) {
    report('nul-padding', line, 'NUL bytes stand around the entry');
    rest = trimNul(rest);
  }
  return rest.trim();
}

function trimNul(text: string): string {
  let [start, end] = [0, text.length];
  while (text.charCodeAt(start) === 0) start++;
  while (end > start && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(start, end);
}
