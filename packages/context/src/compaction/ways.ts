import type {
  Compaction,
  CompactionFailed,
  CompactionReceipt,
  CompactionWork,
  RestoredFile,
  RunProviderCompaction,
} from '@varve/compact';
import { isText, type Message, type PlanContext, type View } from '@varve/messages';
import { acceptSize } from '@varve/tokens/limits';
import type { NotesPlan } from './planners.ts';
import type { Attached, Attaching, Occasion } from './restore-after-compaction.ts';

export interface WaysOptions {
  readonly attaching: Attaching;
  readonly view: () => View;
  readonly planContext: () => PlanContext;
  /** The share of the next request that one whose summary is notes has to save, attachments counted. */
  readonly notesSavings: number;
}

interface Start extends Omit<Occasion, 'roomTokens'> {
  /** Told which files are shown again, once it is made. */
  readonly onRestored: (files: readonly RestoredFile[]) => void;
}

/** The ways in which a compaction is made. They change nothing. */
export function createWays(options: WaysOptions) {
  const { attaching, view, planContext, notesSavings } = options;
  return {
    /** By an engine of `@varve/compact`: a model's summary, or what its ladder has in its place; a provider's block. */
    async byEngine(
      run: RunEngine,
      work: CompactionWork,
      start: Start,
    ): Promise<Compaction | CompactionFailed> {
      let asked: Attached | undefined;
      const attach: RunAttach = async (kept, { roomTokens }) => {
        asked = await attaching.restored(kept, { ...start, roomTokens });
        return asked.messages;
      };
      const made = await run(work, { signal: start.signal, attach });
      if (made.kind === 'failed') return made;
      const offered = asked?.messages ?? [];
      const isWhole = offered.every((message, index) => made.edit.then[index] === message);
      if (!isWhole) attaching.tellNoRoom();
      start.onRestored((isWhole && asked?.restored) || []);
      return made;
    },

    /** Notes, as they were planned; what is attached leaves the next request below the threshold, and smaller by enough. */
    async fromNotes(plan: NotesEdit, start: Start): Promise<Compaction | CompactionFailed> {
      const { sizeOf, limits } = planContext();
      const { receipt, edits } = plan;
      const kept = view().messages.slice(receipt.droppedMessages);
      const { autocompactTokens: belowTokens } = limits;
      const bounds = { ofTokens: receipt.tokensBefore, belowTokens, minSavings: notesSavings };
      const bare = acceptSize(receipt.tokensAfter, bounds);
      if (bare.kind === 'refused') return { kind: 'failed', reason: bare.reason };
      const { roomTokens } = bare;
      const { messages: then, restored } = await attaching.restored(kept, { ...start, roomTokens });
      const tokensAfter = receipt.tokensAfter + sum(then, sizeOf);
      const whole = acceptSize(tokensAfter, bounds);
      if (whole.kind === 'refused') return { kind: 'failed', reason: whole.reason };
      start.onRestored(restored);
      const span = edits.at(-1) as Compaction['edit'];
      return {
        kind: 'compacted',
        before: edits.slice(0, -1),
        edit: { ...span, then },
        receipt: { ...receipt, tokensAfter } as CompactionReceipt,
        summary: textOf(span.with),
        roomTokens: whole.roomTokens,
      };
    },
  };
}

type RunAttach = NonNullable<NonNullable<Parameters<RunEngine>[1]>['attach']>;

/** `run` of a compactor fits as well. */
type RunEngine = (
  ...given: Parameters<RunProviderCompaction>
) => Promise<Compaction | CompactionFailed>;

/** The last edit is the one that compacts. */
export type NotesEdit = Extract<NotesPlan, { readonly kind: 'edit' }>;

export const sum = (messages: readonly Message[], sizeOf: (message: Message) => number): number =>
  messages.reduce((total, message) => total + sizeOf(message), 0);

const textOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ content }) => content.filter(isText).map(({ text }) => text)).join('\n');
