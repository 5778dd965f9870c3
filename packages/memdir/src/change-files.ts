import { type Change, type ChangeFileNote, changing, commit } from './commit.ts';
import { openIndexes } from './edit-index.ts';
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
import { MEMORY_TYPES, parseText } from './header.ts';
import { bytesOf } from './index-limits.ts';
import type { LineSource } from './index-lines.ts';
import { hashOf, MOST_CHANGED_BYTES, MOST_READ_BYTES } from './memory-file.ts';
import { OWN_LINES } from './own-lines.ts';
import { checkPath, inTheWay, isOfTeam } from './path.ts';
import { type SaveRefusal, TOO_LARGE, tooLargeToChange, type WriteParts } from './save.ts';
import { withoutSecrets } from './secrets.ts';
import {
  formHashes,
  parseTombstones,
  statedIn,
  TOMBSTONES,
  writeTombstones,
} from './tombstones.ts';

/** A file that is to be changed, made or archived. */
export interface FileChange extends ChangeFileNote {
  readonly path: string;
  /** The hash of what was read; undefined: there was no file. */
  readonly basis: string | undefined;
  /** The whole new file; undefined: it goes to the archive. */
  readonly text: string | undefined;
  /** Of a file that goes: the one whose line stands in place of its line in the index. */
  readonly successor?: string | undefined;
}

export interface ChangeOptions {
  /** For the history. */
  readonly reason: string;
  /** Who changes, for the history. @default 'dream' */
  readonly kind?: 'dream' | 'extraction' | undefined;
  /** Files that may say what was forgotten, because the user said it again: their statements are forgotten no more. @default none */
  readonly lifts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type ChangeResult =
  | {
      readonly kind: 'changed';
      /** Of the change, for `undo`. */
      readonly id: string;
      /** Files that have no line: their index is a store, or full. */
      readonly left: readonly string[];
      /** Indexes whose lines changed with it. */
      readonly indexes: readonly string[];
    }
  | { readonly kind: 'unchanged'; readonly left: readonly string[] }
  /** These files are not what was read; nothing was done. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | {
      readonly kind: 'refused';
      readonly reason: SaveRefusal;
      readonly path: string;
      /** For the model: what to do. */
      readonly message: string;
    };

/** Where proposals wait for a person: `change` may write there, and nothing lists or recalls it. */
const WAITING = /^\.inbox\/[^/\\:]+\.md$/;

/** Makes changes to several files as one, with the lines of the indexes that were written here. */
export async function changeFiles(
  parts: WriteParts,
  files: readonly FileChange[],
  { reason, kind = 'dream', lifts = [], signal }: ChangeOptions,
): Promise<ChangeResult> {
  const { folder, library, now } = parts;
  const work = async (): Promise<ChangeResult> => {
    const before = await textsBefore(folder, files, signal);
    const conflicts = files.filter(({ path, basis }) => hashIfAny(before.get(path)) !== basis);
    if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts.map(({ path }) => path) };
    const shelf = await library.look(signal, Number.POSITIVE_INFINITY);
    for (const file of files) {
      const problem = problemOf(file, before.get(file.path), parts.isShared);
      if (problem !== undefined) return problem;
      const there = file.basis === undefined ? inTheWay(file.path, shelf.standing) : undefined;
      if (there !== undefined) return refuse('exists', there, EXISTS);
    }
    const lifted = files.filter(({ path }) => lifts.includes(path));
    const others = files.filter((file) => !lifted.includes(file));
    const forgotten = await forgottenPath(folder, others, { before, signal });
    if (forgotten !== undefined) return refuse('forgotten', forgotten, FORGOTTEN);
    const lines = linesAfter(shelf.items, files);
    const index = await openIndexes(
      folder,
      shelf.indexes.map(({ path }) => path),
      signal,
    );
    for (const { path, text, successor } of files) {
      const heir = lines.find((each) => each.path === successor);
      if (text === undefined) index.unpoint(path, heir);
    }
    const left = index.refresh(lines, shelf.standing);
    const ofIndexes = index.changes();
    const notes = new Map(files.map((file) => [file.path, noteOf(file)]));
    const changes: Change[] = files.map(({ path, text }) => ({
      ...{ path, before: before.get(path), after: text },
    }));
    // What is new stands before the index names it, and goes after the index does not any more.
    const isGoing = ({ after }: Change): boolean => after === undefined;
    const ordered = [
      ...changes.filter((each) => !isGoing(each)),
      ...ofIndexes,
      ...(lifted.length === 0 ? [] : [await liftedTombstones(folder, lifted, signal)]),
      ...changes.filter(isGoing),
    ].filter((each) => each.before !== each.after);
    if (ordered.length === 0) return { kind: 'unchanged', left };
    const { id } = await commit(folder, ordered, {
      ...{ kind, reason: withoutSecrets(reason), notes, nowMs: now(), signal },
    });
    const indexes = ofIndexes.map(({ path }) => path).filter((path) => path !== OWN_LINES);
    return { kind: 'changed', id, left, indexes };
  };
  try {
    return await changing(folder, work, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!MemdirError.is(error) || error.code !== 'bad-path') throw error;
    return refuse('bad-path', files[0]?.path ?? '', error.message);
  }
}

