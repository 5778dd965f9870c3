import { mkdir, mkdtemp, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '@varve/transcript/node';
import { EvalsError } from '../error.ts';

/** Writes files, by name, into a folder, which is made if it is missing. Throws `not-written`. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await orNotWritten(folder, async () => {
    await makeFolder(resolve(folder));
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, PRIVATE_FILE);
  });
}

/** What cannot be written is told before the work, not after it. Makes the folder; throws `not-written`. */
export const ensureWritable = (folder: string): Promise<void> =>
  orNotWritten(folder, async () => {
    await makeFolder(resolve(folder));
    await rmdir(await mkdtemp(join(folder, '.varve-')));
  });

async function orNotWritten(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const text = `The report could not be written to ${folder}: ${reason}. Choose another folder with --out.`;
    throw new EvalsError('not-written', text, { cause });
  }
}

/** Not `mkdir` with `recursive`, which never ends where a parent exists and takes no folders, as `/proc` does. */
async function makeFolder(folder: string, isRetry = false): Promise<void> {
  try {
    await mkdir(folder, PRIVATE_FOLDER.mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isRetry && dirname(folder) !== folder) {
      await makeFolder(dirname(folder));
      await makeFolder(folder, true);
    } else if (code !== 'EEXIST') throw error;
  }
}
