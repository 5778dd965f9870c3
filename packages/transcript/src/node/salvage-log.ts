import { createReadStream } from 'node:fs';
import { chmod, link, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { FORMAT_LINE } from '../log-format.ts';
import type { LogProblem } from '../problem.ts';
import { errorCode, fileError, writeError } from './file-error.ts';
import { underFreeName, writeNewFile } from './new-file.ts';
import { readLog } from './read-log.ts';
import { realFile } from './real-file.ts';
import { syncFolder } from './sync-folder.ts';
import { ensureHeld, lockLog } from './take-log-lock.ts';

export interface Salvage {
  /** How many entries the log has now. */
  readonly entries: number;
  /** What was left out or straightened, line by line. */
  readonly problems: readonly LogProblem[];
  /** The file that keeps the bytes as they were. Absent when nothing had to be changed. */
  readonly keptAt?: string;
}

export interface SalvageOptions {
  /** Ends the work with its reason, an `AbortError` unless one was given; nothing was changed then. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a damaged log readable again: puts in its place one with every entry that can be read, in order, and keeps the old
 * file beside it. The file is replaced in one step: whatever fails or is killed, there is the old log or the new one.
 *
 * @throws TranscriptError `not-found`, `unreadable`, `locked`, `lock-lost` or `write-failed`
 */
export async function salvageLog(path: string, { signal }: SalvageOptions = {}): Promise<Salvage> {
  signal?.throwIfAborted();
  await stat(path).catch((cause: unknown) => Promise.reject(fileError(path, cause)));
  const file = await realFile(path);
  const lock = await lockLog(file, { name: path, signal });
  const draft = `${file}.salvage`; // under the lock, so one that is there was left behind by a kill
  try {
    await rm(draft, { force: true });
    return await replace(file, draft, { signal, ensureHeld: () => ensureHeld(lock, path) });
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
  { signal, ensureHeld }: { readonly signal: AbortSignal | undefined; ensureHeld(): void },
): Promise<Salvage> {
  const problems: LogProblem[] = [];
  const entries = await writeReadable(file, draft, { problems, signal });
  if (problems.length === 0) return { entries, problems };
  ensureHeld(); // reading a long log takes time
  const keptAt = await keepOld(file);
  await syncFolder(dirname(file));
  ensureHeld();
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
    yield FORMAT_LINE;
    for await (const { entry } of readLog(file, { damage: 'report', onProblem })) {
      signal?.throwIfAborted();
      entries += 1;
      yield `${serializeEntry(entry)}\n`;
    }
  }
  await writeNewFile(draft, lines());
  await chmod(draft, (await stat(file)).mode);
  return entries;
}

/** A second name for the old file, so that its bytes are not written again; a copy where the file system has no links. */
async function keepOld(file: string): Promise<string> {
  return underFreeName(`${file}.damaged`, (name) =>
    link(file, name).catch((error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw error;
      return writeNewFile(name, createReadStream(file));
    }),
  );
}
