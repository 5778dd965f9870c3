import { type FileHandle, open } from 'node:fs/promises';
import type { LogProblem } from '../problem.ts';
import { errorCode } from './file-error.ts';

/** What was done to the end of a log so that it can be appended to again. */
export interface TailRepair {
  readonly kind: 'torn-tail' | 'missing-line-end';
  /** Offset in the file where the repaired line began, in bytes. */
  readonly start: number;
  readonly bytes: number;
  /** The file that keeps the bytes that were cut off. */
  readonly keptAt?: string;
}

/**
 * Makes the end of a log fit to append to: a whole entry without a line end gets one; the bytes of an unfinished one are
 * copied to a file beside the log, and only then cut off.
 */
export async function repairTail(
  path: string,
  problems: readonly LogProblem[],
): Promise<TailRepair | undefined> {
  const torn = problems.findLast(({ kind }) => kind === 'torn-tail');
  const open = problems.findLast(({ kind }) => kind === 'missing-line-end');
  if (torn !== undefined) return cutTail(path, torn);
  if (open === undefined) return undefined;
  await withFile(path, 'a', (handle) => writeAndSync(handle, '\n'));
  return { kind: 'missing-line-end', start: open.start, bytes: open.bytes };
}

async function cutTail(path: string, { start, bytes }: LogProblem): Promise<TailRepair> {
  return withFile(path, 'r+', async (handle) => {
    const { size } = await handle.stat();
    const tail = new Uint8Array(size - start);
    await handle.read(tail, 0, tail.length, start);
    const keptAt = await keepAside(`${path}.torn-${start}`, tail);
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

/** Never writes over an earlier copy. */
async function keepAside(path: string, bytes: Uint8Array, attempt = 1): Promise<string> {
  const name = attempt === 1 ? path : `${path}-${attempt}`;
  try {
    await withFile(name, 'wx', (handle) => writeAndSync(handle, bytes));
    return name;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return keepAside(path, bytes, attempt + 1);
  }
}

async function writeAndSync(handle: FileHandle, data: string | Uint8Array): Promise<void> {
  await handle.writeFile(data);
  await handle.sync();
}

async function withFile<Result>(
  path: string,
  flags: string,
  use: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path, flags, 0o600);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
