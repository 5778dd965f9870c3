import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { realFiles, type StoreFiles } from '@varve/tool-storage/node';
import { SessionMemoryError } from '../error.ts';
import { changedMeanwhile, type NotesFile, type NotesWriteOptions } from '../notes-file.ts';

/** What a test or another file system puts in place of the disk. */
export interface NotesFileOnDiskOptions {
  /** @default the real file system */
  readonly files?: StoreFiles | undefined;
}

/**
 * Notes in one file, readable for its owner only. They are written beside it, flushed and moved into place: a kill or a power
 * loss leaves the old ones or the new, whole. Folders are made as needed. A reader that holds the file (Windows) is waited
 * for, about two seconds; where it stays, `not-written` is thrown and the new notes lie beside the old, in a file `.tmp`.
 */
export function notesFile(
  path: string,
  { files = realFiles }: NotesFileOnDiskOptions = {},
): NotesFile {
  return {
    path,
    async read({ signal } = {}) {
      signal?.throwIfAborted();
      return readNotes(path, files);
    },
    async write(text, options) {
      options.signal?.throwIfAborted();
      await unlessAborted(options, () => replace(text, { path, files, ...options }));
      await removeLeftovers(path, files).catch(() => undefined); // the next write tries again
    },
  };
}

async function readNotes(path: string, files: StoreFiles): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await files.read(path),
    );
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new SessionMemoryError('not-read', NOT_READ, { cause });
  }
}

const NOT_READ =
  'The notes could not be read. Nothing was changed; see `cause`, and try again when the file is readable text.';

interface ReplaceOptions extends NotesWriteOptions {
  readonly path: string;
  readonly files: StoreFiles;
}

async function replace(text: string, { path, files, basis, signal }: ReplaceOptions) {
  const folder = dirname(path);
  await files.makeFolder(folder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const removeTemporary = () => files.remove(temporary).catch(() => undefined); // taken later
  try {
    await writeAll(temporary, new TextEncoder().encode(text), files);
    if ((await readNotes(path, files)) !== basis) throw changedMeanwhile();
    signal?.throwIfAborted();
  } catch (error) {
    await removeTemporary();
    throw error;
  }
  await moveInPlace(temporary, { path, files, basis, signal });
  // The move has happened: readers see the new notes. A power loss may still bring back the old ones, whole.
  await files.syncFolder(folder).catch(() => undefined);
}

async function writeAll(path: string, bytes: Uint8Array, files: StoreFiles): Promise<void> {
  const file = await files.create(path);
  try {
    for (let at = 0; at < bytes.length; ) {
      const taken = await file.write(bytes.subarray(at)); // a full disk may take a part
      if (taken === 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' });
      at += taken;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** On Windows nothing can be moved over a file that somebody holds; it passes. */
async function moveInPlace(temporary: string, { path, files, signal }: ReplaceOptions) {
  for (let attempt = 0; ; attempt++) {
    try {
      await files.rename(temporary, path);
      return;
    } catch (error) {
      const waitMs = HELD.includes(String(codeOf(error))) ? WAITS_MS[attempt] : undefined;
      if (waitMs === undefined) throw error; // the new notes stay beside the old
      await pause(waitMs, undefined, { signal }).catch(async (aborted: unknown) => {
        await files.remove(temporary).catch(() => undefined);
        throw aborted;
      });
    }
  }
}

const HELD = ['EPERM', 'EACCES', 'EBUSY'];
const WAITS_MS = [10, 20, 40, 80, 160, 320, 640, 640];

/** Aborts and refusals pass as they are; whatever the system says becomes `not-written`. */
async function unlessAborted({ signal }: NotesWriteOptions, work: () => Promise<void>) {
  try {
    await work();
  } catch (cause) {
    signal?.throwIfAborted();
    if (SessionMemoryError.is(cause)) throw cause;
    throw new SessionMemoryError('not-written', NOT_WRITTEN, { cause });
  }
}

const NOT_WRITTEN =
  'The notes could not be written; what was there before stands. See `cause`, and free the disk or the folder.';

const TEMPORARY = /^\.[0-9a-f]{12}\.tmp$/;
/** No write takes that long: what is older was left behind. */
const STALE_MS = 3_600_000;

async function removeLeftovers(path: string, files: StoreFiles): Promise<void> {
  const own = basename(path);
  const { modifiedMs: nowMs } = await files.stat(path);
  for (const name of await files.names(dirname(path))) {
    const isOurs = name.startsWith(own) && TEMPORARY.test(name.slice(own.length));
    if (!isOurs) continue;
    const leftover = join(dirname(path), name);
    const { isFile, modifiedMs } = await files.stat(leftover);
    if (isFile && nowMs - modifiedMs > STALE_MS) await files.remove(leftover);
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
