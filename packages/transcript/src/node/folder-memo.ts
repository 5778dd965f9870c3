import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** What was read of a folder, and whether it holds for as long as the files in it are the same. */
export interface FolderReading<Value> {
  readonly value: Value;
  /** False where a file was not whole yet. */
  readonly isFinal: boolean;
}

/**
 * Keeps what `read` finds in a folder until a file comes or goes, so that to import all sessions of a folder reads what they share once. Only for
 * facts that a file never changes once they stand in it. A folder that changed just now is read again: its time may be too coarse to tell.
 */
export function createFolderMemo<Value>(
  read: (folder: string) => Promise<FolderReading<Value>>,
): (folder: string) => Promise<Value> {
  const kept = new Map<string, { readonly changedMs: number; readonly value: Value }>();
  return async (folder) => {
    const key = resolve(folder);
    const startMs = Date.now();
    const changedMs = await stat(key).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.NaN,
    );
    const found = kept.get(key);
    if (found !== undefined && found.changedMs === changedMs) return found.value;
    const { value, isFinal } = await read(key);
    kept.delete(key);
    if (!isFinal || !(startMs - changedMs >= SETTLED_MS)) return value;
    kept.set(key, { changedMs, value });
    const [oldest] = kept.keys();
    if (kept.size > MAX_FOLDERS && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}

/** Some file systems tell times to two seconds. */
const SETTLED_MS = 3000;
const MAX_FOLDERS = 64;
