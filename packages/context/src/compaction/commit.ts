import {
  type CleanUpHandlers,
  type CompactionFailed,
  cleanUpAfter,
  isStillCurrent,
} from '@varve/compact';
import type { Message } from '@varve/messages';
import type { CleanUpOccasion } from '../clean-up.ts';
import type { Tell } from '../event.ts';
import type { Keeper } from '../keeper.ts';
import type { Ready } from './ready.ts';
import { spanOf, sum } from './ways.ts';

export interface CommitOptions {
  readonly keeper: Keeper;
  readonly cleanUp: CleanUpHandlers;
  readonly runCleanUp: (occasion: CleanUpOccasion, signal?: AbortSignal) => Promise<void>;
  /** Of a sub-agent only its own state is cleaned up. */
  readonly thread: () => 'main' | 'sub-agent';
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  readonly at: () => string;
  readonly tell: Tell;
}

export interface Commitment {
  readonly ready: Ready;
  /** What hooks want the model to know. */
  readonly sessionContext: readonly Message[];
  /** Id of the attempt: it stands in the receipt, and so ends the attempt. */
  readonly attempt: string;
  /** Called once the conversation is compacted, with the receipt in the log. */
  readonly onDone: (receipt: Ready['receipt']) => void;
  readonly signal: AbortSignal | undefined;
}

/** Appends the edits of a compaction, unless the conversation has changed, and cleans up after it. */
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
  return async function commit(given: Commitment): Promise<CompactionFailed | undefined> {
    const { ready, attempt } = given;
    const seen = keeper.entries.findLastIndex(({ id }) => id === ready.basis.basis);
    if (!isStillCurrent(ready.basis, keeper.entries.slice(seen + 1))) {
      return { kind: 'failed', reason: 'outdated' };
    }
    const { edits, receipt } = withContext(given);
    const marked = { ...receipt, attempt };
    const refusal = append(edits, marked);
    if (refusal) return refusal;
    given.onDone(marked);
    await keeper.write().catch(() => undefined); // tried, and thrown, again before the call ends
    await finish(ready, marked, given.signal);
    return undefined;
  };

  function append(edits: Ready['edits'], receipt: Ready['receipt']): CompactionFailed | undefined {
    const { reason } = receipt;
    const entryIds: string[] = [];
    let changedFrom = Number.POSITIVE_INFINITY;
    try {
      for (const edit of edits) {
        const id = layered.nextId('edit');
        const body = { type: 'edit', by: 'compact', reason, receipt, edit } as const;
        changedFrom = Math.min(changedFrom, keeper.append(body, at()).changedFrom);
        entryIds.push(id);
      }
    } catch (cause) {
      return { kind: 'failed', reason: 'edit-refused', cause };
    }
    tell({ layer: 'compact', kind: 'edited', reason, entryIds, changedFrom });
    return undefined;
  }

  function withContext({ ready, sessionContext }: Commitment) {
    const tokens = sum(sessionContext, sizeOf);
    if (tokens === 0) return ready;
    if (tokens > ready.room) {
      tell({ layer: 'compact', kind: 'failed', reason: 'no-room-for-attachments' });
      return ready;
    }
    const span = spanOf(ready);
    const edits = [
      ...ready.edits.slice(0, -1),
      { ...span, then: [...span.then, ...sessionContext] },
    ];
    return {
      edits,
      receipt: { ...ready.receipt, tokensAfter: ready.receipt.tokensAfter + tokens },
    };
  }

  async function finish(
    { restored }: Ready,
    { reason, tokensAfter }: Ready['receipt'],
    signal: AbortSignal | undefined,
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
