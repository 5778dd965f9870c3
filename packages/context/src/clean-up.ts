import type { cleanUpAfter } from '@varve/compact/pipeline';
import { untilAborted } from '@varve/guards';
import type { PipelineOptions } from './compaction/context-compaction.ts';
import type { Tell } from './event.ts';

type StartTimer = NonNullable<PipelineOptions['startTimer']>;

type CommittedCompaction = Parameters<typeof cleanUpAfter>[0];

/** What made a stretch of the conversation something else, and what stands there now. */
export interface CleanUpOccasion extends CommittedCompaction {
  /** `compact`, the name of a layer, or who called `edit`. */
  readonly by: string;
  /** Of the edit. */
  readonly reason: string;
}

/** Resets state of one's own that a compaction made wrong, such as what was read of files. */
export type CleanUp = (occasion: CleanUpOccasion) => unknown;

export interface CleanUpOptions {
  readonly cleanUp: readonly CleanUp[];
  readonly startTimer: StartTimer;
  readonly tell: Tell;
}

/** How long a conversation waits for its clean-up, in milliseconds. */
export const CLEAN_UP_MS = 5_000;

/**
 * Runs every function of the list, all at once, and waits until they are done, for a few seconds at most. Neither one that
 * throws nor one that hangs keeps another from running, nor the conversation from going on.
 */
export function createCleanUp({ cleanUp, startTimer, tell }: CleanUpOptions) {
  return async (occasion: CleanUpOccasion, signal?: AbortSignal): Promise<void> => {
    if (cleanUp.length === 0) return;
    const running = new Set(cleanUp);
    const all = cleanUp.map(async (reset) => {
      try {
        await reset(occasion);
      } catch (cause) {
        tell({ layer: 'context', kind: 'failed', reason: 'clean-up-threw', cause });
      }
      running.delete(reset);
    });
    await untilLate(Promise.all(all), startTimer, signal);
    if (signal?.aborted) return;
    for (const { name } of running) {
      const cause = new Error(`The clean-up ${name || 'without a name'} is not done yet.`);
      tell({ layer: 'context', kind: 'failed', reason: 'clean-up-hung', cause });
    }
  };
}

/** Settles with the work, when its time is over, or when the signal is aborted. */
async function untilLate(
  work: Promise<unknown>,
  startTimer: StartTimer,
  signal: AbortSignal | undefined,
): Promise<void> {
  let stop = () => {};
  const late = new Promise<void>((resolve) => {
    stop = startTimer(CLEAN_UP_MS, resolve);
  });
  const ended = () => stop();
  await untilAborted(Promise.race([work, late]), signal).then(ended, ended);
}

export const startPlatformTimer: StartTimer = (ms, done) => {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
};
