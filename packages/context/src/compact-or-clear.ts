import type { Edit, Entry, PlanContext, View } from '@varve/messages';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { EditContext, Edited } from './layered-log.ts';
import { createWorking } from './working.ts';

export interface CompactOrClearOptions {
  readonly keeper: Keeper;
  readonly tell: Tell;
  readonly now: () => number;
  /** What a layer is told of a view. */
  readonly planContext: (view: View) => PlanContext;
  /** Compacts if it is time, and says whether it did. */
  readonly compact?: ((signal: AbortSignal | undefined) => Promise<boolean>) | undefined;
  /** Runs after an edit that replaced a stretch of the conversation. */
  readonly cleanUp: (edit: EditMade, signal: AbortSignal | undefined) => Promise<void>;
}

type EditMade = Pick<Extract<Entry, { readonly type: 'edit' }>, 'by' | 'reason'>;

/**
 * What makes a conversation smaller before a request. Layers with work come first: what they fold need not be compacted. A
 * compaction that is due comes next, and then no other layer clears: its edits would cost the summary's request the cached
 * prefix, of a conversation that the summary replaces anyway (docs/decisions/0005). Else the layers clear.
 */
export function createCompactOrClear(options: CompactOrClearOptions) {
  const { keeper, tell, now, planContext: plan, compact, cleanUp } = options;
  const at = () => new Date(now()).toISOString();
  const editContext = (): EditContext => ({ plan, at: at() });

  /** Tells what was edited, and cleans up after a stretch that was replaced. */
  async function edited({ entries, events }: Edited, signal?: AbortSignal): Promise<void> {
    for (const event of events) tell(event);
    const span = entries.find((entry) => entry.type === 'edit' && isSpan(entry.edit));
    if (span?.type === 'edit') await cleanUp(span, signal);
  }

  const work = createWorking({
    ...{ keeper, tell, at, edited },
    edit: (layer) => layer.edit(editContext()),
  });
  return {
    edited,
    async compactOrClear(signal: AbortSignal | undefined): Promise<void> {
      await work(signal);
      const isCompacted = await compact?.(signal);
      if (!isCompacted) await edited(keeper.layered.edit(editContext()), signal);
    },
  };
}

const isSpan = ({ kind }: Edit): boolean => kind === 'replace-span';
