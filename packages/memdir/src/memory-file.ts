import { fingerprint } from '@varve/messages';
import { checkText } from './check-text.ts';
import { cutAtWord } from './cut.ts';
import { foldText } from './fold.ts';
import type { ListedFile, MemoryFolder } from './folder.ts';
import {
  type Header,
  MEMORY_TYPES,
  type MemoryType,
  type ParsedText,
  parseText,
} from './header.ts';
import { baseOf } from './path.ts';

/** What is wrong with the header of a file. It is listed, searched and recalled all the same. */
export type HeaderProblem =
  | 'no-header'
  | 'header-not-closed'
  | 'no-name'
  | 'no-description'
  | 'no-type'
  | 'unknown-type'
  | 'not-text'
  | 'too-large';

/** A memory as a list shows it. */
export interface MemoryFile {
  readonly path: string;
  /** From the header, else from the file name. */
  readonly name: string;
  /** Empty where the header has none. */
  readonly description: string;
  /** Undefined where the header has none of the four. */
  readonly type: MemoryType | undefined;
  /** By the stamp of its writer, else by the file system where that can be trusted; undefined: not known. */
  readonly modifiedMs: number | undefined;
  readonly bytes: number;
  readonly pinned: boolean;
  readonly problems: readonly HeaderProblem[];
}

/** A memory with its text. */
export interface ReadMemory extends Omit<MemoryFile, 'modifiedMs'> {
  /** The stamp of its writer; undefined without one that is a date. */
  readonly stampMs: number | undefined;
  /** By the file system. */
  readonly fileMs: number;
  readonly version: string;
  readonly text: string;
  readonly parsed: ParsedText;
  readonly body: string;
}

/** More of a file is not read for lists, search and checks, and none is written; the largest of real folders has a quarter of it. */
export const MOST_READ_BYTES = 262_144;

/** Of a file that a hand has made larger nothing is changed or forgotten: each of its statements would be hashed. */
export const MOST_CHANGED_BYTES = 1_048_576;

/** A list shows no more, whatever stands in a header. */
const MOST_NAME_CHARS = 200;
const MOST_DESCRIPTION_CHARS = 1_000;

/** Reads a file for lists and search. Undefined where it is gone. */
export async function readMemory(
  folder: MemoryFolder,
  listed: ListedFile,
  signal: AbortSignal | undefined,
): Promise<ReadMemory | undefined> {
  const found = await folder.read(listed.path, { maxBytes: MOST_READ_BYTES, signal });
  if (found === undefined) return undefined;
  const parsed = parseText(found.text);
  const { header, headerProblem, body } = parsed;
  const problems: HeaderProblem[] = headerProblem === undefined ? missing(header) : [headerProblem];
  if (!found.isText) problems.push('not-text');
  if (!found.isWhole) problems.push('too-large');
  return {
    path: listed.path,
    name: cutIfAny(header.name, MOST_NAME_CHARS) ?? nameOf(listed.path),
    description: cutIfAny(header.description, MOST_DESCRIPTION_CHARS) ?? '',
    type: typeOf(header.type),
    pinned: header.pinned === true,
    stampMs: stampOf(header.modified),
    fileMs: listed.modifiedMs,
    ...{ bytes: listed.bytes, version: listed.version, problems, parsed, body },
    text: found.text,
  };
}

const cutIfAny = (text: string | undefined, most: number): string | undefined =>
  text === undefined ? undefined : cutAtWord(text, most);

function missing({ name, description, type }: Header): HeaderProblem[] {
  return [
    ...(name === undefined ? (['no-name'] as const) : []),
    ...(description === undefined ? (['no-description'] as const) : []),
    ...(type === undefined ? (['no-type'] as const) : []),
    ...(type !== undefined && typeOf(type) === undefined ? (['unknown-type'] as const) : []),
  ];
}

const typeOf = (word: string | undefined): MemoryType | undefined =>
  MEMORY_TYPES.find((type) => type === word?.toLowerCase());

/** What a file without a name in its header is called. */
export const nameOf = (path: string): string => baseOf(path).replace(/\.md$/i, '');

const STAMP = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A whole date, with or without a time; a year or a month alone names no day. */
function stampOf(stamp: string | undefined): number | undefined {
  if (stamp === undefined || !STAMP.test(stamp)) return undefined;
  const time = Date.parse(stamp.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : time;
}

/** For compare-and-swap by a caller who keeps no text. */
export function hashOf(text: string): string {
  checkText('text', text);
  return fingerprint(text);
}

/** Names that a reader cannot tell apart are one. */
export const nameKey = (name: string): string =>
  foldText(name)
    .replace(/[\s_-]+/g, ' ')
    .trim();
