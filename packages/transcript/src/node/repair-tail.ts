import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LogProblem } from '../problem.ts';
import { underFreeName, writeNewFile } from './new-file.ts';
import { PRIVATE_FILE } from './private-files.ts';
import { syncFolder } from './sync-folder.ts';

/** What was done to the end of a log so that it can be appended to again. */
export interface TailRepair {
  readonly kind: 'torn-tail' | 'missing-line-end';
  /** Offset in the file where the repaired record began, in bytes. */
  readonly start: number;
  /** Its length in bytes. */
  readonly bytes: number;
  /** The file that keeps the bytes that were cut off. */
  readonly keptAt?: string;
}

/**
 * Makes the end of a log fit to append to: a whole entry without a line end gets one; the bytes of an unfinished one are
 * copied to a file beside the log, and only then cut off. Rejects with the system's error.
 */
export async function repairTail(
  path: string,
  problems: readonly LogProblem[],
): Promise<TailRepair | undefined> {
  const torn = problems.findLast(({ kind }) => kind === 'torn-tail');
  const open = problems.findLast(({ kind }) => kind === 'missing-line-end');
  if (torn !== undefined) return cutTail(path, torn);
  if (open === undefined) return undefined;
  await withFile(path, 'a', (handle) => handle.writeFile('\n').then(() => handle.sync()));
  return { kind: 'missing-line-end', start: open.start, bytes: open.bytes };
}

async function cutTail(path: string, { start, bytes }: LogProblem): Promise<TailRepair> {
  return withFile(path, 'r+', async (handle) => {
    const keptAt = await underFreeName(`${path}.torn-${start}`, (name) =>
      writeNewFile(name, handle.createReadStream({ start, autoClose: false })),
    );
    await syncFolder(dirname(path));
    await handle.truncate(start);
    await handle.sync();
    if (!(await endsLine(handle, start))) await handle.write('\n', start);
    return { kind: 'torn-tail', start, bytes, keptAt };
  });
}

async function endsLine(handle: FileHandle, end: number): Promise<boolean> {
  if (end === 0) return true;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, end - 1);
  return buffer[0] === 10;
}

async function withFile<Result>(
  path: string,
  flags: string,
  use: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path, flags, PRIVATE_FILE.mode);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
