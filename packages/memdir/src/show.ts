import { ageInDays, freshnessHeader } from './freshness.ts';
import type { LibraryItem } from './library.ts';

export interface ShowOptions {
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly nowMs: number;
  /** What a model opens the file by. */
  readonly place: string;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** A memory as it is put before a model: its age, its path and its text, cut at the end of a paragraph. */
export function showMemory(item: LibraryItem, options: ShowOptions) {
  const { maxBytes, maxLines, nowMs, place } = options;
  const header = freshnessHeader(place, ageInDays(item.modifiedMs, nowMs));
  const body = item.memory.body.replace(/\r\n|\r/g, '\n').trim();
  const whole = `${header}\n\n${body}`;
  const isWhole = item.memory.problems.includes('too-large') === false;
  if (isWhole && bytesOf(whole) <= maxBytes && whole.split('\n').length <= maxLines) {
    return { text: whole, isCut: false };
  }
  const end = `\n\n[cut here: the rest is in ${place}]`;
  const room = maxBytes - bytesOf(`${header}\n\n${end}`);
  const lines = maxLines - `${header}\n\n${end}`.split('\n').length + 1;
  return {
    text: `${header}\n\n${cutBody(body, Math.max(0, room), Math.max(0, lines))}${end}`,
    isCut: true,
  };
}

/** As many whole paragraphs as fit; where that is less than half, whole lines; where no line fits, characters. */
function cutBody(body: string, maxBytes: number, maxLines: number): string {
  const start = startOf(body.split('\n').slice(0, maxLines).join('\n'), maxBytes);
  if (start.length === body.length) return start;
  const isAtLineEnd = body[start.length] === '\n';
  const paragraph = start.lastIndexOf('\n\n');
  const line = isAtLineEnd ? start.length : start.lastIndexOf('\n');
  if (/^\n\n/.test(body.slice(start.length))) return start.trimEnd();
  const most = start.length / 2;
  if (paragraph >= most) return start.slice(0, paragraph).trimEnd();
  return (line > 0 ? start.slice(0, line) : start).trimEnd();
}

/** The longest start that fits, without half a character. */
function startOf(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), {
    stream: true,
  });
}
