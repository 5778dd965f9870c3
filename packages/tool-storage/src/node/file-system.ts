import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rmdir, unlink } from 'node:fs/promises';

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
  stat(
    path: string,
  ): Promise<{ readonly isFile: boolean; readonly bytes: number; readonly modifiedMs: number }>;
  /** Follows no link. */
  read(path: string, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array>;
}

export interface StoreFile {
  /** How many bytes were taken. */
  write(bytes: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const realFiles: StoreFiles = {
  async create(path) {
    const handle = await open(path, 'wx', 0o600);
    return {
      write: async (bytes) => (await handle.write(bytes)).bytesWritten,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  rename,
  remove: unlink,
  makeFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  removeFolder: rmdir,
  async syncFolder(path) {
    const handle = await open(path, 'r').catch(() => undefined); // Windows opens no folders
    await handle?.sync().finally(() => handle.close());
  },
  names: readdir,
  async stat(path) {
    const found = await lstat(path);
    return { isFile: found.isFile(), bytes: found.size, modifiedMs: found.mtimeMs };
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
