import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '@varve/transcript/node';
import type { RecordStore } from '../record/recording.ts';

/**
 * A recording in a file, which is made with its folder at the first line, both for their owner only. Lines are written one after the other, each in
 * one write. A file that is missing has no lines; any other failure of the file system is thrown as it is.
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
  await mkdir(dirname(path), PRIVATE_FOLDER);
  await appendFile(path, `${line}\n`, PRIVATE_FILE);
}

function orEmpty(error: unknown): string {
  if ((error as { readonly code?: unknown }).code === 'ENOENT') return '';
  throw error;
}
