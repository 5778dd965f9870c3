import type { MemoryFolder } from './folder.ts';
import { byNewest } from './freshness.ts';
import { type IndexLine, readIndex } from './index-lines.ts';
import type { LibraryItem } from './library.ts';
import { INDEX_NAME } from './path.ts';

export interface LoadIndexOptions {
  /** Applied first. @default 200 */
  readonly maxLines?: number | undefined;
  /** Applied to what is left. @default 25_000 */
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
  /** Says which limit was hit and what is not there; undefined where nothing was cut. */
  readonly warning: string | undefined;
  /** Lines that were left out. */
  readonly leftOut: number;
  /** Files whose lines were left out; recall finds them all the same. */
  readonly leftOutPaths: readonly string[];
}

/** No index is so long; more of one is not read. */
const MOST_INDEX_BYTES = 4_194_304;
const MOST_NAMED = 10;

export const readIndexText = async (
  folder: MemoryFolder,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> =>
  (await folder.read(path, { maxBytes: MOST_INDEX_BYTES, signal }))?.text;

/** Cuts an index: what the user said (`feedback`, `user`) stays before what the project was, the newest before the older. */
export function cutIndex(
  text: string,
  items: readonly LibraryItem[],
  { maxLines = 200, maxBytes = 25_000, path = INDEX_NAME }: LoadIndexOptions,
): LoadedIndex {
  const clean = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n|\r/g, '\n')
    .replace(/\n$/, '');
  const lines = readIndex(path, clean);
  const whole = { text: clean, cutBy: undefined, warning: undefined };
  const isLong = lines.length > maxLines;
  if (!isLong && bytesOf(clean) <= maxBytes) return { ...whole, leftOut: 0, leftOutPaths: [] };
  const order = byWeight(lines, items);
  const inLines = order.slice(0, maxLines);
  const kept = new Set<IndexLine>();
  let bytes = 0;
  for (const line of inLines) {
    const size = bytesOf(line.text) + 1;
    if (bytes + size > maxBytes) continue;
    bytes += size;
    kept.add(line);
  }
  const out = lines.filter((line) => !kept.has(line));
  const cutBy = kept.size < inLines.length ? 'bytes' : 'lines';
  const limit = cutBy === 'lines' ? `${maxLines} lines` : `${maxBytes} bytes`;
  const leftOutPaths = [
    ...new Set(
      out.flatMap(({ kind, path: to }) => (kind === 'pointer' && to !== undefined ? [to] : [])),
    ),
  ];
  const named = leftOutPaths.slice(0, MOST_NAMED).join(', ');
  const more =
    leftOutPaths.length > MOST_NAMED ? ` and ${leftOutPaths.length - MOST_NAMED} more` : '';
  const files = named === '' ? '' : ` (${named}${more})`;
  const warning = `> ${path} is over its limit of ${limit}: ${out.length} of its ${lines.length} lines are not shown${files}. Shorten it; the files are still found by search.`;
  const shown = lines.filter((line) => kept.has(line)).map((line) => line.text);
  return {
    text: [warning, ...shown].join('\n'),
    cutBy,
    warning,
    leftOut: out.length,
    leftOutPaths,
  };
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

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
