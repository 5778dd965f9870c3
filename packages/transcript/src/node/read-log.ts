import { type FileHandle, open } from 'node:fs/promises';
import { type EntryOnLine, type ReadEntriesOptions, readEntries } from '../read-entries.ts';
import { fileError } from './file-error.ts';

const CHUNK_BYTES = 1 << 18;

/**
 * Reads a log file without changing it, one entry after the other, in memory that does not grow with the file. Throws
 * `not-found` for a missing file, `unreadable` where the system refuses, `damaged-line` for damage before the last line.
 */
export async function* readLog(
  path: string,
  options: Omit<ReadEntriesOptions, 'file'> = {},
): AsyncGenerator<EntryOnLine> {
  yield* readEntries(readChunks(path), { ...options, file: path });
}

/**
 * The bytes of a file from `start` up to `end`, in pieces. A piece is only good until the next one is asked for: its
 * memory is used again.
 */
export async function* readChunks(
  path: string,
  {
    start = 0,
    end = Number.POSITIVE_INFINITY,
  }: { readonly start?: number; readonly end?: number } = {},
): AsyncGenerator<Uint8Array> {
  const handle = await openFile(path);
  const buffer = new Uint8Array(CHUNK_BYTES);
  try {
    for (let at = start; at < end; ) {
      const length = Math.min(CHUNK_BYTES, end - at);
      const { bytesRead } = await handle.read(buffer, 0, length, at).catch((cause: unknown) => {
        throw fileError(path, cause);
      });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw fileError(path, cause);
  }
}
