import { mkdtemp, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder, PRIVATE_FILE } from '@varve/transcript/node';
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
