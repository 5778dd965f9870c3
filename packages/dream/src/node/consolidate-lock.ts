import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOptions, codeOf, required } from '@varve/guards';
import { TranscriptError } from '@varve/transcript';
import { makeFolder, takeLock } from '@varve/transcript/node';
import type { DreamLock } from '../lock.ts';

const NAME = '.consolidate-lock';
/** Long ago: of a file that was never the mark of a consolidation. */
const NEVER_MS = 0;

export interface ConsolidateLockOptions {
  /** What a test puts in place of clocks and timers. */
  readonly clock?: NonNullable<Parameters<typeof takeLock>[1]>['clock'] | undefined;
}

/**
 * The lock `.consolidate-lock` of a memory folder: one owner over processes and hosts, and its modification time is when memory was
 * consolidated last. That time changes when a dream has ended well, and at no other moment: nothing has to be set back after a
 * failure or a kill. The lock of an owner that is proven dead is taken over at once, that of any other 60 minutes after its last
 * sign of life.
 */
export function consolidateLock(
  memoryPath: string,
  { clock }: ConsolidateLockOptions = {},
): DreamLock {
  checkOptions({ memoryPath }, { memoryPath: required('a text that is not blank') });
  const path = join(memoryPath, NAME);
  return {
    async lastMs() {
      try {
        const { mtimeMs } = await stat(path);
        return mtimeMs <= NEVER_MS ? undefined : mtimeMs;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async take({ signal }) {
      await makeFolder(memoryPath);
      try {
        const lock = await takeLock(path, {
          ...{ keepFile: true, newFileMs: NEVER_MS, signal, clock },
          name: 'the consolidation of memory',
        });
        return {
          isHeld: lock.isHeld,
          async release(consolidatedMs) {
            if (consolidatedMs !== undefined && lock.isHeld())
              await utimes(path, consolidatedMs / 1_000, consolidatedMs / 1_000);
            await lock.release();
          },
        };
      } catch (error) {
        if (TranscriptError.is(error) && error.code === 'locked') return undefined;
        throw error;
      }
    },
  };
}
