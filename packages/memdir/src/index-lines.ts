import { cutAtWord } from './cut.ts';
import { MOST_LINE_CHARS } from './index-limits.ts';
import type { MemoryFile } from './memory-file.ts';
import { baseOf, folderOf, INDEX_NAME, isOfTeam, resolveLink } from './path.ts';
import { withoutSecrets } from './secrets.ts';

/** One line of an index, as a reader sees it. */
export interface IndexLine {
  readonly kind: 'pointer' | 'content' | 'other';
  /** Without its end. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Of a pointer: where its first link leads; undefined where that leaves the folder. */
  readonly path?: string | undefined;
  /** Of a pointer: the target of its first link as it is written. */
  readonly target?: string | undefined;
  /** All links to Markdown files; a line written here has one. What stands behind the first says more of it. */
  readonly links: readonly IndexLink[];
}

export interface IndexLink {
  /** Undefined where it leaves the folder. */
  readonly path: string | undefined;
  /** As it is written. */
  readonly target: string;
  /** Where the link stands in the line. */
  readonly start: number;
  readonly end: number;
}

const ITEM = /^\s*(?:[-*|+]|\d+\.)/;
/** Every part has a longest length, and a title holds no bracket: a line of a megabyte is read in one pass. */
const LINK =
  /\[[^\][]{0,1000}\]\((?:<([^<>]{1,2000})>|((?:[^()\s<>]|\([^()\s]{0,200}\)){1,2000}))(?:\s{1,20}"[^"]{0,1000}")?\)/g;
/** Headings, comments, quotes and rules say nothing about a project. */
const STRUCTURE = /^\s*(?:#|<!--|-->|>|---)/;

/** Reads an index: list items and table rows with a link to a Markdown file are pointers, all other text is content. */
export function readIndex(path: string, text: string): readonly IndexLine[] {
  const folder = folderOf(path);
  return text.split(/\r\n|\n|\r/).map((line, at) => readLine(folder, line, at + 1));
}

function readLine(folder: string, text: string, line: number): IndexLine {
  const links = ITEM.test(text) ? linksIn(folder, text) : [];
  const [first] = links;
  if (first !== undefined) {
    const { path, target } = first;
    return { kind: 'pointer', text, line, path, target, links };
  }
  const isContent = text.trim() !== '' && text !== '\uFEFF' && !STRUCTURE.test(text);
  return { kind: isContent ? 'content' : 'other', text, line, links };
}

/** Links to Markdown files that are none of the web. */
function linksIn(folder: string, line: string): readonly IndexLink[] {
  return [...line.matchAll(LINK)].flatMap((match): IndexLink[] => {
    const target = match[1] ?? match[2] ?? '';
    const isWeb = /^(?:[a-z][a-z\d+.-]+:|#)/i.test(target);
    if (isWeb || !/\.md$/i.test(target.replace(/#.*$/, ''))) return [];
    const end = match.index + match[0].length;
    return [{ path: resolveLink(folder, target), target, start: match.index, end }];
  });
}

/** Finds the links of a line that lead to a file, also to one whose name no link can be read back to. */
export function linksTo(indexPath: string, path: string) {
  const written = targetOf(indexPath, path);
  const composed = path.normalize('NFC');
  return ({ links }: Pick<IndexLine, 'links'>): readonly IndexLink[] =>
    links.filter((link) => link.target === written || link.path?.normalize('NFC') === composed);
}

/** An index that holds memories instead of pointing to them: more lines of content than pointers. */
export function isStoreLike(lines: readonly IndexLine[]): boolean {
  const count = (kind: IndexLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return count('content') > count('pointer');
}

const MOST_TITLE_CHARS = 80;

/** The line of a file in the index of a folder: title, link, dash, hook. */
export function lineFor(indexPath: string, file: LineSource): string {
  const head = `- ${linkFor(indexPath, file)}`;
  const room = MOST_LINE_CHARS - head.length - ' — '.length;
  const hook = room < 10 ? '' : cutWords(plain(withoutSecrets(file.description)), room);
  return hook === '' ? head : `${head} — ${hook}`;
}

/** The link alone. */
export function linkFor(indexPath: string, { path, name }: LineSource): string {
  const target = targetOf(indexPath, path) ?? path;
  const roomForTitle = MOST_LINE_CHARS - target.length - '- []()'.length;
  const title = cutWords(
    plain(withoutSecrets(name)),
    Math.max(12, Math.min(MOST_TITLE_CHARS, roomForTitle)),
  );
  return `[${title}](${target})`;
}

/** What a link, a table or another reader takes for a mark of its own. */
const ENCODED = /[%#?\\"<>()[\]|:~`*!'{}^\s\p{C}\p{Z}]/gu;

/** How a link of an index names a file below it. */
function targetOf(indexPath: string, path: string): string | undefined {
  const start = indexPath.slice(0, indexPath.lastIndexOf('/') + 1);
  if (!path.startsWith(start)) return undefined;
  return path
    .slice(start.length)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(ENCODED, (mark) => encodeURIComponent(mark).replace(/[!'()*~]/g, percent));
}

export type LineSource = Pick<MemoryFile, 'path' | 'name' | 'description'>;

const percent = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;

/** No line end, and nothing that would be a link of its own. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();

function cutWords(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${cutAtWord(text, most - 1)}…`;
}

/** The index that a file's line belongs in: the nearest one above it, for team memory never the one outside. */
export function indexFor(path: string, indexes: readonly string[]): string {
  const isTeam = isOfTeam(path);
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const candidate = folder === '' ? INDEX_NAME : `${folder}/${INDEX_NAME}`;
    const existing = indexAt(candidate, indexes);
    const isThere = indexes.includes(existing);
    if (isThere) return existing;
    if (folder === '' || (isTeam && folder.toLowerCase() === 'team')) return candidate;
  }
}

/** The index that stands at a path: the very same, else one of its folder that is spelled in another case, as `memory.md`. */
export const indexAt = (path: string, indexes: readonly string[]): string =>
  indexes.find((each) => each === path) ??
  indexes.find(
    (each) =>
      folderOf(each) === folderOf(path) &&
      baseOf(each).toLowerCase() === baseOf(path).toLowerCase(),
  ) ??
  path;
