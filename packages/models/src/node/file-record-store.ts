import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, PRIVATE_FILE } from '@varve/transcript/node';
import { ModelError } from '../error.ts';
import type { RecordStore } from '../record/recording.ts';

/**
 * A recording in a file, which is made with its folder at the first line, both for their owner only; a file that was there
 * becomes its owner's only too. Lines are written one after the other. One that the disk does not take whole is taken off
 * again and rejects with `recording-failed`; the next one begins a line of its own whatever the file ends with. A file that
 * is missing has no lines; any other failure to open or read is thrown as it is.
 */
export function fileRecordStore(path: string): RecordStore {
  let last: Promise<void> = Promise.resolve();
  return {
    append(line) {
      const written = last.then(() => appendLine(path, line));
      // a failed line is its caller's to hear of, and does not stop the ones after it
      last = written.catch(() => {});
      return written;
    },
    async lines() {
      await last;
      const text = await readFile(path, 'utf8').catch(orEmpty);
      return text.split('\n').filter((line) => line !== '');
    },
  };
}

async function appendLine(path: string, line: string): Promise<void> {
  await makeFolder(dirname(path));
  const handle = await open(path, 'a+', PRIVATE_FILE.mode);
  try {
    await handle.chmod(PRIVATE_FILE.mode);
    const { size } = await handle.stat();
    const start = (await endsLine(handle, size)) ? '' : '\n';
    await writeWhole(handle, Buffer.from(`${start}${line}\n`), size);
  } finally {
    await handle.close();
  }
}

/** Writes all bytes behind `size`, or none: what went in before a refusal is cut off again. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array, size: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done);
      if (bytesWritten === 0) throw new Error('Nothing more was taken.');
      done += bytesWritten;
    }
  } catch (cause) {
    await handle.truncate(size).catch(() => {}); // the refusal to write is what its caller has to hear of
    const code = (cause as { readonly code?: unknown }).code ?? 'no progress';
    const message = `A line of the recording could not be written (${String(code)}); make room and record the request again.`;
    throw new ModelError('recording-failed', message, { cause });
  }
}

async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] === 10;
}

function orEmpty(error: unknown): string {
  if ((error as { readonly code?: unknown }).code === 'ENOENT') return '';
  throw error;
}
