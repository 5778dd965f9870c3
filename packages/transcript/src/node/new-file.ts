import { open, rm } from 'node:fs/promises';
import { errorCode } from './file-error.ts';
import { PRIVATE_FILE } from './private-files.ts';

/** Makes a file where none is: all of it, flushed, or nothing. Rejects with the system's error, `EEXIST` among them. */
export async function writeNewFile(
  path: string,
  data: Uint8Array | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const handle = await open(path, 'wx', PRIVATE_FILE.mode);
  try {
    await handle.writeFile(data); // also where the disk takes only part of a write
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Calls `make` with the first name that is free: `path`, `path-2`, `path-3`. Says which it was. */
export async function underFreeName(
  path: string,
  make: (name: string) => Promise<void>,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? path : `${path}-${attempt}`;
    try {
      await make(name);
      return name;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
