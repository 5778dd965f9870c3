import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from './file-error.ts';

/**
 * Where a file is, or will be, whatever links lead to it: two names of one file must meet in one lock. Rejects with the
 * system's error where a folder on the way is missing.
 */
export async function realFile(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const target = await readlink(path).catch(() => undefined); // a link to a file that is not there yet
    return target === undefined
      ? join(await realpath(dirname(path)), basename(path))
      : realFile(resolve(dirname(path), target));
  }
}
