import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { serializeEntry } from '@varve/messages';
import type { LogProblem } from '../problem.ts';
import { errorCode, fileError, writeError } from './file-error.ts';
import { takeLock } from './lock.ts';
import { readLog } from './read-log.ts';
import { realFile } from './real-file.ts';
import { syncFolder } from './sync-folder.ts';

export interface Salvage {
  /** How many entries the log has now. */
  readonly entries: number;
  /** What was left out or straightened, line by line. */
  readonly problems: readonly LogProblem[];
  /** The file that keeps the bytes as they were. Absent when nothing had to be changed. */
  readonly keptAt?: string;
}

export interface SalvageOptions {
  /** Ends the work with an `AbortError`; nothing was changed then. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a damaged log readable again: puts in its place one with every entry that can be read, in order, and keeps the old
 * file beside it. The file is replaced in one step: whatever fails or is killed, there is the old log or the new one.
 *
 * @throws TranscriptError `not-found`, `unreadable`, `locked` or `write-failed`
 */
export async function salvageLog(path: string, { signal }: SalvageOptions = {}): Promise<Salvage> {
  signal?.throwIfAborted();
  await stat(path).catch((cause: unknown) => Promise.reject(fileError(path, cause)));
  const file = await realFile(path);
  const lock = await takeLock(file, { name: path, ...(signal ? { signal } : {}) });
  const draft = `${file}.draft-${randomUUID()}`;
  try {
    return await replace(file, draft, signal);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw writeError(path, 'the log could not be salvaged', cause);
  } finally {
    await rm(draft, { force: true }).finally(() => lock.release());
  }
}

async function replace(
  file: string,
  draft: string,
  signal: AbortSignal | undefined,
): Promise<Salvage> {
  const problems: LogProblem[] = [];
  const entries = await writeReadable(file, draft, { problems, signal });
  if (problems.length === 0) return { entries, problems };
  const keptAt = await keepOld(file);
  await syncFolder(dirname(file));
  await rename(draft, file);
  await syncFolder(dirname(file));
  return { entries, problems, keptAt };
}

interface Reading {
  readonly problems: LogProblem[];
  readonly signal: AbortSignal | undefined;
}

async function writeReadable(file: string, draft: string, reading: Reading): Promise<number> {
  const { problems, signal } = reading;
  const onProblem = (problem: LogProblem) => problems.push(problem);
  let entries = 0;
  async function* lines() {
    for await (const { entry } of readLog(file, { damage: 'report', onProblem })) {
      signal?.throwIfAborted();
      entries += 1;
      yield `${serializeEntry(entry)}\n`;
    }
  }
  const out = await open(draft, 'wx', 0o600);
  try {
    await out.writeFile(lines()); // also where the disk takes only part of a write
    await out.sync();
  } finally {
    await out.close();
  }
  return entries;
}

/** A second name for the old file, so that its bytes are not written again; a copy where the file system has no links. */
async function keepOld(file: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? `${file}.damaged` : `${file}.damaged-${attempt}`;
    try {
      await link(file, name).catch((error: unknown) => {
        if (errorCode(error) === 'EEXIST') throw error;
        return copyNew(file, name);
      });
      return name;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function copyNew(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const copy = await open(to, 'r+');
  await copy.sync().finally(() => copy.close());
}
