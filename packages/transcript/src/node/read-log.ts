import { type FileHandle, open } from 'node:fs/promises';
import { type EntryOnLine, type ReadEntriesOptions, readEntries } from '../read-entries.ts';
import { fileError } from './file-error.ts';

// Each piece costs a turn of the event loop; with a quarter of this, reading 50 MB takes an eighth longer.
const CHUNK_BYTES = 1 << 20;

/**
 * Reads a log file without changing it, one entry after the other, in memory that does not grow with the file, the ids of
 * the entries aside.
 *
 * @throws TranscriptError `not-found`, `not-a-file` for a folder, `unreadable` where the system refuses, `damaged-line` for
 * damage before the last line
 */
export function readLog(
  path: string,
  options: Omit<ReadEntriesOptions, 'file'> = {},
): AsyncGenerator<EntryOnLine> {
  return readEntries(readChunks(path), { ...options, file: path });
}

export interface ReadChunksOptions {
  /** Where to stop, in bytes. @default the end of the file */
  readonly end?: number;
  /** How the file is called in errors. @default its path */
  readonly name?: string;
}

/**
 * The bytes of a file, or of a pipe, in pieces. A piece is only good until the next one is asked for: its memory is used
 * again. The next piece is read while the caller is at work on this one.
 */
export async function* readChunks(
  path: string,
  { end = Number.POSITIVE_INFINITY, name = path }: ReadChunksOptions = {},
): AsyncGenerator<Uint8Array> {
  const handle = await openFile(path, name);
  // A Buffer finds a line end several times faster than a plain Uint8Array.
  let [buffer, other] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
  let left = end;
  const readNext = async (): Promise<number> => {
    const length = Math.min(CHUNK_BYTES, left);
    if (length <= 0) return 0;
    try {
      return (await handle.read(buffer, 0, length)).bytesRead;
    } catch (cause) {
      throw fileError(name, cause);
    }
  };
  try {
    for (let bytesRead = await readNext(); bytesRead > 0; ) {
      const piece = buffer.subarray(0, bytesRead);
      [buffer, other] = [other, buffer];
      left -= bytesRead;
      const next = readNext();
      next.catch(() => {}); // looked at below, after the caller is done with the piece
      yield piece;
      bytesRead = await next;
    }
  } finally {
    await handle.close();
  }
}

async function openFile(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw fileError(name, cause);
  }
}
