import type { Change } from './commit.ts';
import { MemdirError } from './error.ts';
import type { FolderText, MemoryFolder } from './folder.ts';
import {
  bytesOf,
  type IndexSize,
  isOverLimit,
  MOST_INDEX_BYTES,
  MOST_INDEX_LINES,
  sizeOfIndex,
} from './index-limits.ts';
import {
  type IndexLine,
  type IndexLink,
  indexFor,
  isStoreLike,
  type LineSource,
  lineFor,
  linkFor,
  linksTo,
  readIndex,
} from './index-lines.ts';
import { OWN_LINES, type OwnLines, parseOwnLines } from './own-lines.ts';
import { INDEX_NAME, pathKey, TEAM_INDEX } from './path.ts';

/** How much of its limits the index has used. */
export interface IndexRoom extends IndexSize {
  readonly path: string;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** Edits of the indexes of a folder that belong to one change. */
export interface IndexEdit {
  /** Whether the file has a line, this one or another's. False where the index is full or closed: it is found by search alone then. */
  point(file: LineSource): boolean;
  /**
   * Takes out every line that points to a path and to no other, and of other lines the links to it; the line or the link of
   * `successor`, if it is given, stands in place of the first.
   */
  unpoint(path: string, successor?: LineSource): void;
  /** Gives a file the line that it had in an index: in place of its line of today, if that was written here, else behind the others. */
  restore(indexPath: string, path: string, line: NewLine): void;
  /**
   * Brings lines of ours up to date, drops those of files that are gone, and adds what is missing. Files that stand in the folder
   * and could not be read keep their lines.
   */
  refresh(files: readonly LineSource[], standing?: readonly string[]): readonly string[];
  roomOf(path: string): IndexRoom;
  /** Whether the index of a file is not to be edited: it is no text in UTF-8, a link, or may not be read. */
  isClosed(path: string): boolean;
  changes(): readonly Change[];
}

interface NewLine {
  readonly text: string;
  readonly isOwn: boolean;
}

/** A line and what ends it: lines of others keep every byte. */
interface Line {
  readonly text: string;
  readonly end: string;
}

interface OpenIndex {
  readonly before: string | undefined;
  readonly isClosed: boolean;
  /** A byte order mark. */
  readonly lead: string;
  readonly lines: Line[];
  /** How most lines end. */
  readonly end: string;
}

export async function openIndexes(
  folder: MemoryFolder,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<IndexEdit> {
  const open = new Map<string, OpenIndex>();
  // Those that may be made are looked at too: a link may stand in their place, which no list of files has.
  const listed = new Set(paths.map(pathKey));
  const mayBeMade = [INDEX_NAME, TEAM_INDEX].filter((path) => !listed.has(pathKey(path)));
  for (const path of [...paths, ...mayBeMade]) {
    const found = await readOrRefused(folder, path, signal);
    if (found === 'refused') open.set(path, { ...openText(''), isClosed: true });
    else if (found !== undefined)
      open.set(path, { ...openText(found.text), isClosed: !found.isText });
  }
  const ownBefore = (await folder.read(OWN_LINES, { signal }))?.text;
  let own: OwnLines = parseOwnLines(ownBefore);

  const indexOf = (path: string): readonly [string, OpenIndex] => {
    const at = indexFor(path, [...open.keys()]);
    const found = open.get(at) ?? openText(undefined);
    open.set(at, found);
    return [at, found];
  };
  const read = new WeakMap<Line, IndexLine>();

  function lineOf(at: string, line: Line): IndexLine {
    const known = read.get(line) ?? (readIndex(at, line.text)[0] as IndexLine);
    read.set(line, known);
    return known;
  }

  function placeOf(at: string, index: OpenIndex, path: string): number {
    const linksOf = linksTo(at, path);
    return index.lines.findIndex((line) => {
      const { links } = lineOf(at, line);
      return links[0] !== undefined && linksOf({ links: [links[0]] }).length > 0;
    });
  }

  /** Another line in place of one, or none. */
  function put(at: string, index: OpenIndex, place: number, next: NewLine | undefined): void {
    const old = index.lines[place] as Line;
    const put = next === undefined ? [] : [{ text: next.text, end: old.end }];
    index.lines.splice(place, 1, ...put);
    own = own.with(at, next?.isOwn ? [next.text] : [], [old.text]);
  }

  function add(at: string, index: OpenIndex, { text, isOwn }: NewLine): void {
    const last = index.lines.at(-1);
    if (last?.end === '') index.lines[index.lines.length - 1] = { ...last, end: index.end };
    index.lines.push({ text, end: index.end });
    if (isOwn) own = own.with(at, [text], []);
  }

  function roomOf(path: string): IndexRoom {
    const [at, index] = indexOf(path);
    const limits = { maxLines: MOST_INDEX_LINES, maxBytes: MOST_INDEX_BYTES };
    return { path: at, ...sizeOfIndex(textOf(index)), ...limits };
  }

  function point(file: LineSource): boolean {
    const [at, index] = indexOf(file.path);
    if (index.isClosed) return false;
    const text = lineFor(at, file);
    const there = placeOf(at, index, file.path);
    if (there !== -1) {
      const old = (index.lines[there] as Line).text;
      const isStale = own.has(at, old) && old.trimEnd() !== text;
      if (isStale) put(at, index, there, { text, isOwn: true });
      return true;
    }
    const { lines, bytes } = roomOf(file.path);
    if (isOverLimit({ lines: lines + 1, bytes: bytes + bytesOf(text) + 1 })) return false;
    add(at, index, { text, isOwn: true });
    return true;
  }

  function unpointIn(at: string, index: OpenIndex, path: string, successor?: LineSource): void {
    let heir = successor;
    if (heir !== undefined && placeOf(at, index, heir.path) !== -1) heir = undefined;
    const linksOf = linksTo(at, path);
    for (let place = 0; place < index.lines.length; place++) {
      const line = lineOf(at, index.lines[place] as Line);
      const links = linksOf(line);
      if (links.length === 0) continue;
      const next = heir;
      heir = undefined;
      if (links.length < line.links.length) {
        const text = withoutLinks(line.text, links, next === undefined ? '' : linkFor(at, next));
        put(at, index, place, { text, isOwn: own.has(at, line.text) });
      } else if (next === undefined) {
        put(at, index, place--, undefined);
      } else {
        put(at, index, place, { text: lineFor(at, next), isOwn: true });
      }
    }
  }

  return {
    point,
    roomOf,
    isClosed: (path) => indexOf(path)[1].isClosed,
    unpoint(path, successor) {
      const home = successor === undefined ? undefined : indexFor(successor.path, [...open.keys()]);
      for (const [at, index] of open) {
        if (!index.isClosed) unpointIn(at, index, path, at === home ? successor : undefined);
      }
    },
    restore(at, path, line) {
      const index = open.get(at) ?? openText(undefined);
      open.set(at, index);
      if (index.isClosed) return;
      const there = placeOf(at, index, path);
      if (there === -1) add(at, index, line);
      else if (own.has(at, (index.lines[there] as Line).text)) put(at, index, there, line);
    },
    refresh(files, standing = []) {
      const left: string[] = [];
      const isStore = new Map(
        [...open].map(([at, index]) => [at, isStoreLike(readIndex(at, textOf(index)))]),
      );
      const known = [...files.map(({ path }) => path), ...standing];
      const isKnown = new Set(known.map((path) => path.normalize('NFC')));
      for (const [at, index] of open) {
        if (index.isClosed || isStore.get(at)) continue;
        const isGone = (line: IndexLine): boolean =>
          line.links.every(({ path }) => !isKnown.has(path?.normalize('NFC') ?? '')) &&
          known.every((path) => linksTo(at, path)(line).length === 0);
        for (let place = 0; place < index.lines.length; place++) {
          const line = lineOf(at, index.lines[place] as Line);
          if (own.has(at, line.text) && isGone(line)) put(at, index, place--, undefined);
        }
      }
      const byHand = [...open].flatMap(([at, index]) =>
        index.lines
          .filter((line) => !own.has(at, line.text))
          .map((line) => lineOf(at, line).path?.normalize('NFC')),
      );
      const isByHand = new Set(byHand);
      for (const file of files) {
        if (isByHand.has(file.path.normalize('NFC'))) continue;
        if (isStore.get(indexOf(file.path)[0]) || !point(file)) left.push(file.path);
      }
      return left;
    },
    changes() {
      const changed = [...open].flatMap(([path, index]): Change[] => {
        const after = textOf(index);
        if (index.isClosed || after === (index.before ?? '')) return [];
        return [{ path, before: index.before, after }];
      });
      if (changed.length === 0) return [];
      return [...changed, { path: OWN_LINES, before: ownBefore, after: own.text }];
    },
  };
}

async function readOrRefused(
  folder: MemoryFolder,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FolderText | 'refused' | undefined> {
  try {
    return await folder.read(path, { signal });
  } catch (error) {
    if (!MemdirError.is(error)) throw error;
    return 'refused';
  }
}

function openText(before: string | undefined): OpenIndex {
  const lead = before?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = [...(before ?? '').slice(lead.length).matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)]
    .map(([, text = '', end = '']) => ({ text, end }))
    .filter(({ text, end }) => text !== '' || end !== '');
  return { before, isClosed: false, lead, lines, end: mostOf(lines.map(({ end }) => end)) };
}

const textOf = ({ lead, lines }: OpenIndex): string =>
  `${lead}${lines.map(({ text, end }) => `${text}${end}`).join('')}`;

/** The line end that is met most; of as many the first of these. */
function mostOf(ends: readonly string[]): string {
  const count = (end: string) => ends.filter((each) => each === end).length;
  return ['\n', '\r\n', '\r'].reduce((most, end) => (count(end) > count(most) ? end : most));
}

/** A line without some of its links: the first gives its place to another, and a mark between two goes with a link. */
function withoutLinks(text: string, links: readonly IndexLink[], instead: string): string {
  return links.reduceRight((line, { start, end }, at) => {
    const [head, tail] = [line.slice(0, start), line.slice(end)];
    if (at === 0 && instead !== '') return `${head}${instead}${tail}`;
    const mark = /^\s*[,;·+&/]\s*/.exec(tail)?.[0];
    if (mark !== undefined) return `${head}${tail.slice(mark.length)}`;
    return `${head.replace(/\s*[,;·+&/]\s*$/, '')}${tail}`;
  }, text);
}
