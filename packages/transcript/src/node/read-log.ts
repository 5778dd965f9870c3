import { type FileHandle, open } from 'node:fs/promises';
import { type EntryOnLine, type ReadEntriesOptions, readEntries } from '../read-entries.ts';
import { fileError } from './file-error.ts';

const CHUNK_BYTES = 1 << 18;

/**
 * Reads a log file without changing it, one entry after the other, in memory that does not grow with the file. Throws
 * `not-found` for a missing file, `unreadable` where the system refuses, `damaged-line` for damage before the last line.
 */
export function readLog(
  path: string,
  options: Omit<ReadEntriesOptions, 'file'> = {},
): AsyncGenerator<EntryOnLine> {
  return readEntries(readChunks(path), { ...options, file: path });
}

/**
 * The bytes of a file from `start` up to `end`, in pieces. A piece is only good until the next one is asked for: its
 * memory is used again. The next piece is read while the caller is at work on this one.
 */
export async function* readChunks(
  path: string,
  {
    start = 0,
    end = Number.POSITIVE_INFINITY,
  }: { readonly start?: number; readonly end?: number } = {},
): AsyncGenerator<Uint8Array> {
  const handle = await openFile(path);
  // A Buffer finds a line end several times faster than a plain Uint8Array.
  let [buffer, other] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
  const readAt = async (at: number): Promise<number> => {
    const length = Math.min(CHUNK_BYTES, end - at);
    if (length <= 0) return 0;
    try {
      return (await handle.read(buffer, 0, length, at)).bytesRead;
    } catch (cause) {
      throw fileError(path, cause);
    }
  };
  try {
    let at = start;
    for (let bytesRead = await readAt(at); bytesRead > 0; ) {
      const piece = buffer.subarray(0, bytesRead);
      [buffer, other] = [other, buffer];
      at += bytesRead;
      const next = readAt(at);
      next.catch(() => {}); // looked at below, after the caller is done with the piece
      yield piece;
      bytesRead = await next;
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
