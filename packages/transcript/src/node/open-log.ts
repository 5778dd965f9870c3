import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import type { LogProblem } from '../problem.ts';
import { type AppendFile, type AppendResult, createAppendQueue } from './append-queue.ts';
import { errorCode } from './file-error.ts';
import { type Lock, takeLock } from './lock.ts';
import { readLog } from './read-log.ts';
import { repairTail, type TailRepair } from './repair-tail.ts';

export interface OpenLogOptions {
  /** Called with each entry that the file already holds, in order, before `openLog` resolves. */
  readonly onEntry?: (entry: Entry) => void;
  /**
   * `os`: an entry survives the death of the process; `disk`: also a power loss, at the price of a flush an append.
   * @default 'os'
   */
  readonly durability?: 'os' | 'disk';
  /**
   * How long to wait for another writer of the same file, in ms.
   * @default 0
   */
  readonly lockWaitMs?: number;
  readonly signal?: AbortSignal;
  /** Opens the file for appending; replace it to try what a failing disk does. */
  readonly openFile?: (path: string) => Promise<AppendFile>;
}

export interface Log {
  readonly path: string;
  /** What the file had to be forgiven when it was opened. */
  readonly problems: readonly LogProblem[];
  /** What was done to its end. */
  readonly repair?: TailRepair;
  /**
   * Appends entries in one write. `buffered` means that the disk refused: the entries wait in memory, in order, and are
   * written by the next call that succeeds. Throws `closed` after `close`.
   */
  append(...entries: readonly Entry[]): Promise<AppendResult>;
  /** Tries again to write what is buffered. */
  flush(): Promise<AppendResult>;
  /** Writes what is buffered, closes the file and lets others write. Throws `write-failed` if entries are left over. */
  close(): Promise<void>;
}

/**
 * Opens a log for appending, or begins one. Only one writer may have a log open: `locked` names the other. The end of the
 * file is repaired if the last writer was killed; damage elsewhere throws `damaged-line` and nothing is changed.
 */
export async function openLog(path: string, options: OpenLogOptions = {}): Promise<Log> {
  const { lockWaitMs = 0, signal } = options;
  await mkdir(dirname(path), { recursive: true });
  const lock = await takeLock(path, { waitMs: lockWaitMs, ...(signal ? { signal } : {}) });
  try {
    return await openLocked(path, options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(path: string, options: OpenLogOptions, lock: Lock): Promise<Log> {
  const { onEntry, durability = 'os', signal, openFile = openForAppend } = options;
  const problems = await readExisting(path, onEntry, signal);
  const repair = await repairTail(path, problems);
  const file = await openFile(path);
  const queue = createAppendQueue(file, { syncEach: durability === 'disk', reasonOf: errorCode });
  let isClosed = false;

  const ensureOpen = () => {
    if (isClosed)
      throw new TranscriptError('closed', 'the log was closed; open it again', { file: path });
  };

  return {
    path,
    problems,
    ...(repair === undefined ? {} : { repair }),
    async append(...entries) {
      ensureOpen();
      const lines = entries.map((entry) => `${serializeEntry(entry)}\n`).join('');
      return queue.append(new TextEncoder().encode(lines));
    },
    async flush() {
      ensureOpen();
      return queue.flush();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      const result = await queue.flush();
      await file.close();
      await lock.release();
      if (result.kind === 'buffered') throw leftOver(path, result.pendingBytes, result.reason);
    },
  };
}

async function readExisting(
  path: string,
  onEntry: ((entry: Entry) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<LogProblem[]> {
  const problems: LogProblem[] = [];
  try {
    for await (const { entry } of readLog(path, {
      onProblem: (problem) => problems.push(problem),
    })) {
      signal?.throwIfAborted();
      onEntry?.(entry);
    }
  } catch (error) {
    if (!TranscriptError.is(error) || error.code !== 'not-found') throw error;
  }
  return problems;
}

async function openForAppend(path: string): Promise<AppendFile> {
  const handle = await open(path, 'a', 0o600);
  return {
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

function leftOver(file: string, bytes: number, reason: string): TranscriptError {
  const text = `${bytes} bytes could not be written (${reason}); the file is whole up to the last full line`;
  return new TranscriptError('write-failed', text, { file });
}
