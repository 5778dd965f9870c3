import type {
  Compaction,
  CompactionFailed,
  CompactionReceipt,
  CompactionWork,
  RestoredFile,
} from '@varve/compact';
import { cleanUpAfter, isStillCurrent } from '@varve/compact/pipeline';
import type { Message } from '@varve/messages';
import type { CleanUpOccasion } from '../clean-up.ts';
import type { Tell } from '../event.ts';
import type { Keeper } from '../keeper.ts';
import type { ContextCompaction } from './context-compaction.ts';
import { sum } from './ways.ts';

export interface CommitOptions {
  readonly keeper: Keeper;
  readonly cleanUp: NonNullable<ContextCompaction['cleanUp']>;
  readonly runCleanUp: (occasion: CleanUpOccasion, signal?: AbortSignal) => Promise<void>;
  /** Of a sub-agent only its own state is cleaned up. */
  readonly thread: () => 'main' | 'sub-agent';
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  readonly at: () => string;
  readonly tell: Tell;
}

export interface Commitment {
  readonly compaction: Compaction;
  /** What it was planned on. */
  readonly basis: Pick<CompactionWork, 'messages' | 'thinking' | 'basis'>;
  /** Files that it shows again. */
  readonly restored: readonly RestoredFile[];
  /** What hooks want the model to know. */
  readonly sessionContext: readonly Message[];
  /** Id of the attempt: it stands in the receipt, and so ends the attempt. */
  readonly attempt: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Appends the edits of a compaction, unless the conversation has changed, and cleans up after it. Gives it as it stands in
 * the log.
 */
export function createCommit({
  keeper,
  cleanUp,
  runCleanUp,
  thread,
  sizeOf,
  at,
  tell,
}: CommitOptions) {
  const { layered } = keeper;
  return async function commit(given: Commitment): Promise<Compaction | CompactionFailed> {
    const { basis, attempt } = given;
    const seen = keeper.entries.findLastIndex(({ id }) => id === basis.basis);
    if (!isStillCurrent(basis, keeper.entries.slice(seen + 1))) {
      return { kind: 'failed', reason: 'outdated' };
    }
    const whole = withContext(given);
    const receipt = { ...whole.receipt, attempt };
    const compaction: Compaction = { ...whole, receipt };
    const refusal = append(compaction);
    if (refusal) return refusal;
    await keeper.write().catch(() => undefined); // tried, and thrown, again before the call ends
    await finish(given, receipt);
    return compaction;
  };

  function append({ before = [], edit, receipt }: Compaction): CompactionFailed | undefined {
    const { reason } = receipt;
    const entryIds: string[] = [];
    let changedFrom = Number.POSITIVE_INFINITY;
    try {
      for (const each of [...before, edit]) {
        const id = layered.nextId('edit');
        const body = { type: 'edit', by: 'compact', reason, receipt, edit: each } as const;
        changedFrom = Math.min(changedFrom, keeper.append(body, at()).changedFrom);
        entryIds.push(id);
      }
    } catch (cause) {
      return { kind: 'failed', reason: 'edit-refused', cause };
    }
    tell({ layer: 'compact', kind: 'edited', reason, entryIds, changedFrom });
    return undefined;
  }

  function withContext({ compaction, sessionContext }: Commitment): Compaction {
    const tokens = sum(sessionContext, sizeOf);
    if (tokens === 0) return compaction;
    const { edit, receipt, roomTokens } = compaction;
    if (tokens > roomTokens) {
      tell({ layer: 'compact', kind: 'failed', reason: 'no-room-for-attachments' });
      return compaction;
    }
    return {
      ...compaction,
      edit: { ...edit, then: [...edit.then, ...sessionContext] },
      receipt: { ...receipt, tokensAfter: receipt.tokensAfter + tokens },
    };
  }

  async function finish(
    { restored, signal }: Commitment,
    { reason, tokensAfter }: CompactionReceipt,
  ): Promise<void> {
    const restoredFiles = restored.flatMap(({ path, whole }) => (whole ? path : []));
    const committed = { thread: thread(), restoredFiles, tokensAfter };
    const { failed } = cleanUpAfter(committed, cleanUp);
    for (const { cause } of failed) {
      tell({ layer: 'compact', kind: 'failed', reason: 'clean-up-threw', cause });
    }
    await runCleanUp({ ...committed, by: 'compact', reason }, signal);
  }
}
