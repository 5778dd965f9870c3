import type {
  CompactionFailed,
  CompactionOptions,
  CompactionReceipt,
  Compactor,
  createProviderCompaction,
  restore,
} from '@varve/compact';
import type { cleanUpAfter, createCompactionPipeline } from '@varve/compact/pipeline';
import type { createNotesCompaction, SessionMemory } from '@varve/session-memory';
import type { ContextCollapse } from './collapse-layer.ts';

type NotesCompactionOptions = Parameters<typeof createNotesCompaction>[0];

export type CleanUpHandlers = Parameters<typeof cleanUpAfter>[1];

export type PipelineOptions = NonNullable<Parameters<typeof createCompactionPipeline>[0]>;

export type NowOptions = Parameters<Compactor['planNow']>[1];

/** How a conversation is kept within its window: what `createCompaction` of `@varve/compact` takes, and what goes around it. */
export interface ContextCompaction
  extends Omit<CompactionOptions, 'models' | 'redact'>,
    Pick<PipelineOptions, 'hooks' | 'hookTimeoutMs' | 'startTimer'> {
  /**
   * Notes that stand in for a summary where they can, so that nobody waits for one. Taking them costs a call every few thousand tokens:
   * in a replay of 36 recorded sessions from a third to two fifths more than the session without them. @default a summary each time
   */
  readonly notes?: ContextNotes | undefined;
  /**
   * Folds old stretches of work one by one, each into a summary that can be unfolded by `undo`; `{}` takes what `createCollapse` of
   * `@varve/compact` does by itself. Stretches are summarised in the background as the window fills, and put in force before a
   * compaction would be due. Its edits and notes stand in the log by `collapse`. @default nothing is folded
   */
  readonly collapse?: ContextCollapse | undefined;
  /**
   * Has the provider compact, as `createProviderCompaction` of `@varve/compact` does; where it fails, a summary is written. Not
   * with a `focus` or one side, and not after a request was refused as too long. @default a summary each time
   */
  readonly byProvider?: Parameters<typeof createProviderCompaction>[0] | undefined;
  /**
   * Brings back what work goes on with; called once a summary stands. `restore` of `@varve/compact` does it:
   * `(given) => restore({ reads }, { ...given, readFile })`. Where it throws, nothing is attached. @default nothing
   */
  readonly restore?: RestoreAfter | undefined;
  /**
   * Whether a request that was refused as too long or too large is made smaller and sent again. False: the error goes to whoever called
   * `send`, and `recover` answers false.
   * @default true
   */
  readonly reactive?: boolean | undefined;
  /** Resets state of one's own that a compaction made wrong. */
  readonly cleanUp?: CleanUpHandlers | undefined;
  /** Names the conversation to hooks and events. @default 'main' */
  readonly threadId?: string | undefined;
  /** Compact at this share of the window that a conversation can fill, above 0 and up to 100; never later than by default. */
  readonly percent?: number | undefined;
}

/** Whose notes, and what of them is put in. The context feeds them and tells them of each reply. */
export interface ContextNotes
  extends Omit<NotesCompactionOptions, 'memory' | 'attachments' | 'redact'> {
  readonly memory: Pick<SessionMemory, 'observe' | 'snapshot' | 'afterResponse'>;
}

/** Gives the messages to attach, and which files they show. */
export type RestoreAfter = (
  given: Omit<Parameters<typeof restore>[1], 'readFile' | 'limits'>,
) => Promise<Pick<Awaited<ReturnType<typeof restore>>, 'messages' | 'restored'>>;

export interface CompactNowOptions extends Pick<NowOptions, 'direction' | 'pivot'> {
  /** What the summary is to look at; with one, or with a side to compact, neither notes nor a provider stand in. */
  readonly focus?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a compaction. */
export type CompactionOutcome =
  | {
      readonly kind: 'compacted';
      readonly summary: string;
      /** As it stands in the log. */
      readonly receipt: CompactionReceipt;
    }
  /**
   * The reason is why a compaction of `@varve/compact` failed, or `disabled`, by the switches; `outdated`, the conversation
   * changed meanwhile; `edit-refused`; `error`, something threw: see `cause`.
   */
  | CompactionFailed;
