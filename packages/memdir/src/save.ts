import { type Change, changing, commit } from './commit.ts';
import { type IndexRoom, openIndexes } from './edit-index.ts';
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
import { formatText, MEMORY_TYPES, type MemoryType, parseText } from './header.ts';
import { bytesOf } from './index-limits.ts';
import { isOneName, type Library, type LibraryItem, type Shelf } from './library.ts';
import { hashOf, MOST_CHANGED_BYTES, MOST_READ_BYTES, nameKey } from './memory-file.ts';
import { checkPath, findPath, inTheWay, isOfTeam, pathKey } from './path.ts';
import { kindsOf, withoutSecrets, withoutSecretsBelow } from './secrets.ts';
import {
  formHashes,
  parseTombstones,
  type Stated,
  TOMBSTONES,
  writeTombstones,
} from './tombstones.ts';

/** A memory to be written. */
export interface NewMemory {
  readonly name: string;
  /** One line: what it says, for the index and for the choice of recall. */
  readonly description: string;
  readonly type: MemoryType;
  /** Of feedback and project memories the rule first, then why, then how to apply it. */
  readonly body: string;
  /** Where: of an existing file with `basis`. @default a name made of type and name */
  readonly path?: string | undefined;
  /** The hash of the file that is replaced, as `read` gave it: another one there now is a conflict. @default there is no file yet */
  readonly basis?: string | undefined;
  /**
   * Files that this one takes the place of: they go to the archive in the same step. With a basis, the hash that `read` gave, only
   * as they were read.
   * @default none
   */
  readonly supersedes?: readonly (string | SupersededFile)[] | undefined;
  /** Whether the user asked for exactly this. It lifts what was forgotten, and opens pinned files. @default false */
  readonly asked?: boolean | undefined;
  /** For the history. @default 'saved' */
  readonly reason?: string | undefined;
  /** What the user said, for the history; not in the memory. */
  readonly quote?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SupersededFile {
  readonly path: string;
  /** @default whatever is there */
  readonly basis?: string | undefined;
}

export type SaveRefusal =
  | 'bad-path'
  | 'no-name'
  | 'no-body'
  | 'unknown-type'
  | 'exists'
  | 'not-found'
  | 'not-text'
  | 'pinned'
  | 'forgotten'
  | 'secret'
  | 'too-large'
  | 'user-in-shared';

export type SaveResult =
  | {
      readonly kind: 'saved';
      readonly path: string;
      /** For the next save of this file. */
      readonly hash: string;
      /** Of the change, for `undo`. */
      readonly id: string;
      /** False where the index is full; recall finds the file. */
      readonly isIndexed: boolean;
      readonly index: IndexRoom;
      /** What a user should hear: values that were masked, what was forgotten once. */
      readonly notices: readonly string[];
    }
  /** A file says exactly this already. */
  | { readonly kind: 'unchanged'; readonly path: string }
  /** The file is not what was read: `hash` is what it is now; undefined: it is gone. */
  | { readonly kind: 'conflict'; readonly path: string; readonly hash: string | undefined }
  | {
      readonly kind: 'refused';
      readonly reason: SaveRefusal;
      /** For the model: what to do. */
      readonly message: string;
      /** The file that is in the way. */
      readonly path?: string | undefined;
    };

export interface WriteParts {
  readonly folder: MemoryFolder;
  readonly library: Library;
  readonly now: () => number;
  /** Whether all of the folder is read by others. */
  readonly isShared: boolean;
}

const refused = (reason: SaveRefusal, message: string, path?: string): SaveResult => ({
  ...{ kind: 'refused', reason, message },
  ...(path === undefined ? {} : { path }),
});

/** Writes a topic file and its line in the index as one change. */
export async function saveMemory(parts: WriteParts, memory: NewMemory): Promise<SaveResult> {
  const { folder, isShared } = parts;
  const { type, signal } = memory;
  const problem = bodyProblem(memory.body, memory.name, memory.description);
  if (problem !== undefined) return { kind: 'refused', ...problem };
  const given = fold(memory.name);
  if (given === '')
    return refused('no-name', 'A memory needs a name: say in a few words what it is about.');
  if (!MEMORY_TYPES.includes(type)) {
    return refused('unknown-type', `The type has to be one of ${MEMORY_TYPES.join(', ')}.`);
  }
  const checked = memory.path === undefined ? undefined : checkPath(memory.path);
  if (checked?.kind === 'refused') return refused('bad-path', checked.message);
  if (checked !== undefined && withoutSecrets(checked.path) !== checked.path) {
    return refused('secret', 'The path holds a secret: take another name.');
  }
  const isTeam = isShared || (checked !== undefined && isOfTeam(checked.path));
  if (type === 'user' && isTeam) {
    return refused(
      'user-in-shared',
      'A memory of type user is about a person: save it in private memory, never where others read it.',
    );
  }
  const kinds = new Set<string>();
  const below = (text: string): string => noting(kinds, text, withoutSecretsBelow(given, text));
  const masked = {
    name: noting(kinds, given, withoutSecrets(given)),
    description: below(fold(memory.description)),
    body: below(memory.body.trim()),
  };
  if (kinds.size > 0 && isTeam) {
    return secretRefused(kinds);
  }
  const body = kinds.size === 0 ? masked.body : `${masked.body}\n\n${MASKED_NOTE}`;
  const clean = { ...memory, ...masked, body };
  try {
    const place = { path: checked?.path, kinds: [...kinds], isTeam };
    return await changing(folder, () => saveLocked(parts, clean, place), signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (MemdirError.is(error) && error.code === 'bad-path')
      return refused('bad-path', error.message);
    throw error;
  }
}

/** What cannot be a memory, whatever it says. */
export function bodyProblem(body: string, ...labels: readonly string[]) {
  if (body.trim() === '') return { reason: 'no-body', message: NO_BODY } as const;
  const isLarge = [body, ...labels].some((text) => text.length > MOST_READ_BYTES);
  return isLarge ? ({ reason: 'too-large', message: TOO_LARGE } as const) : undefined;
}

const NO_BODY = 'A memory needs a text: say what it is that has to be remembered.';
export const TOO_LARGE = `A memory has at most ${MOST_READ_BYTES} bytes: say it shorter, or in several files.`;
export const tooLargeToChange = (path: string): string =>
  `${path} has more than ${MOST_CHANGED_BYTES} bytes, too many for a memory: shorten or remove it by hand.`;

const secretRefused = (kinds: ReadonlySet<string>): SaveResult =>
  refused(
    'secret',
    `This memory is shared with others and holds a secret (${[...kinds].join(', ')}): say where the secret is kept, not what it is.`,
  );

/** Stands below a text that secrets were taken out of. */
export const MASKED_NOTE =
  'Values marked `[redacted: …]` are not kept in memory: look them up where they are kept, in the vault or password manager.';

const fold = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Notes of which kinds the secrets were that were taken out of a text. */
function noting(kinds: Set<string>, text: string, masked: string): string {
  if (masked !== text) for (const kind of kindsOf(masked)) kinds.add(kind);
  return masked;
}

interface Place {
  readonly path: string | undefined;
  readonly kinds: readonly string[];
  readonly isTeam: boolean;
}

async function saveLocked(parts: WriteParts, memory: NewMemory, place: Place): Promise<SaveResult> {
  const { folder, library, now } = parts;
  const { type, name, description, signal, asked = false } = memory;
  const { items, indexes, standing } = await library.look(signal, Number.POSITIVE_INFINITY);
  const path = placeFor(memory, place.path, { items, standing });
  const superseded = (memory.supersedes ?? [])
    .map((each) => (typeof each === 'string' ? { path: each, basis: undefined } : each))
    .map((each) => ({ ...each, path: findPath(items, each.path)?.path ?? each.path }))
    .filter(
      (each, at, all) =>
        each.path !== path && all.findIndex((one) => one.path === each.path) === at,
    );
  const isLarge = (each: string): boolean =>
    items.some((item) => item.path === each && item.bytes > MOST_CHANGED_BYTES);
  const large = [path, ...superseded.map((each) => each.path)].find(isLarge);
  if (large !== undefined) return refused('too-large', tooLargeToChange(large), large);
  const old = await folder.read(path, { signal });
  const refusal = collision(memory, {
    ...{ path, items, standing, old: old?.text, isNamed: place.path !== undefined },
    goes: (each) => superseded.some((one) => one.path === each),
  });
  if (refusal !== undefined) return refusal;
  if (old !== undefined && !old.isText) {
    return refused('not-text', 'The file there is no text in UTF-8: choose another name.', path);
  }
  const twin = items.find((item) => item.path !== path && saysTheSame(item, memory));
  if (twin !== undefined && old === undefined && memory.supersedes === undefined) {
    return { kind: 'unchanged', path: twin.path };
  }
  const parsed = old === undefined ? undefined : parseText(old.text);
  const archived: Change[] = [];
  for (const { path: gone, basis } of superseded) {
    const isListed = items.some((item) => item.path === gone);
    const found = isListed ? await folder.read(gone, { signal }) : undefined;
    if (found === undefined)
      return refused('not-found', `${gone} is not there: nothing was saved.`, gone);
    if (!found.isText) {
      return refused(
        'not-text',
        `${gone} is no text in UTF-8, and is not archived: nothing was saved.`,
        gone,
      );
    }
    const hash = hashOf(found.text);
    if (basis !== undefined && basis !== hash) return { kind: 'conflict', path: gone, hash };
    archived.push({ path: gone, before: found.text, after: undefined });
  }
  const changed = new Set([path, ...archived.map((each) => each.path)]);
  const pinned = items.find((item) => item.pinned && changed.has(item.path));
  if (pinned !== undefined && !asked) {
    return refused(
      'pinned',
      `${pinned.path} is pinned: it changes only when the user asks for it.`,
      pinned.path,
    );
  }
  const forgotten = await forgottenIn(folder, { ...memory, path }, signal);
  if (forgotten.hit && !asked) {
    return refused(
      'forgotten',
      'The user asked to forget what this says: it is saved only when the user asks for it again.',
    );
  }
  const nowMs = now();
  const modified = new Date(nowMs).toISOString();
  const written = formatText({ name, description, type, modified }, `${memory.body}\n`, parsed);
  if (bytesOf(written) > MOST_READ_BYTES) return refused('too-large', TOO_LARGE);
  const kinds = new Set(place.kinds);
  const text = noting(kinds, written, withoutSecrets(written));
  if (text !== written && place.isTeam) return secretRefused(kinds);
  const file = { path, name, description };
  const index = await openIndexes(
    folder,
    indexes.map((each) => each.path),
    signal,
  );
  for (const each of superseded) index.unpoint(each.path, file);
  const isIndexed = index.point(file);
  const changes: Change[] = [
    { path, before: old?.text, after: text },
    ...index.changes(),
    ...(forgotten.hit ? [forgotten.lifted] : []),
    ...archived,
  ];
  const reason = withoutSecrets(memory.reason ?? 'saved');
  const { id } = await commit(folder, changes, {
    kind: 'save',
    reason,
    quote: maskQuote(memory.quote),
    nowMs,
    signal,
  });
  const notices = [
    ...[...kinds].map((kind) => `A secret (${kind}) was taken out before saving.`),
    ...(forgotten.hit ? ['This was forgotten before, and is remembered again.'] : []),
    ...(isIndexed ? [] : [index.isClosed(path) ? CLOSED_INDEX : FULL_INDEX]),
  ];
  return {
    kind: 'saved',
    path,
    hash: hashOf(text),
    id,
    isIndexed,
    index: index.roomOf(path),
    notices,
  };
}

const FULL_INDEX =
  'The index is full: the file is found by search, and the folder should be tidied.';
const CLOSED_INDEX =
  'The index is a link, no text in UTF-8, or not ours to read, so it stays as it is: the file is found by search.';

const maskQuote = (quote: string | undefined): string | undefined =>
  quote === undefined ? undefined : withoutSecrets(quote);

/** Where a memory goes: to the path that was named, as it is spelled in the folder, else to one that is free. */
function placeFor(
  memory: NewMemory,
  named: string | undefined,
  { items, standing }: Pick<Shelf, 'items' | 'standing'>,
): string {
  if (named === undefined) return freePath(memory, standing);
  return memory.basis === undefined ? named : (findPath(items, named)?.path ?? named);
}

interface Collision extends Pick<Shelf, 'items' | 'standing'> {
  readonly path: string;
  readonly old: string | undefined;
  /** Whether the caller named the path. */
  readonly isNamed: boolean;
  /** Whether a file goes with this save. */
  readonly goes: (path: string) => boolean;
}

/** A file in the way, or one that should be there and is not, or is another one. */
function collision(
  memory: NewMemory,
  { path, items, standing, old, isNamed, goes }: Collision,
): SaveResult | undefined {
  if (memory.basis !== undefined) {
    const hash = old === undefined ? undefined : hashOf(old);
    return hash === memory.basis ? undefined : { kind: 'conflict', path, hash };
  }
  if (isNamed) {
    const there = inTheWay(path, standing);
    if (there !== undefined || old !== undefined) return exists(there ?? path);
  }
  const named = items.find(
    (item) => isOneName(item, { name: memory.name, path }) && !goes(item.path),
  );
  if (named === undefined) return undefined;
  if (saysTheSame(named, memory)) return { kind: 'unchanged', path: named.path };
  return exists(named.path);
}

const exists = (path: string): SaveResult =>
  refused(
    'exists',
    `${path} is there already: read it, then save with its path and hash, or take another name.`,
    path,
  );

/** The same text about the same thing: a body is often said of several (`it is 5432`), so the name and the description count too. */
function saysTheSame(item: LibraryItem, { name, description, body, type }: NewMemory): boolean {
  const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
  if (item.type !== type || flat(item.memory.body) !== flat(body) || flat(body) === '')
    return false;
  const key = (text: string): string => nameKey(text.replace(/[.,;:!?"'`()*|]+/g, ' '));
  const said = ` ${key(`${item.name} | ${item.description} | ${item.memory.body}`)} `;
  return [name, description].every((text) => said.includes(` ${key(text)} `) || key(text) === '');
}

const MOST_SLUG_CHARS = 60;

/** A name of letters and digits of any script; one without any gets a print of itself. A number keeps what is there. */
export function freePath(
  { type, name }: Pick<NewMemory, 'type' | 'name'>,
  standing: readonly string[],
): string {
  const readable = name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  const slug =
    [...readable].slice(0, MOST_SLUG_CHARS).join('').replace(/_+$/, '') ||
    hashOf(name).slice(0, 10);
  const taken = new Set(standing.map((path) => pathKey(path.replace(/\/.*$/, ''))));
  for (let attempt = 1; ; attempt++) {
    const path = `${type}_${slug}${attempt === 1 ? '' : `_${attempt}`}.md`.normalize('NFC');
    if (!taken.has(pathKey(path))) return path;
  }
}

async function forgottenIn(folder: MemoryFolder, memory: Stated, signal: AbortSignal | undefined) {
  const before = (await folder.read(TOMBSTONES, { signal }))?.text;
  const tombstones = parseTombstones(before ?? '');
  const hashes = formHashes(memory);
  const left = tombstones.filter(({ hash }) => !hashes.has(hash));
  const lifted: Change = { path: TOMBSTONES, before, after: writeTombstones(left) };
  return { hit: left.length < tombstones.length, lifted };
}
