import type { Change } from './commit.ts';
import type { MemoryFolder } from './folder.ts';
import { indexFor, isStoreLike, type LineSource, lineFor, readIndex } from './index-lines.ts';
import { OWN_LINES, type OwnLines, parseOwnLines } from './own-lines.ts';

/** How much of its limits the index has used. */
export interface IndexRoom {
  readonly path: string;
  readonly lines: number;
  readonly maxLines: number;
  readonly bytes: number;
  readonly maxBytes: number;
}

const MAX_LINES = 200;
const MAX_BYTES = 25_000;

/** Edits of the indexes of a folder that belong to one change. */
export interface IndexEdit {
  /** Whether the file has a line, this one or another's. False where the index is full: it is found by search alone then. */
  point(file: LineSource): boolean;
  /** Takes out every line that points to a path; the line of `successor`, if it is given, stands in place of the first. */
  unpoint(path: string, successor?: LineSource): void;
  /** Brings lines of ours up to date, drops those of files that are gone, and adds what is missing. */
  refresh(files: readonly LineSource[]): readonly string[];
  roomOf(path: string): IndexRoom;
  changes(): readonly Change[];
}

interface OpenIndex {
  readonly before: string | undefined;
  /** Each with the `\r` at its end, where it has one: lines of others keep every byte. */
  readonly lines: string[];
  /** `\r` where lines of the file end in it. */
  readonly mark: string;
}

export async function openIndexes(
  folder: MemoryFolder,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<IndexEdit> {
  const open = new Map<string, OpenIndex>();
  for (const path of paths) open.set(path, openText((await folder.read(path, { signal }))?.text));
  const ownBefore = (await folder.read(OWN_LINES, { signal }))?.text;
  let own: OwnLines = parseOwnLines(ownBefore);

  const indexOf = (path: string): readonly [string, OpenIndex] => {
    const at = indexFor(path, [...open.keys()]);
    const found = open.get(at) ?? openText(undefined);
    open.set(at, found);
    return [at, found];
  };
  const textOf = ({ lines }: OpenIndex): string =>
    lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  const targets = new Map<string, string | undefined>();

  /** Where a line of an index points. */
  function pathOf(at: string, line: string): string | undefined {
    const key = `${at}\n${line}`;
    if (!targets.has(key)) targets.set(key, readIndex(at, line)[0]?.path);
    return targets.get(key);
  }

  function replace(at: string, index: OpenIndex, line: number, next: string | undefined): void {
    const old = index.lines[line] as string;
    index.lines.splice(line, 1, ...(next === undefined ? [] : [`${next}${index.mark}`]));
    own = own.with(at, next === undefined ? [] : [next], [old]);
  }

  function roomOf(path: string): IndexRoom {
    const [at, index] = indexOf(path);
    const bytes = new TextEncoder().encode(textOf(index)).length;
    return { path: at, lines: index.lines.length, maxLines: MAX_LINES, bytes, maxBytes: MAX_BYTES };
  }

  function point(file: LineSource): boolean {
    const [at, index] = indexOf(file.path);
    const line = lineFor(at, file);
    const there = index.lines.findIndex((each) => pathOf(at, each) === file.path);
    if (there !== -1) {
      const old = index.lines[there] as string;
      if (own.has(at, old) && old.trimEnd() !== line) replace(at, index, there, line);
      return true;
    }
    const { lines, bytes } = roomOf(file.path);
    const size = new TextEncoder().encode(`${line}${index.mark}\n`).length;
    if (lines >= MAX_LINES || bytes + size > MAX_BYTES) return false;
    const last = index.lines.at(-1);
    if (last !== undefined && !last.endsWith(index.mark)) {
      index.lines[index.lines.length - 1] = `${last}${index.mark}`; // it had no line end
    }
    index.lines.push(`${line}${index.mark}`);
    own = own.with(at, [line], []);
    return true;
  }

  return {
    point,
    roomOf,
    unpoint(path, successor) {
      for (const [at, index] of open) {
        const isHome = successor !== undefined && indexFor(successor.path, [...open.keys()]) === at;
        let next = isHome && successor !== undefined ? lineFor(at, successor) : undefined;
        for (let line = 0; line < index.lines.length; line++) {
          if (pathOf(at, index.lines[line] as string) !== path) continue;
          replace(at, index, line, next);
          if (next === undefined) line--;
          next = undefined;
        }
      }
    },
    refresh(files) {
      const left: string[] = [];
      const known = new Set(files.map(({ path }) => path));
      const stores = new Set(
        [...open]
          .filter(([at, index]) => isStoreLike(readIndex(at, textOf(index))))
          .map(([at]) => at),
      );
      for (const [at, index] of open) {
        for (let line = 0; line < index.lines.length; line++) {
          const text = index.lines[line] as string;
          const path = own.has(at, text) ? pathOf(at, text) : undefined;
          if (path !== undefined && !known.has(path)) replace(at, index, line--, undefined);
        }
      }
      const byHand = new Set(
        [...open].flatMap(([at, index]) =>
          index.lines.filter((line) => !own.has(at, line)).map((line) => pathOf(at, line)),
        ),
      );
      for (const file of files) {
        if (byHand.has(file.path)) continue;
        if (stores.has(indexOf(file.path)[0]) || !point(file)) left.push(file.path);
      }
      return left;
    },
    changes() {
      const changed = [...open].flatMap(([path, index]): Change[] => {
        const after = textOf(index);
        const isSame = after === (index.before ?? '') || after === `${index.before}\n`;
        return isSame ? [] : [{ path, before: index.before, after: restoreMark(index, after) }];
      });
      if (changed.length === 0) return [];
      return [...changed, { path: OWN_LINES, before: ownBefore, after: own.text }];
    },
  };
}

function openText(before: string | undefined): OpenIndex {
  const text = (before ?? '').replace(/\n$/, '');
  const mark = before?.includes('\r\n') ? '\r' : '';
  return { before, lines: text === '' ? [] : text.split('\n'), mark };
}

/** An index that had no line end at its end keeps none unless a line was added behind. */
const restoreMark = ({ before, lines }: OpenIndex, after: string): string => {
  const hadNone = before !== undefined && before !== '' && !before.endsWith('\n');
  return hadNone && before.endsWith(lines.at(-1) ?? '') ? after.slice(0, -1) : after;
};