const EXISTS = 'A file is there already: read it, and change it with what was read.';
const FORGOTTEN =
  'The user asked to forget what this says: it is saved only when the user asks for it again.';

const refuse = (reason: SaveRefusal, path: string, message: string): ChangeResult => ({
  ...{ kind: 'refused', reason, path, message },
});

const hashIfAny = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : hashOf(text);

async function textsBefore(
  folder: MemoryFolder,
  files: readonly FileChange[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, basis } of files) {
    if (basis === undefined && checkPath(path).kind === 'refused' && !WAITING.test(path)) continue;
    const found = await folder.read(path, { signal });
    // bytes that are no text are not what anybody read
    if (found !== undefined) texts.set(path, found.isText ? found.text : '\0');
  }
  return texts;
}

function problemOf(
  { path, basis, text }: FileChange,
  before: string | undefined,
  isShared: boolean,
): ChangeResult | undefined {
  if (before !== undefined && bytesOf(before) > MOST_CHANGED_BYTES)
    return refuse('too-large', path, tooLargeToChange(path));
  if (text !== undefined && bytesOf(text) > MOST_READ_BYTES)
    return refuse('too-large', path, TOO_LARGE);
  if (before !== undefined && parseText(before).header.pinned === true) {
    return refuse('pinned', path, 'The file is pinned: it changes only when the user asks for it.');
  }
  const checked = checkPath(path);
  const isWaiting = WAITING.test(path);
  if (checked.kind === 'refused' && basis === undefined && !isWaiting) {
    return refuse('bad-path', path, checked.message);
  }
  if (text === undefined) return undefined;
  if (withoutSecrets(text) !== text || withoutSecrets(path) !== path) {
    return refuse(
      'secret',
      path,
      'It holds a secret: say where the secret is kept, not what it is.',
    );
  }
  const { header } = parseText(text);
  if (isWaiting) return undefined;
  if ((header.name ?? '').trim() === '') return refuse('no-name', path, 'A memory needs a name.');
  if (!MEMORY_TYPES.some((type) => type === header.type)) {
    return refuse('unknown-type', path, `The type has to be one of ${MEMORY_TYPES.join(', ')}.`);
  }
  if (header.type === 'user' && (isShared || isOfTeam(path))) {
    return refuse(
      'user-in-shared',
      path,
      'A memory of type user is about a person: it stays in private memory, never where others read it.',
    );
  }
  return undefined;
}

/** The first file that says what was forgotten, where none of the files said it before. */
async function forgottenPath(
  folder: MemoryFolder,
  files: readonly FileChange[],
  {
    before,
    signal,
  }: { readonly before: ReadonlyMap<string, string>; readonly signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const tombstones = parseTombstones((await folder.read(TOMBSTONES, { signal }))?.text ?? '');
  if (tombstones.length === 0) return undefined;
  const gone = new Set(tombstones.map(({ hash }) => hash));
  const formsOf = (path: string, text: string) => [...formHashes(statedIn(path, text))];
  const known = new Set([...before].flatMap(([path, text]) => formsOf(path, text)));
  return files.find(({ path, text }) =>
    formsOf(path, text ?? '').some((hash) => gone.has(hash) && !known.has(hash)),
  )?.path;
}

/** The tombstones without those of what the files say. */
async function liftedTombstones(
  folder: MemoryFolder,
  files: readonly FileChange[],
  signal: AbortSignal | undefined,
): Promise<Change> {
  const before = (await folder.read(TOMBSTONES, { signal }))?.text;
  const said = new Set(
    files.flatMap(({ path, text }) => [...formHashes(statedIn(path, text ?? ''))]),
  );
  const left = parseTombstones(before ?? '').filter(({ hash }) => !said.has(hash));
  return { path: TOMBSTONES, before, after: writeTombstones(left) };
}

/** What indexes have to point to after a change. */
function linesAfter(
  items: readonly LineSource[],
  files: readonly FileChange[],
): readonly LineSource[] {
  const changed = new Map(files.map((file) => [file.path, file]));
  const kept = items.filter(({ path }) => !changed.has(path));
  const made = files.flatMap(({ path, text }): LineSource[] => {
    if (text === undefined || WAITING.test(path)) return [];
    const { header } = parseText(text);
    return [{ path, name: header.name ?? path, description: header.description ?? '' }];
  });
  return [...kept, ...made];
}

const noteOf = ({ reason, quote }: FileChange): ChangeFileNote => ({
  ...(reason === undefined ? {} : { reason: withoutSecrets(reason) }),
  ...(quote === undefined ? {} : { quote: withoutSecrets(quote) }),
});
