import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './file-error.ts';

/** For `writeFile`, `appendFile` and the like: a file that is made is readable for its owner only, whatever the umask. */
export const PRIVATE_FILE = { mode: 0o600 } as const;

/**
 * Makes a folder and those on the way to it, open to their owner only. Not `mkdir` with `recursive`, which never ends where a
 * parent exists and takes no folders, as `/proc` does. Rejects with the error of the system.
 */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(path, mode);
      return;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') {
        const found = await stat(path).catch(() => undefined);
        if (found?.isDirectory()) return;
        throw error;
      }
      // Somebody may remove the parent again, such as a sweep of another process.
      if (attempt === MOST_ATTEMPTS || dirname(path) === path) throw error;
      await makeFolder(dirname(path), mode);
    }
  }
}

const MOST_ATTEMPTS = 2;
