import { type CompactionOptions, type Compactor, createCompaction } from '@varve/compact';
import { type Gate, NO_PASSAGE, type Passage } from '../gated.ts';
import type { EntryBody } from '../planned-log.ts';
import { withThreshold } from './threshold.ts';

export interface CompactionGateOptions
  extends Pick<CompactionOptions, 'summarize' | 'keepTokens' | 'mark'> {
  /** Compacts from so many tokens on. @default the threshold of the window */
  readonly atTokens?: number | undefined;
}

/** The planner of `@varve/compact`, and the work it plans done at once. Where its summary does not come the ledger writes one. */
export function createCompactionGate({ atTokens, ...options }: CompactionGateOptions): Gate {
  const compactor = createCompaction({ ...options, wait: AT_ONCE });
  return {
    observe: compactor.observe,
    calls: () => [],
    pass: async (context) => {
      const plan = compactor.plan(withThreshold(context, atTokens));
      return plan.kind === 'work' ? passageOf(compactor, plan) : NO_PASSAGE;
    },
  };
}

export const AT_ONCE = (): Promise<void> => Promise.resolve();

/** For a compaction that asks no model. */
export const noModel = (): Promise<never> => Promise.reject(new Error('There is no model here.'));

type Work = Extract<ReturnType<Compactor['plan']>, { readonly kind: 'work' }>;

/** Does planned work: the edit that it gives, or the note of an attempt that failed. */
export async function passageOf(compactor: Compactor, { work, reason }: Work): Promise<Passage> {
  const result = await compactor.run(work);
  const entry: EntryBody =
    result.kind === 'compacted'
      ? { type: 'edit', by: BY, reason, edit: result.edit, receipt: result.receipt }
      : { type: 'note', by: BY, data: failedAttempt(work.basis, result.reason) };
  return { entries: [entry], isCompaction: result.kind === 'compacted', again: false };
}

const BY = 'compact';

const failedAttempt = (basis: string | undefined, reason: string) => ({
  kind: 'compaction-ended',
  attempt: `after ${basis ?? 'nothing'}`,
  outcome: 'failed',
  reason,
});
