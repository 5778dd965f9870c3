import { isRecord, textOf } from '@varve/guards';
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
import { bytesOf } from './index-limits.ts';
import { hashOf } from './memory-file.ts';
import { OWN_LINES } from './own-lines.ts';
import { MOST_NAME_BYTES } from './path.ts';
import { TOMBSTONES } from './tombstones.ts';

/** A file before and after a change; undefined: it was not, or is not, there. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type ChangeKind = 'save' | 'forget' | 'rebuild' | 'undo' | 'dream' | 'extraction';

/** Why one of several files changed, where each has its own reason. */
export interface ChangeFileNote {
  readonly reason?: string | undefined;
  readonly quote?: string | undefined;
}

/** What is kept of a change, beside the texts before it. */
export interface ChangeRecord {
  /** `<date>/<number>`, the name of its folder in the archive. A later change has a larger number, whatever its date. */
  readonly id: string;
  readonly at: string;
  readonly kind: ChangeKind;
  readonly reason: string;
  /** What the user said, where that is the reason. */
  readonly quote?: string | undefined;
  /** Of an undo: what it takes back. */
  readonly undoes?: string | undefined;
  /** Hashes of the texts before and after; null: there was none. */
  readonly files: readonly (ChangeFileNote & {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  })[];
}

const ARCHIVE = '.archive';
export const PENDING = `${ARCHIVE}/pending.json`;
const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;

export interface CommitOptions extends Pick<ChangeRecord, 'kind' | 'reason' | 'quote' | 'undoes'> {
  /** Of single files, by their paths. */
  readonly notes?: ReadonlyMap<string, ChangeFileNote> | undefined;
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes changes to several files as one: the texts before it go to the archive, then what is going to happen is written down,
 * then it happens, in the order of the changes. A kill in between is taken back by the next writer. It has to run in
 * `changing`.
 *
 * @throws MemdirError `changed-meanwhile` where a file is not `before` any more; what was done until then is taken back
 */
export async function commit(
  folder: MemoryFolder,
  changes: readonly Change[],
  options: CommitOptions,
): Promise<ChangeRecord> {
  const { kind, reason, quote, undoes, notes, nowMs, signal } = options;
  const at = new Date(nowMs).toISOString();
  const last = await lastInArchive(folder, signal);
  const id = `${at.slice(0, 10)}/${String(last + 1).padStart(4, '0')}`;
  const record: ChangeRecord = {
    ...{ id, at, kind, reason },
    ...(quote === undefined ? {} : { quote }),
    ...(undoes === undefined ? {} : { undoes }),
    files: changes.map(({ path, before, after }) => ({
      path,
      before: before === undefined ? null : hashOf(before),
      after: after === undefined ? null : hashOf(after),
      ...notes?.get(path),
    })),
  };
  for (const { path, before } of changes) {
    if (before !== undefined)
      await folder.replace(copyOf(id, path), before, { basis: undefined, signal });
  }
  await folder.replace(PENDING, write(record), { basis: undefined, signal });
  // From here on an abort would leave a half: it is not looked at any more.
  try {
    for (const { path, before, after } of changes) {
      if (after === undefined) await folder.remove(path, { basis: before });
      else if (after !== before) await folder.replace(path, after, { basis: before });
    }
  } catch (error) {
    await recover(folder);
    throw error;
  }
  await finish(folder, record);
  await dropOld(folder, nowMs).catch(() => undefined); // the next change tries again
  return record;
}

/** Between reading and writing a hand may change a file: then all is read again, a few times. */
const MOST_ATTEMPTS = 4;

/** Runs work that reads and commits: alone, after mending what was interrupted, and again where a file was changed meanwhile. */
export function changing<Value>(
  folder: MemoryFolder,
  work: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const attempts = async (): Promise<Value> => {
    await recover(folder);
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const isChanged = MemdirError.is(error) && error.code === 'changed-meanwhile';
        if (!isChanged || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  };
  return folder.exclusive(attempts, { signal });
}

const write = (record: ChangeRecord): string => `${JSON.stringify(record, undefined, 2)}\n`;
const placeIn = (id: string, name: string): string => `${ARCHIVE}/${id}/${name}`;
const copyOf = (id: string, path: string): string => placeIn(id, `files/${archiveName(path)}`);
const recordOf = (id: string): string => placeIn(id, 'record.json');

/** Names are longer while they are written: of one that is as long as names can be, a print stands in the archive. */
const archiveName = (path: string): string =>
  path
    .split('/')
    .map((name) => (bytesOf(name) > MOST_NAME_BYTES ? hashOf(name) : name))
    .join('/');

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NUMBER = /^\d{4,9}$/;
const numberOf = (id: string): number => Number(id.slice(id.indexOf('/') + 1));

/** The number of the last change, also of one that was interrupted. Only names are looked at: a save does not cost more the more came before it. */
async function lastInArchive(
  folder: MemoryFolder,
  signal: AbortSignal | undefined,
): Promise<number> {
  let last = { number: 0, place: '' };
  for (const day of await folder.names(ARCHIVE, { signal })) {
    if (!DAY.test(day)) continue;
    for (const name of await folder.names(`${ARCHIVE}/${day}`, { signal })) {
      const number = NUMBER.test(name) ? Number(name) : 0;
      if (number > last.number) last = { number, place: `${ARCHIVE}/${day}/${name}` };
    }
  }
  // Listing it takes away what a killed process was writing there.
  if (last.place !== '') await folder.list(last.place, { signal });
  return last.number;
}

async function finish(folder: MemoryFolder, record: ChangeRecord): Promise<void> {
  const text = write(record);
  await keep(folder, recordOf(record.id), text);
  await folder.remove(PENDING, { basis: text });
}

/**
 * Takes back a change that was interrupted, or finishes it where all of it was done. A file that others changed since, or put
 * something else in place of, is left alone. What is taken back stays in the archive as well: whatever the note of the change
 * says, no text is lost.
 */
async function recover(folder: MemoryFolder): Promise<void> {
  const found = await folder.read(PENDING);
  if (found === undefined) return;
  const record = found.isText ? parseRecord(found.text) : undefined;
  if (record === undefined) return folder.remove(PENDING, { basis: found.text }); // no change of ours
  const states = await Promise.all(record.files.map((file) => stateOf(folder, file)));
  if (states.every(({ hash, after }) => hash === after)) return finish(folder, record);
  for (const { path, before, after, text, hash } of states) {
    if (hash !== after || before === after) continue;
    const copy = before === null ? undefined : await textBefore(folder, record, path);
    if (before !== null && copy === undefined) continue;
    if (text !== undefined)
      await keep(folder, placeIn(record.id, `taken-back/${archiveName(path)}`), text);
    if (copy === undefined) await folder.remove(path, { basis: text });
    else await folder.replace(path, copy, { basis: text });
  }
  await folder.remove(PENDING, { basis: found.text });
}

/** `other`: something that no change of ours has put there. */
async function stateOf(folder: MemoryFolder, file: ChangeRecord['files'][number]) {
  try {
    const found = await folder.read(file.path);
    if (found === undefined) return { ...file, text: undefined, hash: null };
    return { ...file, text: found.text, hash: found.isText ? hashOf(found.text) : 'other' };
  } catch (error) {
    if (!MemdirError.is(error) || error.code !== 'bad-path') throw error;
    return { ...file, text: undefined, hash: 'other' };
  }
}

/** Nothing is written where it stands already: a kill came after that. */
async function keep(folder: MemoryFolder, path: string, text: string): Promise<void> {
  const there = (await folder.read(path))?.text;
  if (there !== text) await folder.replace(path, text, { basis: there });
}

/** Undefined for what was not written by us: whoever gives a folder away can put anything there. */
function parseRecord(text: string): ChangeRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !ID.test(textOf(value.id)) || !Array.isArray(value.files)) {
      return undefined;
    }
    return value.files.every(isFileOfRecord) ? (value as unknown as ChangeRecord) : undefined;
  } catch {
    return undefined;
  }
}

