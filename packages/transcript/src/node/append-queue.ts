/** Where bytes go: the end of an open file. */
export interface AppendFile {
  /** Writes at the end of the file and says how many bytes went in: fewer than asked when the disk fills up. */
  write(bytes: Uint8Array): Promise<number>;
  /** Makes what was written survive a power loss. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type AppendResult =
  | { readonly kind: 'written' }
  /** Kept in memory in order; written before anything newer as soon as the disk takes it. */
  | { readonly kind: 'buffered'; readonly reason: string; readonly pendingBytes: number };

export interface AppendQueue {
  append(bytes: Uint8Array): Promise<AppendResult>;
  /** Tries again to write what is buffered. */
  flush(): Promise<AppendResult>;
  pendingBytes(): number;
}

export interface AppendQueueOptions {
  readonly syncEach: boolean;
  /** The reason of a refusal in a word, e.g. `ENOSPC`. */
  readonly reasonOf: (error: unknown) => string;
}

/**
 * Appends in the order of the calls. What a full disk does not take stays in memory, also the rest of a record that went
 * in by half, and goes first when the next call succeeds. Nothing is lost while the process lives.
 */
export function createAppendQueue(
  file: AppendFile,
  { syncEach, reasonOf }: AppendQueueOptions,
): AppendQueue {
  let pending: Uint8Array[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const pendingBytes = () => pending.reduce((sum, bytes) => sum + bytes.length, 0);

  const drain = async (): Promise<AppendResult> => {
    try {
      for (let bytes = pending[0]; bytes !== undefined; bytes = pending[0]) {
        const written = await file.write(bytes);
        if (written < bytes.length) pending[0] = bytes.subarray(written);
        else pending = pending.slice(1);
        if (written === 0)
          return { kind: 'buffered', reason: 'no-progress', pendingBytes: pendingBytes() };
      }
      if (syncEach) await file.sync();
      return { kind: 'written' };
    } catch (error) {
      return { kind: 'buffered', reason: reasonOf(error), pendingBytes: pendingBytes() };
    }
  };

  const enqueue = (bytes: readonly Uint8Array[]): Promise<AppendResult> => {
    const result = last.then(() => {
      pending = [...pending, ...bytes];
      return drain();
    });
    last = result;
    return result;
  };

  return { append: (bytes) => enqueue([bytes]), flush: () => enqueue([]), pendingBytes };
}
