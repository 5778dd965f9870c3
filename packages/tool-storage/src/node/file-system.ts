import { closeSync, constants, fsync, lstatSync, openSync, renameSync } from 'node:fs';
import { lstat, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { makeFolder, PRIVATE_FILE, writeSome } from '@varve/transcript/node';

/** What `fileStore` asks of the file system; errors carry the system's `code`. Paths are absolute or as the folder was given. */
export interface StoreFiles {
  /** Makes a file that is not there, readable for its owner only, and refuses where one is. */
  create(path: string): Promise<StoreFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the folder and those above it, readable for their owner only. */
  makeFolder(path: string): Promise<void>;
  /** Removes a folder that is empty. */
  removeFolder(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** Names in a folder. */
  names(path: string): Promise<readonly string[]>;
  /** Of a link, what it is itself. `atOnce`: it is used right after, so that what the system says of it is at hand. */
  stat(path: string, options?: { readonly atOnce?: boolean }): Promise<StoreFileStat>;
  /** Follows no link. */
  read(path: string, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array>;
}

export interface StoreFileStat {
  readonly isFile: boolean;
  /** A symbolic link. @default false */
  readonly isLink?: boolean | undefined;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface StoreFile {
  /** How many bytes were taken. */
  write(bytes: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Node's files. What takes some microseconds is done at once, since a trip to the thread pool takes longer; flushes, large
 * writes and reads are not.
 */
export const realFiles: StoreFiles = {
  async create(path) {
    const file = openSync(path, 'wx', PRIVATE_FILE.mode);
    return {
      write: (bytes) => writeSome(file, bytes),
      sync: () => flush(file),
      close: async () => closeSync(file),
    };
  },
  rename: async (from, to) => renameSync(from, to),
  remove: unlink,
  makeFolder: (path) => makeFolder(path),
  removeFolder: rmdir,
  async syncFolder(path) {
    const file = openFolder(path);
    if (file === undefined) return;
    await flush(file).finally(() => closeSync(file));
  },
  names: readdir,
  async stat(path, { atOnce = false } = {}) {
    const found = atOnce ? lstatSync(path) : await lstat(path);
    const [isFile, isLink] = [found.isFile(), found.isSymbolicLink()];
    return { isFile, isLink, bytes: found.size, modifiedMs: found.mtimeMs };
  },
  async read(path, range) {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      if (range === undefined) return await handle.readFile();
      const bytes = new Uint8Array(Math.max(0, range.end - range.start));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, range.start);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  },
};

const flush = promisify(fsync);

/** Windows opens no folders. */
function openFolder(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isSystemError(error) && ['EISDIR', 'EPERM', 'EACCES'].includes(error.code))
      return undefined;
    throw error;
  }
}

const isSystemError = (error: unknown): error is { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';
