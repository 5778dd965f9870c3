import { dirname } from 'node:path';
import { checkOptions, codeOf, number, required } from '@varve/guards';
import {
  realFiles,
  removeReplaceLeftovers,
  replaceFile,
  type StoreFiles,
} from '@varve/tool-storage/node';
import { type Lock, takeLock } from '@varve/transcript/node';
import { SessionMemoryError } from '../error.ts';
import { changedMeanwhile, type NotesFile, type NotesWriteOptions } from '../notes-file.ts';

export interface NotesFileOnDiskOptions {
  /**
   * How long a write waits for another process that writes the same notes, in ms.
   * @default 10_000
   */
  readonly lockWaitMs?: number | undefined;
  /** What a test puts in place of the disk. @default the real file system */
  readonly files?: StoreFiles | undefined;
}

/**
 * Notes in one file, readable for its owner only. They are written beside it, flushed and moved into place: a kill or a power
 * loss leaves the old ones or the new, whole. Processes that write the same notes do so one after the other, under the lock
 * `<path>.lock`, and each looks again whether its basis is still there. A folder that is a symbolic link is refused, as a file that is
 * one is. Folders are made as needed. A reader that holds the file (Windows) is waited
 * for, about two seconds; where it stays, `not-written` is thrown and the new notes lie beside the old, in a file `.tmp`.
 */
export function notesFile(path: string, options: NotesFileOnDiskOptions = {}): NotesFile {
  checkOptions({ path }, { path: required('a text that is not blank') });
  checkOptions(options, { lockWaitMs: number({ min: 0 }), files: 'an object' });
  const { files = realFiles, lockWaitMs = 10_000 } = options;
  return {
    path,
    async read({ signal } = {}) {
      signal?.throwIfAborted();
      return readNotes(path, files);
    },
    async write(text, options) {
      options.signal?.throwIfAborted();
      await unlessAborted(options, () => replace(text, { path, files, lockWaitMs, ...options }));
      await removeReplaceLeftovers(path, files).catch(() => undefined); // the next write tries again
    },
  };
}

async function readNotes(path: string, files: StoreFiles): Promise<string | undefined> {
  try {
    await refuseLinkedFolder(path, files);
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

/** What a link leads to is another's folder, whether to read or to write. One that is not there yet is none. */
async function refuseLinkedFolder(path: string, files: StoreFiles): Promise<void> {
  let folder = dirname(path);
  for (let level = OF_NOTES_PATH.test(path) ? 3 : 1; level > 0; level--) {
    if (await isLink(folder, files))
      throw Object.assign(new Error(`${folder} is a symbolic link.`), { code: 'ELOOP' });
    folder = dirname(folder);
  }
}

async function isLink(folder: string, files: StoreFiles): Promise<boolean> {
  try {
    return (await files.stat(folder)).isLink === true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Three of its folders are our own; those above may be links. */
const OF_NOTES_PATH = /[\\/]projects([\\/][^\\/]+){2}[\\/]session-memory[\\/]summary\.md$/;

interface ReplaceOptions extends NotesWriteOptions {
  readonly path: string;
  readonly files: StoreFiles;
  readonly lockWaitMs: number;
}

async function replace(text: string, options: ReplaceOptions): Promise<void> {
  const { path, files, lockWaitMs, signal } = options;
  await refuseLinkedFolder(path, files); // before folders are made: they would appear where the link leads
  await files.makeFolder(dirname(path));
  const lock = await takeLock(`${path}.lock`, { waitMs: lockWaitMs, signal, name: path });
  try {
    await replaceLocked(text, lock, options);
  } finally {
    await lock.release();
  }
}

async function replaceLocked(text: string, lock: Lock, options: ReplaceOptions): Promise<void> {
  const { path, files, basis, signal } = options;
  const confirmAgain = (): void => {
    if (!lock.isHeld()) throw changedMeanwhile();
  };
  await replaceFile(path, new TextEncoder().encode(text), {
    ...{ files, signal, confirmAgain },
    async confirm() {
      if ((await readNotes(path, files)) !== basis) throw changedMeanwhile();
      confirmAgain();
    },
  });
}

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
