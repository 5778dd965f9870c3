import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
import { byNewest } from './freshness.ts';
import { bytesOf, MOST_INDEX_BYTES, MOST_INDEX_LINES, plainIndex } from './index-limits.ts';
import { type IndexLine, readIndex } from './index-lines.ts';
import type { LibraryItem } from './library.ts';
import { INDEX_NAME } from './path.ts';

export interface LoadIndexOptions {
  /** Applied first; the warning is one of them. @default 200 */
  readonly maxLines?: number | undefined;
  /** Applied to what is left, with the warning. @default 25_000 */
  readonly maxBytes?: number | undefined;
  /** Which one. @default `MEMORY.md` */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An index as it is put before a model. */
export interface LoadedIndex {
  /** Empty where there is none. Of an index beyond a limit whole lines, and the warning in front. */
  readonly text: string;
  /** Which limit cut it. */
  readonly cutBy: 'lines' | 'bytes' | undefined;
  /** Says which limit was hit and what is not there, or that the index is not read; undefined where all of it is there. */
  readonly warning: string | undefined;
  /** Lines that were left out. */
  readonly leftOut: number;
  /** Files whose lines were left out; recall finds them all the same. */
  readonly leftOutPaths: readonly string[];
}

/** No index is so long; more of one is not read. */
const MOST_READ_BYTES = 4_194_304;
const MOST_NAMED = 10;

/** Undefined where there is none; `refused` where a link or something else stands there, or the system does not give it. */
export async function readIndexText(
  folder: MemoryFolder,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly isText: boolean } | 'refused' | undefined> {
  try {
    return await folder.read(path, { maxBytes: MOST_READ_BYTES, signal });
  } catch (error) {
    if (!MemdirError.is(error)) throw error;
    return 'refused';
  }
}

/** For a model, which would take an index that is not read for one that is not there. */
export function unreadIndex(path: string): LoadedIndex {
  const warning = `> ${path} is not read: a link or something else that is no file stands there, or the system refused. The memories are still found by search.`;
  return { text: warning, cutBy: undefined, warning, leftOut: 0, leftOutPaths: [] };
}

/** Cuts an index: what the user said (`feedback`, `user`) stays before what the project was, the newest before the older. */
export function cutIndex(
  text: string,
  items: readonly LibraryItem[],
  options: LoadIndexOptions,
): LoadedIndex {
  const { maxLines = MOST_INDEX_LINES, maxBytes = MOST_INDEX_BYTES, path = INDEX_NAME } = options;
  const plain = plainIndex(text);
  const lines = readIndex(path, plain);
  const isLong = lines.length > maxLines;
  if (!isLong && bytesOf(plain) <= maxBytes) {
    return { text: plain, cutBy: undefined, warning: undefined, leftOut: 0, leftOutPaths: [] };
  }
  const limits = { maxLines, maxBytes, path };
  const order = byWeight(lines, items);
  const fitting = order.slice(0, maxLines - 1); // the warning is a line too
  const loaded = withWarning(lines, fitting, 'lines', limits);
  if (isLong && bytesOf(loaded.text) <= maxBytes) return loaded;
  // The warning takes room, and is longer the more it names: what is left for lines is found by trying.
  for (let room = maxBytes; ; ) {
    const kept = fill(fitting, room);
    const next = withWarning(lines, kept, 'bytes', limits);
    const over = bytesOf(next.text) - maxBytes;
    if (over <= 0) return next;
    if (kept.length === 0) return { ...next, text: '' }; // there is no room for the warning itself
    room = Math.min(room, sizeOf(kept)) - over;
  }
}

const sizeOf = (lines: readonly IndexLine[]): number =>
  lines.reduce((sum, { text }) => sum + bytesOf(text) + 1, 0);

/** The first lines that fit; one that does not is left out. */
function fill(order: readonly IndexLine[], maxBytes: number): readonly IndexLine[] {
  let bytes = 0;
  return order.filter(({ text }) => {
    const size = bytesOf(text) + 1;
    if (bytes + size > maxBytes) return false;
    bytes += size;
    return true;
  });
}

interface Limits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly path: string;
}

function withWarning(
  lines: readonly IndexLine[],
  chosen: readonly IndexLine[],
  cutBy: 'lines' | 'bytes',
  { maxLines, maxBytes, path }: Limits,
): LoadedIndex {
  const kept = new Set(chosen);
  const out = lines.filter((line) => !kept.has(line));
  const limit = cutBy === 'lines' ? `${maxLines} lines` : `${maxBytes} bytes`;
  const leftOutPaths = [...new Set(out.flatMap(({ path: to }) => to ?? []))];
  const named = leftOutPaths.slice(0, MOST_NAMED).join(', ');
  const more =
    leftOutPaths.length > MOST_NAMED ? ` and ${leftOutPaths.length - MOST_NAMED} more` : '';
  const files = named === '' ? '' : ` (${named}${more})`;
  const warning = `> ${path} is over its limit of ${limit}: ${out.length} of its ${lines.length} lines are not shown${files}. Shorten it; the files are still found by search.`;
  const shown = lines.filter((line) => kept.has(line)).map((line) => line.text);
  return {
    text: [warning, ...shown].join('\n'),
    ...{ cutBy, warning, leftOut: out.length, leftOutPaths },
  };
}

/** Lines, those first that are kept at the longest. */
function byWeight(
  lines: readonly IndexLine[],
  items: readonly LibraryItem[],
): readonly IndexLine[] {
  const byPath = new Map(items.map((item) => [item.path, item]));
  const newest = new Map([...items].sort(byNewest).map(({ path }, place) => [path, place]));
  const weigh = (line: IndexLine): readonly [group: number, place: number] => {
    const item = line.path === undefined ? undefined : byPath.get(line.path);
    if (line.kind === 'pointer' && item !== undefined) {
      const isOfUser = item.type === 'feedback' || item.type === 'user';
      return [isOfUser ? 0 : 1, newest.get(item.path) ?? 0];
    }
    const group = line.kind === 'content' ? 2 : line.kind === 'pointer' ? 3 : 4;
    return [group, line.line];
  };
  return lines
    .map((line) => ({ line, weight: weigh(line) }))
    .sort(({ weight: [a, b] }, { weight: [c, d] }) => a - c || b - d)
    .map(({ line }) => line);
}
