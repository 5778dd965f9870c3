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
  | { readonly kind: 'buffered'; readonly reason: string; readonly pendingBytes: number }
  /**
   * With `durability: 'disk'` only: in the file, but the system could not flush it once, and what it lost then a later flush
   * does not bring back. Stays so until the log is opened again.
   */
  | { readonly kind: 'unsynced'; readonly reason: string };

export interface AppendQueue {
  append(bytes: Uint8Array): Promise<AppendResult>;
  /** Tries again to write what is buffered. */
  flush(): Promise<AppendResult>;
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
  const pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let unsynced: AppendResult | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** The reason why bytes are left over, if any are. */
  async function writePending(): Promise<string | undefined> {
    let done = 0;
    try {
      for (let bytes = pending[0]; bytes !== undefined; bytes = pending[done]) {
        const written = await file.write(bytes);
        pendingBytes -= written;
        if (written === bytes.length) done += 1;
        else pending[done] = bytes.subarray(written);
        if (written === 0) return 'no-progress';
      }
      return undefined;
    } catch (error) {
      return reasonOf(error);
    } finally {
      pending.splice(0, done);
    }
  }

  async function drain(): Promise<AppendResult> {
    const reason = await writePending();
    if (reason !== undefined) return { kind: 'buffered', reason, pendingBytes };
    if (syncEach && unsynced === undefined) {
      await file.sync().catch((error: unknown) => {
        unsynced = { kind: 'unsynced', reason: reasonOf(error) };
      });
    }
    return unsynced ?? { kind: 'written' };
  }

  function enqueue(bytes: Uint8Array | undefined): Promise<AppendResult> {
    const result = last.then(() => {
      if (bytes !== undefined && bytes.length > 0) pending.push(bytes);
      pendingBytes += bytes?.length ?? 0;
      return drain();
    });
    last = result;
    return result;
  }

  return { append: (bytes) => enqueue(bytes), flush: () => enqueue(undefined) };
}
