import { RELATIVE_DATE } from './evidence/dates.ts';
import { isOverLimit, MOST_LINE_CHARS, plainIndex, sizeOfIndex } from './index-limits.ts';
import { indexFor, isStoreLike, readIndex } from './index-lines.ts';
import { type LibraryItem, type Shelf, scopedName } from './library.ts';
import { hashOf } from './memory-file.ts';
import { baseOf, folderOf, isOfTeam } from './path.ts';
import { linkKey, wikiLinks } from './wiki-links.ts';

/** What is wrong with a folder. */
export type FindingKind =
  | 'dangling'
  | 'orphan'
  | 'outside'
  | 'pointed-twice'
  | 'long-line'
  | 'store-like-index'
  | 'content-in-index'
  | 'index-too-long'
  | 'second-index'
  | 'header'
  | 'equal-files'
  | 'equal-names'
  | 'dead-link'
  | 'user-in-shared'
  | 'not-opened'
  | 'interrupted'
  | 'relative-date'
  | 'long-file';

export interface Finding {
  readonly kind: FindingKind;
  /** Notes are worth a look; only faults make a folder unsound. */
  readonly level: 'fault' | 'note';
  readonly path: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** What it is about: a target, another file, a problem of a header. */
  readonly detail: string;
}

export interface CheckReport {
  /** Whether there is no fault. */
  readonly ok: boolean;
  readonly files: number;
  readonly indexes: number;
  /** Pointers of all indexes. */
  readonly pointers: number;
  readonly findings: readonly Finding[];
  /** How many of each kind. */
  readonly counts: Readonly<Partial<Record<FindingKind, number>>>;
  /** Files that were not looked at because there are too many. */
  readonly leftOut: number;
}

const NOTES: readonly FindingKind[] = [
  'content-in-index',
  'long-line',
  'relative-date',
  'long-file',
  'pointed-twice',
];

/** Recall shows so much of a file. */
const MOST_SHOWN_BYTES = 4_096;

export interface CheckInput extends Shelf {
  readonly indexTexts: ReadonlyMap<string, string>;
  /** Whether all of the folder is shared with a team or a repository. */
  readonly isShared: boolean;
  /** Those of them that a link, the system or their bytes keep from being read. */
  readonly unreadIndexes: readonly string[];
  /** `closed`: it is a link, or may not be read. */
  readonly archive: 'sound' | 'interrupted' | 'closed';
}

/** Looks for what is wrong with a folder, and changes nothing. */
export function checkShelf(input: CheckInput): CheckReport {
  const { items, indexTexts, ignored, leftOut } = input;
  const findings: Finding[] = [];
  const add = (kind: FindingKind, path: string, detail: string, line?: number): void => {
    findings.push({ kind, level: NOTES.includes(kind) ? 'note' : 'fault', path, detail, line });
  };
  const pointed = new Set<string>();
  let pointers = 0;
  const there = new Set([...input.standing, ...indexTexts.keys()].map(composed));
  for (const [index, text] of indexTexts) {
    const lines = readIndex(index, plainIndex(text));
    const content = lines.filter(({ kind }) => kind === 'content');
    for (const line of lines) {
      if (line.kind !== 'pointer') continue;
      pointers++;
      const { path, target = '' } = line;
      if (path === undefined) add('outside', index, target, line.line);
      else if (!there.has(composed(path))) add('dangling', index, path, line.line);
      else if (pointed.has(composed(path))) add('pointed-twice', index, path, line.line);
      if (path !== undefined) pointed.add(composed(path));
      if ([...line.text].length > MOST_LINE_CHARS) add('long-line', index, target, line.line);
    }
    if (content.length > 0) {
      add('content-in-index', index, `${content.length} lines`, content[0]?.line);
    }
    if (isStoreLike(lines)) add('store-like-index', index, `${content.length} lines of content`);
    const loaded = indexFor(`${folderOf(index)}/x.md`.replace(/^\//, ''), [...indexTexts.keys()]);
    if (loaded !== index) add('second-index', index, `${loaded} is loaded in its place`);
    const size = sizeOfIndex(text);
    if (isOverLimit(size)) add('index-too-long', index, `${size.lines} lines, ${size.bytes} bytes`);
  }
  for (const item of items) {
    const { path, memory, problems, bytes, type } = item;
    if (!pointed.has(composed(path))) add('orphan', path, 'in no index');
    for (const problem of problems) add('header', path, problem);
    if (type === 'user' && (input.isShared || isOfTeam(path))) {
      add('user-in-shared', path, 'what is about a person stands in a folder that others read');
    }
    const date = RELATIVE_DATE.exec(memory.body);
    if (date !== null) add('relative-date', path, date[0]);
    if (bytes > MOST_SHOWN_BYTES) add('long-file', path, `${bytes} bytes`);
  }
  addEqual(items, add);
  addDeadLinks(items, indexTexts, add);
  for (const { path, reason } of ignored) add('not-opened', path, reason);
  for (const path of input.unreadIndexes)
    add('not-opened', path, 'a link, no text in UTF-8, or not ours to read: it is not edited');
  if (input.archive === 'closed') add('not-opened', '.archive', 'a link, or not ours to read');
  if (input.archive === 'interrupted')
    add('interrupted', '.archive', 'a change was interrupted: the next one mends it');
  const counts: Partial<Record<FindingKind, number>> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  const ok = findings.every(({ level }) => level === 'note');
  return { ok, files: items.length, indexes: indexTexts.size, pointers, findings, counts, leftOut };
}

const composed = (path: string): string => path.normalize('NFC');

type Add = (kind: FindingKind, path: string, detail: string, line?: number) => void;

/** Files with the same text, and with the same name beside other texts. */
function addEqual(items: readonly LibraryItem[], add: Add): void {
  const byBody = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const { path, name, memory } of items) {
    const body = memory.body.replace(/\s+/g, ' ').trim();
    const hash = hashOf(body);
    const same = byBody.get(hash);
    if (same !== undefined && body !== '') add('equal-files', path, same);
    else byBody.set(hash, path);
    const key = scopedName({ name, path });
    const named = byName.get(key);
    if (named === undefined) byName.set(key, path);
    else if (same === undefined) add('equal-names', path, named);
  }
}

/** `[[name]]` that names no file. */
function addDeadLinks(
  items: readonly LibraryItem[],
  indexTexts: ReadonlyMap<string, string>,
  add: Add,
): void {
  const names = new Set(
    [...items.flatMap(({ path, name }) => [name, baseOf(path), path]), ...indexTexts.keys()].map(
      linkKey,
    ),
  );
  for (const { path, memory } of items) {
    for (const target of wikiLinks(memory.body)) {
      if (!names.has(linkKey(target))) add('dead-link', path, target);
    }
  }
}
