import { stat } from 'node:fs/promises';
import { TranscriptError } from '../error.ts';
import { ignoring } from './file-error.ts';
import { type Lock, type LockOptions, takeLock } from './take-lock.ts';

/** The lock of the one writer of a log, a file beside it. */
export const lockLog = (file: string, options: LockOptions): Promise<Lock> =>
  takeLock(`${file}.lock`, {
    advice: 'close the log there, wait with `lockWaitMs`, or fork the log',
    ...options,
  });

/**
 * Throws `many-names` where hard links lead to the file: each name has a lock of its own, and nobody can tell where the
 * others are. Asked under the lock, so that of two names that are opened at once one is refused at least.
 */
export async function ensureOneName(file: string, path: string): Promise<void> {
  const found = await stat(file).catch(ignoring('ENOENT'));
  if (found?.isFile() && found.nlink > 1) throw manyNames(path, found.nlink);
}

function manyNames(file: string, count: number): TranscriptError {
  const text = `the file has ${count} names (hard links), and writers through each of them would mix their lines; put a copy in place of this name (cp, then mv), or remove the other names. Nothing was changed`;
  return new TranscriptError('many-names', text, { file });
}

/** Throws `lock-lost` where another process has taken the lock. */
export function ensureHeld(lock: Lock, file: string): void {
  if (lock.isHeld()) return;
  const text =
    'the lock of this log is gone: it was removed, or taken over after an hour without a heartbeat; nothing was changed since, open the log again';
  throw new TranscriptError('lock-lost', text, { file });
}
