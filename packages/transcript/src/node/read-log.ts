import { type FileHandle, open, stat } from 'node:fs/promises';
import { TranscriptError } from '../error.ts';
import { type EntryOnLine, type ReadEntriesOptions, readEntries } from '../read-entries.ts';
import { fileError } from './file-error.ts';

// Each piece costs a turn of the event loop; with a quarter of this, reading 50 MB takes an eighth longer.
const CHUNK_BYTES = 1 << 20;

/**
 * Reads a log file without changing it, one entry after the other, in memory that does not grow with the file, the ids of
 * the entries aside.
 *
 * @throws TranscriptError `not-found`, `not-a-file` for a folder, a pipe or a device, `unreadable` where the system refuses, `damaged-line` for
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
  /** Of a piece, at most; memory of twice as much is taken at once. @default 1 MiB */
  readonly pieceBytes?: number | undefined;
  /** Whether a pipe or a device may be read, which may never end. @default false */
  readonly takesPipes?: boolean;
}

/**
 * The bytes of a file, or where it is asked for of a pipe, in pieces. A piece is only good until the next one is asked for: its memory is used
 * again. The next piece is read while the caller is at work on this one.
 */
export async function* readChunks(
  path: string,
  {
    end = Number.POSITIVE_INFINITY,
    name = path,
    pieceBytes = CHUNK_BYTES,
    takesPipes = false,
  }: ReadChunksOptions = {},
): AsyncGenerator<Uint8Array> {
  if (!takesPipes) await ensureFile(path, name);
  const handle = await openFile(path, name);
  // A Buffer finds a line end several times faster than a plain Uint8Array.
  let [buffer, other] = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)];
  let left = end;
  const readNext = async (): Promise<number> => {
    const length = Math.min(pieceBytes, left);
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

/** Before it is opened: opening a pipe waits for its writer. */
async function ensureFile(path: string, name: string): Promise<void> {
  const stats = await stat(path).catch((cause) => Promise.reject(fileError(name, cause)));
  if (stats.isFile() || stats.isDirectory()) return; // a folder is told of where it is read
  const text = 'this is no file that a log can be in, but a pipe, a socket or a device';
  throw new TranscriptError('not-a-file', text, { file: name });
}

async function openFile(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw fileError(name, cause);
  }
}
