import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** What was read of a folder. */
export interface FolderReading<Value> {
  readonly value: Value;
  /** Files that were not whole yet: when one of them changes, the folder is read again. */
  readonly unfinished: readonly string[];
}

interface Kept<Value> {
  readonly changedMs: number;
  readonly value: Value;
  /** Unfinished files with what tells that they are as they were. */
  readonly unfinished: ReadonlyMap<string, string>;
}

/**
 * Keeps what `read` finds in a folder until a file comes or goes, so that to import all sessions of a folder reads what they share once. Only for
 * facts that a file never changes once they stand in it. A folder or an unfinished file that changed just now is read again: its time may be too
 * coarse to tell.
 */
export function createFolderMemo<Value>(
  read: (folder: string) => Promise<FolderReading<Value>>,
): (folder: string) => Promise<Value> {
  const kept = new Map<string, Kept<Value>>();
  return async (folder) => {
    const key = resolve(folder);
    const startMs = Date.now();
    const changedMs = await stat(key).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.NaN,
    );
    const found = kept.get(key);
    if (found?.changedMs === changedMs && (await areSame(found.unfinished))) return found.value;
    const { value, unfinished } = await read(key);
    kept.delete(key);
    if (!(startMs - changedMs >= SETTLED_MS)) return value;
    const states = new Map<string, string>();
    for (const file of unfinished) {
      const state = await stateOf(file, startMs - SETTLED_MS);
      if (state === undefined) return value;
      states.set(file, state);
    }
    kept.set(key, { changedMs, value, unfinished: states });
    const [oldest] = kept.keys();
    if (kept.size > MAX_FOLDERS && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}

async function areSame(files: ReadonlyMap<string, string>): Promise<boolean> {
  for (const [file, state] of files) if ((await stateOf(file)) !== state) return false;
  return true;
}

/** Undefined for a file that cannot be looked at, or changed after `latestMs`. */
const stateOf = (file: string, latestMs = Number.POSITIVE_INFINITY): Promise<string | undefined> =>
  stat(file).then(
    ({ mtimeMs, size }) => (mtimeMs <= latestMs ? `${size} ${mtimeMs}` : undefined),
    () => undefined,
  );

/** Some file systems tell times to two seconds. */
const SETTLED_MS = 3000;
/** As many as the days that Codex has a folder for. */
const MAX_FOLDERS = 2000;
