import type { MemoryFile } from './memory-file.ts';
import { baseOf, folderOf, INDEX_NAME, isOfTeam, resolveLink } from './path.ts';

/** One line of an index, as a reader sees it. */
export interface IndexLine {
  readonly kind: 'pointer' | 'content' | 'other';
  /** Without its end. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Of a pointer: the path it leads to; undefined where it leaves the folder. */
  readonly path?: string | undefined;
  /** Of a pointer: its target as it is written. */
  readonly target?: string | undefined;
}

const ITEM = /^\s*(?:[-*|+]|\d+\.)/;
const LINK = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g;
/** Headings, comments, quotes and rules say nothing about a project. */
const STRUCTURE = /^\s*(?:#|<!--|-->|>|---)/;

/** Reads an index: list items and table rows with a link to a Markdown file are pointers, all other text is content. */
export function readIndex(path: string, text: string): readonly IndexLine[] {
  const folder = folderOf(path);
  return text.split(/\r\n|\n|\r/).map((line, at) => {
    const target = ITEM.test(line) ? linkIn(line) : undefined;
    if (target !== undefined) {
      const place = { path: resolveLink(folder, target), target };
      return { kind: 'pointer', text: line, line: at + 1, ...place };
    }
    const isContent = line.trim() !== '' && line !== '\uFEFF' && !STRUCTURE.test(line);
    return { kind: isContent ? 'content' : 'other', text: line, line: at + 1 };
  });
}

/** The first link to a Markdown file that is none of the web. */
function linkIn(line: string): string | undefined {
  for (const [, target = ''] of line.matchAll(LINK)) {
    const isWeb = /^(?:[a-z][a-z\d+.-]+:|#)/.test(target);
    if (!isWeb && /\.md$/i.test(target.replace(/#.*$/, ''))) return target;
  }
  return undefined;
}

/** An index that holds memories instead of pointing to them: more lines of content than pointers. */
export function isStoreLike(lines: readonly IndexLine[]): boolean {
  const count = (kind: IndexLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return count('content') > count('pointer');
}

/** The longest line of an index. */
export const MOST_LINE_CHARS = 150;
const MOST_TITLE_CHARS = 80;

/** The line of a file in the index of a folder: title, link, dash, hook. */
export function lineFor(indexPath: string, { path, name, description }: LineSource): string {
  const below = folderOf(indexPath) === '' ? path : path.slice(folderOf(indexPath).length + 1);
  const target = below.replace(/[%\s()<>[\]]/g, (mark) =>
    encodeURIComponent(mark).replace(/[()]/g, percent),
  );
  const roomForTitle = MOST_LINE_CHARS - target.length - '- []()'.length;
  const title = cutWords(plain(name), Math.max(12, Math.min(MOST_TITLE_CHARS, roomForTitle)));
  const head = `- [${title}](${target})`;
  const room = MOST_LINE_CHARS - head.length - ' — '.length;
  const hook = room < 10 ? '' : cutWords(plain(description), room);
  return hook === '' ? head : `${head} — ${hook}`;
}

export type LineSource = Pick<MemoryFile, 'path' | 'name' | 'description'>;

const percent = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;

/** No line end, and nothing that would be a link of its own. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();

function cutWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const end = cut.lastIndexOf(' ');
  const kept = end > most / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.trimEnd()}…`;
}

/** The index that a file's line belongs in: the nearest one above it, for team memory never the one outside. */
export function indexFor(path: string, indexes: readonly string[]): string {
  const isTeam = isOfTeam(path);
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const candidate = folder === '' ? INDEX_NAME : `${folder}/${INDEX_NAME}`;
    const existing = indexes.find((each) => each === candidate || isNamed(each, folder));
    if (existing !== undefined) return existing;
    if (folder === '' || (isTeam && folder.toLowerCase() === 'team')) return candidate;
  }
}

const isNamed = (index: string, folder: string): boolean =>
  folderOf(index) === folder && baseOf(index).toLowerCase() === INDEX_NAME.toLowerCase();
