/** `path:12:text` or `path-12-text` of grep -n, ripgrep and git grep, and `path:text` of grep on several files. */
const MATCH = /^([^\s:][^:\n]{0,250}):(?:(\d+):)?/;
/** So many of the first lines that are not empty decide. */
const SAMPLE_LINES = 40;
const MAX_FILES = 20_000;

export interface SearchSummary {
  readonly files: number;
  readonly matches: number;
  /** Files in the order of their first match. */
  readonly counts: ReadonlyMap<string, number>;
  /** Matches in files beyond those that are counted one by one. */
  readonly others: number;
}

/** Counts the matches of a search result by file; `undefined` where the lines do not look like one. */
export function summarizeSearch(text: string): SearchSummary | undefined {
  if (!looksLikeSearch(text)) return undefined;
  const counts = new Map<string, number>();
  let [matches, others] = [0, 0];
  for (const line of linesOf(text)) {
    const file = MATCH.exec(line)?.[1];
    if (file === undefined) continue;
    matches++;
    if (counts.has(file) || counts.size < MAX_FILES) counts.set(file, (counts.get(file) ?? 0) + 1);
    else others++;
  }
  return { files: counts.size, matches, counts, others };
}

/** The counts as lines, the files with most matches first, in at most `maxChars` UTF-16 units. */
export function describeSearch(
  { files, matches, counts, others }: SearchSummary,
  maxChars: number,
): string {
  const more = others === 0 ? '' : ' and more';
  const lines = [`${matches} matches in ${files}${more} files`];
  let room = maxChars - (lines[0]?.length ?? 0) - 24;
  const sorted = [...counts].sort(([, left], [, right]) => right - left);
  for (const [file, count] of sorted) {
    const line = `${file}: ${count}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = sorted.length - lines.length + 1;
  return left > 0 ? [...lines, `and ${left} more files`].join('\n') : lines.join('\n');
}

function looksLikeSearch(text: string): boolean {
  let [seen, numbered] = [0, 0];
  for (const line of linesOf(text)) {
    if (line.trim() === '' || line === '--') continue;
    seen++;
    const path = MATCH.exec(line);
    if (path?.[2] !== undefined && /[./]/.test(path[1] ?? '')) numbered++;
    if (seen >= SAMPLE_LINES) break;
  }
  return seen >= 3 && numbered >= seen * 0.7;
}

/** Lines up to the length that a path and a line number need: a long line is never copied whole. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield text.slice(start, Math.min(stop, start + 300));
    start = stop + 1;
  }
}
