import { constants, copyFile, open, rename, unlink } from 'node:fs/promises';
import { serializeEntry } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import type { LogProblem } from '../problem.ts';
import { takeLock } from './lock.ts';
import { readLog } from './read-log.ts';

export interface Salvage {
  readonly entries: number;
  /** What was left out or straightened, line by line. */
  readonly problems: readonly LogProblem[];
  /** The file that keeps the bytes as they were. Absent when nothing had to be changed. */
  readonly keptAt?: string;
}

/**
 * Makes a damaged log readable again: keeps a copy of the file, then puts in its place one with every entry that can be
 * read, in order. The file is replaced in one step; a crash leaves the old one.
 */
export async function salvageLog(path: string): Promise<Salvage> {
  const lock = await takeLock(path);
  try {
    const problems: LogProblem[] = [];
    const draft = `${path}.draft`;
    const entries = await writeReadable(path, draft, problems);
    if (problems.length === 0) {
      await unlink(draft);
      return { entries, problems };
    }
    const keptAt = await keepCopy(path);
    await rename(draft, path);
    return { entries, problems, keptAt };
  } finally {
    await lock.release();
  }
}

async function writeReadable(path: string, draft: string, problems: LogProblem[]): Promise<number> {
  const out = await open(draft, 'w', 0o600);
  let entries = 0;
  try {
    const onProblem = (problem: LogProblem) => problems.push(problem);
    for await (const { entry } of readLog(path, { damage: 'report', onProblem })) {
      await out.write(`${serializeEntry(entry)}\n`);
      entries++;
    }
    await out.sync();
  } finally {
    await out.close();
  }
  return entries;
}

async function keepCopy(path: string, attempt = 1): Promise<string> {
  const name = attempt === 1 ? `${path}.damaged` : `${path}.damaged-${attempt}`;
  try {
    await copyFile(path, name, constants.COPYFILE_EXCL);
    return name;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return keepCopy(path, attempt + 1);
    throw new TranscriptError('write-failed', 'the copy of the damaged file could not be written', {
      file: name,
      cause,
    });
  }
}
