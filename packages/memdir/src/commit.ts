import { isRecord, listOf, textOf } from '@varve/guards';
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
import { hashOf } from './memory-file.ts';

/** A file before and after a change; undefined: it was not, or is not, there. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type ChangeKind = 'save' | 'forget' | 'rebuild' | 'undo' | 'dream';

/** Why one of several files changed, where each has its own reason. */
export interface ChangeFileNote {
  readonly reason?: string | undefined;
  readonly quote?: string | undefined;
}

/** What is kept of a change, beside the texts before it. */
export interface ChangeRecord {
  /** `<date>/<number>`, the name of its folder in the archive. */
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
  const day = `${ARCHIVE}/${at.slice(0, 10)}`;
  const { files: there } = await folder.list(ARCHIVE, { signal });
  const numbers = there.flatMap(({ path }) => {
    const [, number] = path.startsWith(`${day}/`) ? path.slice(ARCHIVE.length + 1).split('/') : [];
    return Number(number) || [];
  });
  const id = `${at.slice(0, 10)}/${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}`;
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
  await dropOld(
    folder,
    there.map(({ path }) => path),
    nowMs,
  ).catch(() => undefined); // the next change tries again
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
const copyOf = (id: string, path: string): string => `${ARCHIVE}/${id}/files/${path}`;
const recordOf = (id: string): string => `${ARCHIVE}/${id}/record.json`;

async function finish(folder: MemoryFolder, record: ChangeRecord): Promise<void> {
  const text = write(record);
  const path = recordOf(record.id);
  const there = (await folder.read(path))?.text;
  if (there !== text) await folder.replace(path, text, { basis: there });
  await folder.remove(PENDING, { basis: text });
}

/** Takes back a change that was interrupted, or finishes it where all of it was done. A file that others changed since is left alone. */
async function recover(folder: MemoryFolder): Promise<void> {
  const pending = (await folder.read(PENDING))?.text;
  if (pending === undefined) return;
  const record = parseRecord(pending);
  if (record === undefined) return folder.remove(PENDING, { basis: pending });
  const states = await Promise.all(
    record.files.map(async (file) => {
      const text = (await folder.read(file.path))?.text;
      return { ...file, text, hash: text === undefined ? null : hashOf(text) };
    }),
  );
  if (states.every(({ hash, after }) => hash === after)) return finish(folder, record);
  for (const { path, before, after, text, hash } of states) {
    if (hash !== after || before === after) continue;
    const copy = before === null ? undefined : (await folder.read(copyOf(record.id, path)))?.text;
    if (copy !== undefined) await folder.replace(path, copy, { basis: text });
    else if (before === null) await folder.remove(path, { basis: text });
  }
  await folder.remove(PENDING, { basis: pending });
}

function parseRecord(text: string): ChangeRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isWhole = isRecord(value) && textOf(value.id) !== '' && Array.isArray(value.files);
    if (!isWhole) return undefined;
    const isSound = listOf(value.files).every((file) => isRecord(file) && textOf(file.path) !== '');
    return isSound ? (value as unknown as ChangeRecord) : undefined;
  } catch {
    return undefined; // not written by us
  }
}

/** The changes that are kept, the newest first. */
export async function readHistory(
  folder: MemoryFolder,
  signal: AbortSignal | undefined,
): Promise<readonly ChangeRecord[]> {
  const { files } = await folder.list(ARCHIVE, { signal });
  const records: ChangeRecord[] = [];
  for (const { path } of files) {
    if (!path.endsWith('/record.json')) continue;
    const record = parseRecord((await folder.read(path, { signal }))?.text ?? '');
    if (record !== undefined) records.push(record);
  }
  return records.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** The text of a file before a change. */
export const textBefore = async (
  folder: MemoryFolder,
  record: ChangeRecord,
  path: string,
): Promise<string | undefined> => (await folder.read(copyOf(record.id, path)))?.text;

async function dropOld(
  folder: MemoryFolder,
  paths: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const path of paths) {
    const day = Date.parse(path.split('/')[1] ?? ''); // its beginning: what came later that day is kept as long
    if (Number.isNaN(day) || nowMs - day <= (KEPT_DAYS + 1) * DAY_MS) continue;
    const text = (await folder.read(path))?.text;
    await folder.remove(path, { basis: text });
  }
}
