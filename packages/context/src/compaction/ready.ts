import type { CompactionReceipt, RestoredFile } from '@varve/compact';
import type { Edit, ThinkingRule, ViewMessage } from '@varve/messages';

/** A compaction that was made and has not changed anything yet. */
export interface Ready {
  readonly kind: 'compacted';
  /** In order; the last one puts a summary in place of what it covers. */
  readonly edits: readonly Edit[];
  readonly receipt: CompactionReceipt;
  readonly summary: string;
  /** What was attached, as `restore` said it. */
  readonly restored: readonly RestoredFile[];
  readonly basis: Basis;
  /** Tokens that may still be attached. */
  readonly room: number;
}

/** What a compaction was planned on. */
export interface Basis {
  readonly messages: readonly ViewMessage[];
  readonly thinking: ThinkingRule;
  /** Entries of the log at that time. */
  readonly entries: number;
}
