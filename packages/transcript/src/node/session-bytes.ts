import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { TranscriptError } from '../error.ts';
import { RESTORE } from '../import/no-text.ts';
import { readChunks } from './read-log.ts';

export interface SessionBytesOptions {
  /** How the file is called in errors. */
  readonly name: string;
  /** Where to stop, in bytes of what was unpacked. @default the end of the file */
  readonly end?: number | undefined;
  /** Of what is read at once of the file. @default 1 MiB */
  readonly pieceBytes?: number | undefined;
  /** Whether a pipe may be read, which may never end. @default false */
  readonly takesPipes?: boolean | undefined;
  /** Called where a packed file is cut off, or something stands behind its end; what came before was given. */
  readonly onCut?: () => void;
}

/**
 * The bytes of a session's file, in pieces that are good until the next one is asked for; a file in Zstandard, as Codex packs what is older than a
 * week, is unpacked. Whether it is packed is told from its first bytes.
 *
 * @throws TranscriptError as `readChunks` does; `torn-document` where nothing can be unpacked
 */
export async function* sessionBytes(
  path: string,
  {
    name,
    end = Number.POSITIVE_INFINITY,
    pieceBytes,
    takesPipes = false,
    onCut = () => {},
  }: SessionBytesOptions,
): AsyncGenerator<Uint8Array> {
  let left = end;
  const chunks = readChunks(path, { name, pieceBytes, takesPipes });
  try {
    for await (const piece of unpacked(chunks, name, onCut)) {
      if (left <= 0) return;
      yield piece.length <= left ? piece : piece.subarray(0, left);
      left -= piece.length;
    }
  } finally {
    await chunks.return(undefined);
  }
}

async function* unpacked(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
  onCut: () => void,
): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  if (first.done === true) return;
  if (!isZstandard(first.value)) {
    yield first.value;
    yield* chunks;
    return;
  }
  const pieces = createZstdDecompress();
  let size = 0;
  let count = 0;
  const counted = copies(first.value, chunks, (length) => {
    size += length;
  });
  pipeline(Readable.from(counted), pieces, () => {}); // the loop below gets the error
  try {
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      count += 1;
      yield piece;
    }
    if (pieces.bytesWritten < size) onCut();
  } catch (cause) {
    if (TranscriptError.is(cause) || !isZlibError(cause)) throw cause;
    if (count > 0) onCut();
    else {
      const text = `the file is packed (Zstandard) and nothing of it can be unpacked: ${RESTORE}`;
      throw new TranscriptError('torn-document', text, { file: name, cause });
    }
  }
}

/** The memory of a chunk is used again while what unpacks still reads it. */
async function* copies(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  onLength: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  onLength(first.length);
  yield Buffer.from(first);
  for await (const chunk of rest) {
    onLength(chunk.length);
    yield Buffer.from(chunk);
  }
}

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

const isZstandard = (bytes: Uint8Array): boolean =>
  MAGIC.every((byte, index) => bytes[index] === byte);

const isZlibError = (error: unknown): boolean =>
  /^(ZSTD_|Z_|ERR_)/.test(String((error as { readonly code?: unknown } | null)?.code));
