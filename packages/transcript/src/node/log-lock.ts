import { TranscriptError } from '../error.ts';
import { type Lock, type LockOptions, takeLock } from './lock.ts';

/** The lock of the one writer of a log, a file beside it. */
export const lockLog = (file: string, options: LockOptions): Promise<Lock> =>
  takeLock(`${file}.lock`, {
    advice: 'close the log there, wait with `lockWaitMs`, or fork the log',
    ...options,
  });

/** Throws `lock-lost` where another process has taken the lock. */
export function ensureHeld(lock: Lock, file: string): void {
  if (lock.isHeld()) return;
  const text =
    'the lock of this log is gone: it was removed, or taken over after an hour without a heartbeat; nothing was appended, open the log again';
  throw new TranscriptError('lock-lost', text, { file });
}
