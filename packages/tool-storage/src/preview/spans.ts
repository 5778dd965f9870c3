import { escapeTags, gap } from '../envelope.ts';

/** Part of a text: from the UTF-16 unit at `start` to the one before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parts in order, with a line between them that says what was left out. Overlapping parts are joined. */
export function renderSpans(text: string, spans: readonly Span[]): string {
  const place = createPlaces(text);
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of joinSpans(spans)) {
    if (start > from) pieces.push(gap(place(from, start)));
    pieces.push(escapeTags(text.slice(start, end).replace(/\n$/, '')).toWellFormed());
    from = end;
  }
  if (from < text.length) pieces.push(gap(place(from, text.length)));
  return pieces.join('\n');
}

/** Sorted, without overlaps; what touches becomes one. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = joined.at(-1);
    if (span.end <= span.start) continue;
    if (last === undefined || span.start > last.end) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}

/** How many lines a text has; a line end at its end begins no further one. */
export function countLines(text: string): number {
  if (text === '') return 0;
  return lineEnds(text, 0, text.length - 1) + 1;
}

/** Line ends in a part of a text, without making strings of its lines. */
export function lineEnds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

/** Names parts of a text by line, and by column where they are parts of lines. Asked in order it reads the text once. */
function createPlaces(text: string): (start: number, end: number) => string {
  let [line, at] = [1, 0];
  const lineAt = (index: number): number => {
    line += lineEnds(text, at, index);
    at = index;
    return line;
  };
  return (start, end) => {
    const [first, column] = [lineAt(start), columnAt(text, start)];
    const isWhole = column === 1 && (end === text.length || text[end - 1] === '\n');
    const [last, lastColumn] = [lineAt(end - 1), columnAt(text, end - 1)];
    if (isWhole) return first === last ? `lines="${first}"` : `lines="${first}-${last}"`;
    if (first === last) return `line="${first}" columns="${column}-${lastColumn}"`;
    return `from="${first}:${column}" to="${last}:${lastColumn}"`;
  };
}

const columnAt = (text: string, index: number): number =>
  index === 0 ? 1 : index - text.lastIndexOf('\n', index - 1);
