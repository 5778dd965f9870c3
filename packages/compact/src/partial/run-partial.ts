import { aFunction, checkOptions, oneOf, required } from '@varve/guards';
import { type FullOptions, settingsOf } from '../full/settings.ts';
import type { RunOptions, RunResult } from '../plan/compaction.ts';
import { finishWork } from '../plan/to-edit.ts';
import type { CompactionWork } from '../plan/work.ts';
import { runPartialEngine } from './run.ts';
import type { PartialDirection } from './split.ts';

export interface RunPartialOptions extends FullOptions, RunOptions {
  readonly direction: PartialDirection;
  /** Id of a message of the view, or of one that it was made of. */
  readonly pivotId: string;
}

/**
 * Compacts one side of a thread on a log: takes work that `planNow` of the compactor planned, and makes the edit that the
 * caller appends if `isStillCurrent` says so. Nothing is appended here.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 * @throws RangeError and TypeError for options that make no sense.
 */
export async function runPartial(
  work: CompactionWork,
  options: RunPartialOptions,
): Promise<RunResult> {
  const { direction, pivotId, signal, attach, originals } = options;
  checkOptions<RunPartialOptions>(options, {
    direction: required(oneOf(['up-to', 'from'])),
    attach: aFunction,
  });
  const settings = settingsOf(options);
  const pivot = work.situation.messages.findIndex((message) => isNamed(message, pivotId));
  if (pivot < 0) return { kind: 'failed', reason: 'nothing-to-compact', calls: 0 };
  const occasion = { trigger: work.trigger, focus: work.focus, signal };
  const result = await runPartialEngine(
    work.situation,
    { direction, pivot },
    { settings, occasion },
  );
  if (result.kind === 'failed') return result;
  const { done, situation, before } = result;
  const planned = { ...work, reason: `partial-${direction}`, situation };
  const { minSavings } = settings;
  return finishWork(done, planned, { attach, signal, originals, minSavings, before });
}

const isNamed = (message: { readonly id: string }, id: string): boolean =>
  message.id === id ||
  ('sources' in message && (message.sources as readonly string[]).includes(id));
