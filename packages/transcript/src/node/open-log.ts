import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Entry } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import { FORMAT_LINE } from '../log-format.ts';
import type { LogProblem } from '../problem.ts';
import { readEntries } from '../read-entries.ts';
import { type AppendFile, type AppendResult, createAppendQueue } from './append-queue.ts';
import { createEntryLines } from './entry-lines.ts';
import { errorCode, ignoring, writeError } from './file-error.ts';
import { makeFolder, PRIVATE_FILE } from './private-files.ts';
import { readChunks } from './read-log.ts';
import { realFile } from './real-file.ts';
import { repairTail, type TailRepair } from './repair-tail.ts';
import { syncFolder } from './sync-folder.ts';
import type { Lock } from './take-lock.ts';
import { ensureHeld, ensureOneName, lockLog } from './take-log-lock.ts';
import { writeSome } from './write-some.ts';

export interface OpenLogOptions {
  /** Called with each entry that the file already holds, in order, before `openLog` resolves. What it throws is passed on. */
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
  /** Ends the wait and the reading with its reason, an `AbortError` unless one was given; nothing was changed then. */
  readonly signal?: AbortSignal;
  /**
   * Opens the file for appending; replace it to try what a failing disk does.
   * @default the file system
   */
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
   * written by the next call that succeeds. Throws `closed` after `close`, `lock-lost` where another process has taken the log
   * over, and `invalid-entry` for an entry that could not be read back or whose id the log has; then none of the entries was
   * appended.
   */
  append(...entries: readonly Entry[]): Promise<AppendResult>;
  /** Tries again to write what is buffered. */
  flush(): Promise<AppendResult>;
  /**
   * Writes what is buffered, closes the file and lets others write; a second call waits for the first. Throws `write-failed`
   * if entries are left over or may not survive a power loss that they should.
   */
  close(): Promise<void>;
}

/**
 * Opens a log for appending, or begins one, its folder included. Only one writer may have a log open: `locked` names the
 * other. A file with hard links is refused with `many-names`: nobody knows where else it may be open. The end of the file is repaired if the last writer was killed; damage elsewhere throws `damaged-line` and nothing is
 * changed.
 *
 * @throws TranscriptError also `lock-lost` where the lock was taken over while it read, and `unreadable`, `not-a-file` and
 * `write-failed` where the system refuses
 */
export async function openLog(path: string, options: OpenLogOptions = {}): Promise<Log> {
  const { lockWaitMs = 0, signal } = options;
  signal?.throwIfAborted();
  const file = await place(path);
  const lock = await lockLog(file, { waitMs: lockWaitMs, name: path, signal });
  try {
    return await openLocked({ path, file, lock }, options);
  } catch (error) {
    await lock.release().catch(() => undefined); // the first error says more
    throw error;
  }
}

async function place(path: string): Promise<string> {
  try {
    await makeFolder(dirname(path));
    return await realFile(path);
  } catch (cause) {
    throw writeError(path, 'no log can be opened at this path', cause);
  }
}

interface Locked {
  readonly path: string;
  readonly file: string;
  readonly lock: Lock;
}

async function openLocked({ path, file, lock }: Locked, options: OpenLogOptions): Promise<Log> {
  const { onEntry, durability = 'os', signal, openFile = openForAppend } = options;
  await ensureOneName(file, path).catch((cause: unknown) => {
    throw writeError(path, 'the log cannot be looked at', cause);
  });
  const lines = createEntryLines(path);
  const problems = await readExisting({ path, file }, signal, (entry) => {
    lines.know(entry.id);
    onEntry?.(entry);
  });
  ensureHeld(lock, path); // reading a long log takes time
  const repair = await repairTail(file, problems).catch((cause: unknown) => {
    throw writeError(path, 'the end of the log could not be repaired', cause);
  });
  const out = await openFile(file).catch((cause: unknown) => {
    throw writeError(path, 'the log cannot be opened for writing', cause);
  });
  if (durability === 'disk') await syncFolder(dirname(file)).catch(notDurable(path, out));
  const guarded: AppendFile = {
    async write(bytes) {
      ensureHeld(lock, path);
      return out.write(bytes);
    },
    sync: () => out.sync(),
    close: () => out.close(),
  };
  const queue = createAppendQueue(guarded, {
    syncEach: durability === 'disk',
    reasonOf: errorCode,
  });
  let isEmpty = (await sizeOf(file)) === 0;
  let closing: Promise<void> | undefined;

  const ensureOpen = () => {
    if (closing === undefined) return ensureHeld(lock, path);
    throw new TranscriptError('closed', 'the log was closed; open it again', { file: path });
  };

  return {
    path,
    problems,
    ...(repair === undefined ? {} : { repair }),
    async append(...entries) {
      ensureOpen();
      const bytes = lines.encode(entries);
      if (!isEmpty || bytes.length === 0) return queue.append(bytes);
      isEmpty = false;
      return queue.append(Buffer.concat([Buffer.from(FORMAT_LINE), bytes]));
    },
    async flush() {
      ensureOpen();
      return queue.flush();
    },
    close() {
      closing ??= closeLog(path, { last: queue.flush(), out, lock });
      return closing;
    },
  };
}

async function readExisting(
  { path, file }: Pick<Locked, 'path' | 'file'>,
  signal: AbortSignal | undefined,
  onEntry: (entry: Entry) => void,
): Promise<LogProblem[]> {
  const problems: LogProblem[] = [];
  const onProblem = (problem: LogProblem) => problems.push(problem);
  try {
    const chunks = readChunks(file, { name: path });
    for await (const { entry } of readEntries(chunks, { file: path, onProblem })) {
      signal?.throwIfAborted();
      onEntry(entry);
    }
  } catch (error) {
    if (!TranscriptError.is(error) || error.code !== 'not-found') throw error;
  }
  signal?.throwIfAborted();
  return problems;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(ignoring('ENOENT'));
  return found?.size ?? 0;
}

async function openForAppend(path: string): Promise<AppendFile> {
  const handle = await open(path, 'a', PRIVATE_FILE.mode);
  return {
    write: (bytes) => writeSome(handle.fd, bytes),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** The name of the log may not survive a power loss, so no entry would. */
const notDurable = (path: string, out: AppendFile) => async (cause: unknown) => {
  await out.close();
  throw writeError(path, 'the folder of the log cannot be flushed', cause);
};

interface Closing {
  readonly last: Promise<AppendResult>;
  readonly out: AppendFile;
  readonly lock: Lock;
}

async function closeLog(path: string, { last, out, lock }: Closing): Promise<void> {
  const result = await last;
  try {
    await out.close();
  } catch (cause) {
    throw writeError(path, 'the system could not close the file', cause);
  } finally {
    await lock.release();
  }
  if (result.kind !== 'written') throw leftOver(path, result);
}

function leftOver(file: string, result: Exclude<AppendResult, { kind: 'written' }>) {
  const text =
    result.kind === 'buffered'
      ? `${result.pendingBytes} bytes could not be written (${result.reason}); the file is whole up to the last full line`
      : `entries may not survive a power loss: the system could not flush them (${result.reason})`;
  return new TranscriptError('write-failed', text, { file });
}
