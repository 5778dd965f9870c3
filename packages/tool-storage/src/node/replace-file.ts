import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@varve/guards';
import type { StoreFile, StoreFiles } from './file-system.ts';

export interface ReplaceFileOptions {
  readonly files: StoreFiles;
  /** Asked once the new file is written and flushed, right before it is moved. What it throws ends the replacing. */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Asked before each further attempt to move, as `confirm` is. */
  readonly confirmAgain?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a file beside its place, readable for its owner only, flushes it, and moves it there in one step: a kill or a power
 * loss leaves all of the old one or all of the new one. The folder has to be there. A reader that holds the file (Windows) is
 * waited for, about two seconds; where it stays, the system's error is thrown and the new file lies beside the old one.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  options: ReplaceFileOptions,
): Promise<void> {
  const { files, confirm, signal } = options;
  const name = `${startOf(path)}.${randomBytes(6).toString('hex')}.tmp`;
  const temporary = join(dirname(path), name);
  try {
    const file = await files.create(temporary);
    await writeAll(file, bytes, true);
    await confirm?.();
    signal?.throwIfAborted();
  } catch (error) {
    await files.remove(temporary).catch(() => undefined); // taken later
    throw error;
  }
  await moveInPlace(temporary, path, options);
  // The move has happened: readers see the new file. A power loss may still bring back the old one, whole.
  await files.syncFolder(dirname(path)).catch(() => undefined);
}

/** Writes all bytes to a file that is open, and closes it. */
export async function writeAll(
  file: StoreFile,
  bytes: Uint8Array,
  durable: boolean,
): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; ) {
      const taken = await file.write(bytes.subarray(at)); // a full disk may take a part
      if (taken === 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' });
      at += taken;
    }
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

/** On Windows nothing can be moved over a file that another program holds; it passes. */
async function moveInPlace(temporary: string, path: string, options: ReplaceFileOptions) {
  const { files, confirmAgain, signal } = options;
  const giveUp = async (reason: unknown): Promise<never> => {
    await files.remove(temporary).catch(() => undefined);
    throw reason;
  };
  for (let attempt = 0; ; attempt++) {
    try {
      if (attempt > 0) confirmAgain?.();
    } catch (error) {
      await giveUp(error);
    }
    try {
      await files.rename(temporary, path);
      return;
    } catch (error) {
      const waitMs = HELD.includes(String(codeOf(error))) ? WAITS_MS[attempt] : undefined;
      if (waitMs === undefined) throw error; // the new file stays beside the old
      await pause(waitMs, undefined, { signal }).catch(giveUp);
    }
  }
}

const HELD = ['EPERM', 'EACCES', 'EBUSY'];
const WAITS_MS = [10, 20, 40, 80, 160, 320, 640, 640];

const MOST_NAME_BYTES = 200;

/** How temporary files for a path begin: with its name, or a print of one that is as long as names can be. */
function startOf(path: string): string {
  const name = basename(path);
  return Buffer.byteLength(name) > MOST_NAME_BYTES
    ? createHash('sha256').update(name).digest('hex').slice(0, 32)
    : name;
}

const TEMPORARY = /^\.[0-9a-f]{12}\.tmp$/;
/** No write takes that long: what is older was left behind. */
const STALE_MS = 3_600_000;

/** Whether a name is that of a file that `replaceFile` had not moved yet. Who knows that no call runs may remove it. */
export const isReplaceLeftover = (name: string): boolean => TEMPORARY.test(name.slice(-17));

/** Removes what killed calls of `replaceFile` for this path have left beside it. The file itself has to be there. */
export async function removeReplaceLeftovers(path: string, files: StoreFiles): Promise<void> {
  const own = startOf(path);
  const { modifiedMs: nowMs } = await files.stat(path);
  for (const name of await files.names(dirname(path))) {
    const isOurs = name.startsWith(own) && TEMPORARY.test(name.slice(own.length));
    if (!isOurs) continue;
    const leftover = join(dirname(path), name);
    const { isFile, modifiedMs } = await files.stat(leftover);
    if (isFile && nowMs - modifiedMs > STALE_MS) await files.remove(leftover);
  }
}