const ID = /^\d{4}-\d{2}-\d{2}\/\d{4,9}$/;

/** Memories, indexes and what is kept beside them; nothing in the archive, and nothing outside. */
function isFileOfRecord(file: unknown): boolean {
  if (!isRecord(file)) return false;
  const isHash = (value: unknown): boolean => value === null || typeof value === 'string';
  const path = textOf(file.path);
  const names = path.split('/');
  const isInside = !path.includes('\0') && names.every((name) => !['', '.', '..'].includes(name));
  const isOfMemory = /\.md$/i.test(path) && names[0]?.toLowerCase() !== ARCHIVE;
  const isKnown = isOfMemory || path === OWN_LINES || path === TOMBSTONES;
  return isInside && isKnown && isHash(file.before) && isHash(file.after);
}

/** The changes that are kept, the newest first. */
export async function readHistory(
  folder: MemoryFolder,
  signal: AbortSignal | undefined,
): Promise<readonly ChangeRecord[]> {
  const { files } = await folder.list(ARCHIVE, { signal });
  const records: ChangeRecord[] = [];
  for (const { path } of files) {
    if (!/^\.archive\/[^/]+\/[^/]+\/record\.json$/.test(path)) continue;
    const record = parseRecord((await folder.read(path, { signal }))?.text ?? '');
    if (record !== undefined) records.push(record);
  }
  return records.sort((one, other) => numberOf(other.id) - numberOf(one.id));
}

/** The text of a file before a change; undefined where it is not what the record says. */
export async function textBefore(
  folder: MemoryFolder,
  { id, files }: ChangeRecord,
  path: string,
): Promise<string | undefined> {
  const wanted = files.find((file) => file.path === path)?.before;
  const found = await folder.read(copyOf(id, path));
  return found?.isText && hashOf(found.text) === wanted ? found.text : undefined;
}

async function dropOld(folder: MemoryFolder, nowMs: number): Promise<void> {
  for (const day of await folder.names(ARCHIVE)) {
    const began = DAY.test(day) ? Date.parse(day) : Number.NaN; // what came later that day is kept as long
    if (Number.isNaN(began) || nowMs - began <= (KEPT_DAYS + 1) * DAY_MS) continue;
    for (const { path } of (await folder.list(`${ARCHIVE}/${day}`)).files) {
      const text = (await folder.read(path))?.text;
      await folder.remove(path, { basis: text }).catch(() => undefined); // what others put there stays
    }
  }
}
