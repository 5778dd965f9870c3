import { mediaEdit, mediaReceipt, NEW_RECOVERY, recover } from '@varve/compact/recovery';
import { logOf } from '@varve/messages/log';
import { ContextError } from '../error.ts';
import type { Tell } from '../event.ts';
import type { Keeper } from '../keeper.ts';
import type { ModelFacts } from '../model-facts.ts';
import type { Compacting } from './compacting.ts';

type RecoverySteps = Parameters<typeof recover>[0]['steps'];

export interface RecoveringOptions {
  readonly keeper: Keeper;
  readonly compacting: Compacting;
  /** Folds what is staged. */
  readonly commitStaged: (() => Promise<boolean>) | undefined;
  readonly facts: () => ModelFacts;
  /** Where the originals are, in the caller's words; for receipts. */
  readonly originals: string | undefined;
  readonly at: () => string;
  readonly tell: Tell;
}

export interface Recovering {
  /** A person spoke: what was tried may be tried again. */
  newTurn(): void;
  /** Whether the next request is worth sending after one was refused with this error. */
  after(
    error: unknown,
    signal: AbortSignal | undefined,
  ): Promise<'retry' | 'give-up' | 'other-error'>;
}

/** Makes a request that was refused as too long or too large smaller, or takes out what cannot be read; each step once in a turn of the person. */
export function createRecovering(options: RecoveringOptions): Recovering {
  const { compacting, commitStaged, tell } = options;
  let state = NEW_RECOVERY;
  return {
    newTurn() {
      state = NEW_RECOVERY;
    },
    async after(error, signal) {
      signal?.throwIfAborted();
      const steps: RecoverySteps = {
        commitStaged,
        stripMedia: (place, code) => stripMedia({ place, code }, options),
        compact: async () => (await compacting.refused(REASON, signal)).kind === 'compacted',
      };
      const enabled = compacting.isAutomatic();
      const result = await recover({ error: asRefusal(error), state, steps, enabled });
      state = result.state;
      if (result.kind === 'retry') {
        tell({ layer: 'compact', kind: 'recovered', step: result.step, cause: error });
        return 'retry';
      }
      if (result.reason === 'not-too-long') return 'other-error';
      tell({ layer: 'compact', kind: 'idle', reason: result.reason });
      return 'give-up';
    },
  };
}

/** A request that the context did not let out is as good as one that its provider refused. */
const asRefusal = (error: unknown): unknown =>
  ContextError.is(error) && error.code === 'message-too-large'
    ? Object.assign(new Error(error.message, { cause: error }), { code: 'context_length_exceeded' })
    : error;

const REASON = 'refused-as-too-long';

type StripGiven = Parameters<NonNullable<RecoverySteps['stripMedia']>>;

/** Puts short texts in place of media; false where there is nothing to replace. */
async function stripMedia(
  { place, code }: { readonly place: StripGiven[0]; readonly code: StripGiven[1] },
  { keeper, facts, at, tell, originals }: RecoveringOptions,
): Promise<boolean> {
  const { layered } = keeper;
  const { thinking } = facts().model;
  const view = layered.view();
  const find = logOf(view).logged;
  const isUnreadable = code === 'media-unreadable';
  const edit = mediaEdit(view.messages, { place, unansweredFirst: isUnreadable, find, thinking });
  if (edit === undefined) return false;
  const reason = isUnreadable ? 'media-unreadable' : 'media-too-large';
  const contextTokens = keeper.meter.size().tokens;
  const { sizeOf } = facts();
  const receipt = mediaReceipt(edit, {
    ...{ contextTokens, sizeOf, find, originals, kept: view.messages.length },
  });
  const id = layered.nextId('edit');
  const { changedFrom } = keeper.append(
    { type: 'edit', by: 'compact', reason, receipt, edit },
    at(),
  );
  tell({ layer: 'compact', kind: 'edited', reason, entryIds: [id], changedFrom });
  await keeper.write();
  return true;
}
